import type { SeededRandom } from '../../scripts/seeded-random.ts';
import type { Mode } from './app-state.ts';
import type { RegistryRequest } from './operations.ts';
import type { RegistryClient } from './registry-client.ts';

/** How often a request is a command in a process of its own. */
const commandShare = 0.05;

/** One flow of random requests about all apps. */
export async function runRegistryFlow(
  client: RegistryClient,
  random: SeededRandom,
  isDone: () => boolean,
): Promise<void> {
  while (!isDone()) {
    const process = random.between(0, client.processes - 1);
    await client.send(requestOf(random), { process: random.chance(commandShare) ? 'command' : process });
  }
}

function requestOf(random: SeededRandom): RegistryRequest {
  if (random.chance(0.7)) return { kind: 'settings' };
  const mode = random.pick<Mode>(['live', 'hold']);
  return { kind: 'switch', mode, existing: random.pick(['hold', 'hold', 'approve']) };
}
