import { setTimeout as sleep } from 'node:timers/promises';
import { getAppRequest, updateAppRequest } from '@appregistrar/testkit/http/http-request';
import { type ReceivedResponse, trySend } from '@appregistrar/testkit/http/send';
import type { Credentials } from '../harness/credentials.ts';
import type { Ledger } from '../harness/ledger.ts';
import { markedContent, newMark } from '../harness/load.ts';
import type { Service } from '../harness/service.ts';

const restMs = 10;
const timeoutMs = 3_000;

interface ClientsParts {
  services: readonly Service[];
  credentials: Credentials;
  ledger: Ledger;
  apps: readonly string[];
}

/** A read that lacks an update that was acknowledged before it was sent. */
interface StaleRead {
  process: number;
  /** When it was sent. */
  at: number;
}

/**
 * For each app one client that updates it, through one process after the other, and one that reads it through each.
 * The marks of an app only grow, so a read shows which updates it includes.
 */
export class MarkClients {
  reads = 0;
  readonly staleReads: StaleRead[] = [];
  /** When each update was acknowledged. */
  readonly acknowledgedAt: number[] = [];
  readonly #parts: ClientsParts;
  readonly #clients: Promise<void>[];
  /** By app: the mark that was acknowledged last. */
  readonly #acknowledged = new Map<string, string>();
  #isStopped = false;

  constructor(parts: ClientsParts) {
    this.#parts = parts;
    this.#clients = parts.apps.flatMap((appId) => [
      this.#updateRepeatedly(appId),
      ...parts.services.map((_, process) => this.#readRepeatedly(appId, process)),
    ]);
  }

  /** Resolves once each client has its last response. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#clients);
  }

  async #updateRepeatedly(appId: string): Promise<void> {
    let etag: string | undefined;
    for (let turn = 0; !this.#isStopped; turn += 1) {
      const service = this.#parts.services[turn % this.#parts.services.length] as Service;
      // An update whose outcome is unknown must not come after a later one: each requires the content that it follows.
      etag ??= await this.#currentEtag(service, appId);
      if (etag !== undefined) etag = await this.#update(service, appId, etag);
      await sleep(restMs);
    }
  }

  async #currentEtag({ publicUrl }: Service, appId: string): Promise<string | undefined> {
    const request = updateAppRequest(this.#parts.credentials.developer, { id: appId, update: {} });
    const response = await trySend(publicUrl, request, { timeoutMs });
    return response?.status === 200 ? response.etag : undefined;
  }

  async #update({ publicUrl }: Service, appId: string, etag: string): Promise<string | undefined> {
    const { credentials, ledger } = this.#parts;
    const mark = newMark();
    const headers = { 'if-match': etag };
    const request = updateAppRequest(credentials.developer, { id: appId, update: markedContent(mark), headers });
    const response = await trySend(publicUrl, request, { timeoutMs });
    if (response?.status === 412) return undefined;
    const outcome = ledger.outcomeOf(response);
    ledger.updates.push({ appId, mark, outcome, requestId: response?.headers['x-request-id'] ?? null });
    if (outcome === 'refused') return etag;
    if (outcome === 'unknown') return undefined;
    this.acknowledgedAt.push(performance.now());
    this.#acknowledged.set(appId, mark);
    return response?.etag;
  }

  async #readRepeatedly(appId: string, process: number): Promise<void> {
    const { services, credentials } = this.#parts;
    const { publicUrl } = services[process] as Service;
    while (!this.#isStopped) {
      const acknowledged = this.#acknowledged.get(appId) ?? '';
      const at = performance.now();
      const response = await trySend(publicUrl, getAppRequest(credentials.platform, appId), { timeoutMs });
      if (response?.status === 200) this.#count(response, { acknowledged, process, at });
      await sleep(restMs);
    }
  }

  #count({ text }: ReceivedResponse, { acknowledged, ...read }: StaleRead & { acknowledged: string }): void {
    const [mark = ''] = /mark\d{8}/.exec(text) ?? [];
    this.reads += 1;
    if (mark < acknowledged) this.staleReads.push(read);
  }
}
