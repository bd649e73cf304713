import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../../scripts/seeded-random.ts';
import type { Credentials } from './credentials.ts';
import { type Answer, ask, askFor } from './http-request.ts';
import type { InstallationEntry, Ledger } from './ledger.ts';
import type { Run } from './run.ts';
import type { Service } from './service.ts';
import { typeId } from './type-id.ts';

/** After a failure, doubled with each one, so that a service that is down is not asked without end. */
const pauseMs = 10;
const pauseMsMax = 320;
const usualDeletionChance = 0.25;
let marks = 0;

export interface LoadParts {
  service: Pick<Service, 'publicUrl' | 'operatorUrl'>;
  credentials: Credentials;
  ledger: Ledger;
  /** The apps that are changed. */
  apps: string[];
  updaters: number;
  installers: number;
  /** How long a client waits after each answer. */
  restMs?: number;
  /** How many of the installations are removed again at once; a quarter unless told. */
  deletionChance?: number;
}

/** Clients that change apps as fast as they are answered, and write down what they are told. */
export class Load {
  readonly #parts: LoadParts;
  readonly #clients: Promise<void>[];
  #isStopped = false;

  /** The draws of each client are its own. */
  constructor(run: Run, parts: LoadParts, round = 0) {
    this.#parts = parts;
    const { updaters, installers } = parts;
    const randomOf = (kind: string, at: number) => run.random(`${kind} ${at}`, round);
    this.#clients = [
      ...Array.from({ length: updaters }, (_, at) => this.#repeat(randomOf('updater', at), this.#update)),
      ...Array.from({ length: installers }, (_, at) => this.#repeat(randomOf('installer', at), this.#install)),
    ];
  }

  /** Resolves once each client has its last answer. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#clients);
  }

  async #repeat(random: SeededRandom, change: (random: SeededRandom, appId: string) => Promise<Answer | null>) {
    let failures = 0;
    while (!this.#isStopped) {
      const answer = await change.call(this, random, random.pick(this.#parts.apps as [string, ...string[]]));
      failures = answer && answer.status < 300 ? 0 : failures + 1;
      const restMs = this.#parts.restMs ?? 0;
      const ms = failures === 0 ? restMs : Math.min(pauseMsMax, pauseMs * 2 ** failures) * (1 - random.fraction() / 2);
      if (ms > 0) await sleep(ms);
    }
  }

  async #update(_random: SeededRandom, appId: string): Promise<Answer | null> {
    const { service, credentials, ledger } = this.#parts;
    const mark = newMark();
    const answer = await ask(`${service.publicUrl}/developer/apps/v1/${appId}`, {
      method: 'PATCH',
      token: credentials.developer,
      body: markedContent(mark),
    });
    const requestId = answer?.headers.get('x-request-id') ?? null;
    ledger.updates.push({ appId, mark, outcome: ledger.outcomeOf(answer), requestId });
    return answer;
  }

  async #install(random: SeededRandom, appId: string): Promise<Answer | null> {
    const { service, credentials, ledger } = this.#parts;
    const entry: InstallationEntry = { appId, workspaceId: typeId('workspace', random), created: 'unknown' };
    const url = `${service.operatorUrl}/operator/v1/installations`;
    const body = { appId, workspaceId: entry.workspaceId, userId: credentials.developerId };
    const answer = await ask(url, { method: 'POST', token: credentials.operator, body });
    entry.created = ledger.outcomeOf(answer);
    ledger.installations.push(entry);
    if (entry.created !== 'acknowledged') return answer;
    entry.id = JSON.parse(answer?.text ?? '').id;
    if (!random.chance(this.#parts.deletionChance ?? usualDeletionChance)) return answer;
    const gone = await ask(`${url}/${entry.id}`, { method: 'DELETE', token: credentials.operator });
    entry.deleted = ledger.outcomeOf(gone);
    return gone;
  }
}

/** Of all changes of this run, so that names never meet. */
export function newMark(): string {
  marks += 1;
  return `mark${String(marks).padStart(8, '0')}`;
}

/** A change of five members at once, each of which tells the mark. */
export function markedContent(mark: string) {
  return {
    name: `Name ${mark}`,
    listingInfo: { shortDescription: `Short ${mark}.`, longDescription: `Long ${mark}.` },
    oauthInfo: { loginUrl: `https://example.com/login/${mark}`, callbackUrl: `https://example.com/callback/${mark}` },
  };
}

/** Creates so many apps through the operator API; to their ids. */
export async function createApps(
  { operatorUrl }: Pick<Service, 'operatorUrl'>,
  { operator: token, developerId }: Credentials,
  count: number,
): Promise<string[]> {
  const ids = [];
  while (ids.length < count) {
    const body = { developerId, ...markedContent(newMark()) };
    const { id } = await askFor<{ id: string }>(`${operatorUrl}/operator/v1/apps`, { method: 'POST', token, body });
    ids.push(id);
  }
  return ids;
}
