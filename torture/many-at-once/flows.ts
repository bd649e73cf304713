import type { ReviewStep } from '../../packages/server/src/contract/review/review-status.ts';
import type { SeededRandom } from '../../scripts/seeded-random.ts';
import type { AppClient } from './app-client.ts';
import type { AppRequest, AppResponse } from './app-model.ts';

/** The latest state that responses showed, so that many requests are valid. */
interface SeenState {
  status: string;
  revision: number;
  /** Ids of installations, including deleted ones. */
  installations: string[];
}

const installationKinds = ['install', 'install', 'remove', 'enable', 'disable'] as const;
const steps: [ReviewStep, ...ReviewStep[]] = ['submit', 'withdraw', 'approve', 'reject', 'revoke'];
const validSteps: Record<string, [ReviewStep, ...ReviewStep[]]> = {
  DRAFT: ['submit'],
  REJECTED: ['submit'],
  AWAITING_REVIEW: ['approve', 'approve', 'reject', 'withdraw'],
  APPROVED: ['approve', 'revoke'],
};

/** Concurrent flows of random requests about one app. */
export class Flows {
  readonly #client: AppClient;
  readonly #workspaces: [string, ...string[]];
  readonly #seen: SeenState = { status: 'DRAFT', revision: 1, installations: [] };
  #values = 0;

  constructor(client: AppClient, workspaces: [string, ...string[]]) {
    this.#client = client;
    this.#workspaces = workspaces;
  }

  async run(random: SeededRandom, isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      const process = random.between(0, this.#client.processes - 1);
      const response = await this.#client.send(this.#request(random), { process, isConditional: random.chance(0.5) });
      this.#remember(response);
    }
  }

  #request(random: SeededRandom): AppRequest {
    const kind = random.between(1, 100);
    if (kind <= 26) return this.#update(random);
    if (kind <= 38) return { kind: 'read' };
    if (kind <= 58) return { kind: 'get' };
    if (kind <= 66) return { kind: 'show' };
    if (kind <= 90) return this.#installation(random);
    return this.#review(random);
  }

  #update(random: SeededRandom): AppRequest {
    this.#values += 1;
    const value = `${this.#client.app.id} ${this.#values}`;
    const fields = random.between(1, 3);
    const given = { ...(fields !== 1 && { name: value }), ...(fields !== 2 && { shortDescription: value }) };
    return { kind: 'update', given, ...this.#ifRevision(random, 0.5) };
  }

  #installation(random: SeededRandom): AppRequest {
    const [first, ...others] = this.#seen.installations;
    const kind = random.pick(installationKinds);
    if (kind === 'install' || first === undefined) {
      return { kind: 'install', workspaceId: random.pick(this.#workspaces), byOwner: random.chance(0.6) };
    }
    return { kind, installationId: random.pick([first, ...others]) };
  }

  #review(random: SeededRandom): AppRequest {
    const valid = validSteps[this.#seen.status] ?? steps;
    const step = random.pick(random.chance(0.8) ? valid : steps);
    const revision = this.#ifRevision(random, step === 'approve' || step === 'reject' ? 1 : 0.2);
    if (step === 'submit' || step === 'withdraw' || step === 'approve') return { kind: 'review', step, ...revision };
    this.#values += 1;
    return { kind: 'review', step, reason: `Reason ${this.#values}`, disables: random.chance(0.5), ...revision };
  }

  #ifRevision(random: SeededRandom, probability: number): { ifRevision?: number } {
    if (!random.chance(probability)) return {};
    return { ifRevision: this.#seen.revision - (random.chance(0.1) ? 1 : 0) };
  }

  #remember({ developerApp, platformApp, operatorApp, revision, installation }: AppResponse): void {
    const { reviewStatus } = developerApp ?? platformApp ?? operatorApp ?? {};
    if (reviewStatus) this.#seen.status = reviewStatus;
    if (revision) this.#seen.revision = revision;
    if (!installation) return;
    // The latest only: some exist, others were just deleted.
    this.#seen.installations = [...new Set([...this.#seen.installations, installation.id])].slice(-12);
  }
}
