import { setTimeout as sleep } from 'node:timers/promises';
import { apiRequest, updateAppRequest } from '@appregistrar/testkit/http/http-request';
import { type ReceivedResponse, send, trySend } from '@appregistrar/testkit/http/send';
import {
  appContentFields,
  type ContentKind,
  contentUnderPaths,
} from '../../packages/server/src/features/apps/app-content.ts';
import { encodeTypeId } from '../../packages/server/src/kernel/ids.ts';
import type { SeededRandom } from '../../scripts/seeded-random.ts';
import type { Credentials } from './credentials.ts';
import type { InstallationEntry, Ledger } from './ledger.ts';
import type { Run } from './run.ts';
import type { Service } from './service.ts';

/** The pause after a failure. It doubles with each further one, so that clients do not flood a service that is down. */
const pauseMs = 10;
const pauseMsMax = 320;
const defaultDeletionChance = 0.25;
let marks = 0;

/** A value that contains a text; null where none can. */
const markedValues: Record<ContentKind, ((text: string) => string) | null> = {
  name: (text) => text,
  logo: null,
  line: (text) => text,
  lines: (text) => text,
  colour: null,
  url: (text) => `https://example.com/${text.replace(' ', '/')}`,
};

export interface LoadParts {
  service: Pick<Service, 'publicUrl' | 'operatorUrl'>;
  credentials: Credentials;
  ledger: Ledger;
  /** The apps that are changed. */
  apps: string[];
  updaters: number;
  installers: number;
  /** How long a client waits after each response. */
  restMs?: number;
  /** The share of installations that are deleted immediately; a quarter by default. */
  deletionChance?: number;
}

/** Clients that change apps, each as soon as it has its last response, and record the outcomes. */
export class Load {
  readonly #parts: LoadParts;
  readonly #clients: Promise<void>[];
  #isStopped = false;

  /** Each client draws its own random numbers. */
  constructor(run: Run, parts: LoadParts, round = 0) {
    this.#parts = parts;
    const { updaters, installers } = parts;
    const randomOf = (kind: string, at: number) => run.random(`${kind} ${at}`, round);
    this.#clients = [
      ...Array.from({ length: updaters }, (_, at) => this.#repeat(randomOf('updater', at), this.#update)),
      ...Array.from({ length: installers }, (_, at) => this.#repeat(randomOf('installer', at), this.#install)),
    ];
  }

  /** Resolves once each client has its last response. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#clients);
  }

  async #repeat(
    random: SeededRandom,
    change: (random: SeededRandom, appId: string) => Promise<ReceivedResponse | null>,
  ) {
    let failures = 0;
    while (!this.#isStopped) {
      const response = await change.call(this, random, random.pick(this.#parts.apps as [string, ...string[]]));
      failures = response && response.status < 300 ? 0 : failures + 1;
      const restMs = this.#parts.restMs ?? 0;
      const ms = failures === 0 ? restMs : Math.min(pauseMsMax, pauseMs * 2 ** failures) * (1 - random.fraction() / 2);
      if (ms > 0) await sleep(ms);
    }
  }

  async #update(_random: SeededRandom, appId: string): Promise<ReceivedResponse | null> {
    const { service, credentials, ledger } = this.#parts;
    const mark = newMark();
    const request = updateAppRequest(credentials.developer, { id: appId, update: markedContent(mark) });
    const response = await trySend(service.publicUrl, request);
    const requestId = response?.headers['x-request-id'] ?? null;
    ledger.updates.push({ appId, mark, outcome: ledger.outcomeOf(response), requestId });
    return response;
  }

  async #install(random: SeededRandom, appId: string): Promise<ReceivedResponse | null> {
    const { service, credentials, ledger } = this.#parts;
    const workspaceId = encodeTypeId('workspace', random.uuid(Date.now()));
    const entry: InstallationEntry = { appId, workspaceId, created: 'unknown' };
    const path = '/operator/v1/installations';
    const body = { appId, workspaceId, userId: credentials.developerId };
    const response = await trySend(
      service.operatorUrl,
      apiRequest(credentials.operator, { method: 'POST', path, body }),
    );
    entry.created = ledger.outcomeOf(response);
    ledger.installations.push(entry);
    if (entry.created !== 'acknowledged') return response;
    entry.id = JSON.parse(response?.text ?? '').id;
    if (!random.chance(this.#parts.deletionChance ?? defaultDeletionChance)) return response;
    const deletion = apiRequest(credentials.operator, { method: 'DELETE', path: `${path}/${entry.id}` });
    const deleted = await trySend(service.operatorUrl, deletion);
    entry.deleted = ledger.outcomeOf(deleted);
    return deleted;
  }
}

/** A mark that is unique in this process, so that app names are too. */
export function newMark(): string {
  marks += 1;
  return `mark${String(marks).padStart(8, '0')}`;
}

/** An update of every field that can contain a text, each of which contains the mark. */
export function markedContent(mark: string) {
  return contentUnderPaths<never>((field) => markedValues[field.kind]?.(`${field.path} ${mark}`));
}

/** The fields that `markedContent` sets. */
export const markedFields = appContentFields.filter(({ kind }) => markedValues[kind] !== null);

/** Creates this many apps through the operator API, and returns their ids. */
export async function createApps(
  { operatorUrl }: Pick<Service, 'operatorUrl'>,
  { operator: token, developerId }: Credentials,
  count: number,
): Promise<string[]> {
  const ids = [];
  while (ids.length < count) {
    const body = { developerId, ...markedContent(newMark()) };
    const request = apiRequest(token, { method: 'POST', path: '/operator/v1/apps', body });
    ids.push((await send<{ id: string }>(operatorUrl, request)).view.id);
  }
  return ids;
}
