import { approvedContent } from '../../packages/client/src/operator/index.ts';
import type { ReviewStep } from '../../packages/server/src/features/apps/review/review-status.ts';
import type { Revert } from '../../packages/server/src/features/apps/revisions/revert-app.ts';
import type { SeededRandom } from '../../scripts/seeded-random.ts';
import type { AppClient } from './app-client.ts';
import { isDecision } from './app-review.ts';
import { type Address, addresses, type Content, contentOf, newValues, ordinaryFields } from './content.ts';
import type { AppRequest, AppResponse } from './operations.ts';

/** The latest state that responses showed, so that many requests are valid. */
interface SeenState {
  status: string;
  revision: number;
  /** A time at which the content or the status changed. */
  updatedAt: string | undefined;
  /** The content that was approved last. */
  approved: Content | null;
  /** Ids of installations, including deleted ones. */
  installations: string[];
}

const installationKinds = ['install', 'install', 'remove', 'enable', 'disable'] as const;
const steps: [ReviewStep, ...ReviewStep[]] = ['submit', 'withdraw', 'approve', 'reject', 'reject-change', 'revoke'];
const validSteps: Record<string, [ReviewStep, ...ReviewStep[]]> = {
  DRAFT: ['submit'],
  REJECTED: ['submit'],
  AWAITING_REVIEW: ['approve', 'approve', 'reject', 'withdraw'],
  APPROVED: ['approve', 'approve', 'reject-change', 'reject-change', 'revoke'],
};

/** Concurrent flows of random requests about one app. */
export class Flows {
  readonly #client: AppClient;
  readonly #workspaces: [string, ...string[]];
  readonly #seen: SeenState = { status: 'DRAFT', revision: 1, updatedAt: undefined, approved: null, installations: [] };
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
    if (kind <= 33) return { kind: 'read' };
    if (kind <= 53) return { kind: 'get' };
    if (kind <= 61) return { kind: 'show' };
    if (kind <= 80) return this.#installation(random);
    if (kind <= 86) return this.#revert(random);
    return this.#review(random);
  }

  #update(random: SeededRandom): AppRequest {
    const given = random.chance(0.1) && this.#seen.approved ? this.#seen.approved : this.#given(random);
    return { kind: 'update', given, ...this.#ifRevision(random, 0.5) };
  }

  /** New values of some fields, and often an address: a new one, none, or the one that was approved. */
  #given(random: SeededRandom): Partial<Content> {
    this.#values += 1;
    const given: Partial<Content> = {};
    for (const { path, kind, default: initial } of ordinaryFields.filter(() => random.chance(0.4))) {
      const isRemoved = initial === null && random.chance(0.2);
      // Names are unique, so they contain the app.
      const prefix = kind === 'name' ? `${this.#client.app.id} ` : '';
      given[path] = isRemoved ? null : `${prefix}${newValues[kind](path, this.#values)}`;
    }
    const address = random.pick(addresses as [Address, ...Address[]]);
    if (Object.keys(given).length === 0 || random.chance(0.3)) given[address] = this.#url(random, address);
    return given;
  }

  #url(random: SeededRandom, address: Address): string | null {
    const kind = random.between(1, 5);
    if (kind <= 2) return null;
    return (kind === 3 && this.#seen.approved?.[address]) || newValues.url(address, this.#values);
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
    const revision = this.#ifRevision(random, isDecision({ step }) ? 1 : 0.2);
    if (step === 'submit' || step === 'withdraw' || step === 'approve') return { kind: 'review', step, ...revision };
    this.#values += 1;
    return { kind: 'review', step, reason: `Reason ${this.#values}`, disables: random.chance(0.5), ...revision };
  }

  #ifRevision(random: SeededRandom, probability: number): { ifRevision?: number } {
    if (!random.chance(probability)) return {};
    return { ifRevision: random.chance(0.3) ? this.#earlier(random) : this.#seen.revision };
  }

  /** One of the revisions that were seen last. */
  #earlier(random: SeededRandom): number {
    return random.pick([this.#seen.revision, ...this.#client.seenRevisions()]);
  }

  #revert(random: SeededRandom): AppRequest {
    const { updatedAt } = this.#seen;
    const to = random.pick<Revert>([
      { toApproved: true },
      { toRevision: this.#earlier(random) },
      updatedAt === undefined ? { toApproved: true } : { toTime: updatedAt },
    ]);
    return { kind: 'revert', to, ...this.#ifRevision(random, 0.3) };
  }

  #remember({ developerApp, platformApp, operatorApp, revision, installation }: AppResponse): void {
    const { reviewStatus } = developerApp ?? platformApp ?? operatorApp ?? {};
    if (reviewStatus) this.#seen.status = reviewStatus;
    if (revision) this.#seen.revision = revision;
    if (developerApp) this.#seen.updatedAt = developerApp.updatedAt;
    const approved = operatorApp && approvedContent(operatorApp);
    if (approved) this.#seen.approved = contentOf(approved);
    if (!installation) return;
    // The latest only: some exist, others were just deleted.
    this.#seen.installations = [...new Set([...this.#seen.installations, installation.id])].slice(-12);
  }
}
