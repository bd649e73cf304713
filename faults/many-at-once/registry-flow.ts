import type { SeededRandom } from '../../scripts/seeded-random.ts';
import type { Mode } from './app-state.ts';
import type { RegistryRequest } from './operations.ts';
import type { RegistryClient } from './registry-client.ts';

/** How often a request that can be one is a command in a process of its own. */
const commandShare = 0.03;

/** Flows of random requests about all apps, or those of a developer. */
export class RegistryFlows {
  readonly #client: RegistryClient;
  readonly #developers: [string, ...string[]];
  #reasons = 0;

  constructor(client: RegistryClient, developers: [string, ...string[]]) {
    this.#client = client;
    this.#developers = developers;
  }

  async run(random: SeededRandom, isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      const request = this.#request(random);
      const mayBeCommand = request.kind === 'switch' || request.kind === 'settings';
      const process = random.between(0, this.#client.processes - 1);
      await this.#client.send(request, { process: mayBeCommand && random.chance(commandShare) ? 'command' : process });
    }
  }

  #request(random: SeededRandom): RegistryRequest {
    const kind = random.between(1, 100);
    if (kind <= 10) return { kind: 'settings' };
    if (kind <= 45) return { kind: 'queue' };
    if (kind <= 70) return switchTo(random);
    const developerId = random.pick(this.#developers);
    // Most of the time, no developer is suspended.
    if (kind > 76) return { kind: 'unsuspend', developerId };
    this.#reasons += 1;
    return { kind: 'suspend', developerId, reason: `Suspension ${this.#reasons}` };
  }
}

function switchTo(random: SeededRandom): RegistryRequest {
  const mode = random.pick<Mode>(['live', 'hold']);
  return { kind: 'switch', mode, existing: random.pick(['hold', 'hold', 'approve']) };
}
