import { setTimeout as sleep } from 'node:timers/promises';
import { getAppRequest } from '@appregistrar/testkit/http/http-request';
import { type ReceivedResponse, trySend } from '@appregistrar/testkit/http/send';
import type { SeededRandom } from '../../scripts/seeded-random.ts';
import type { Run } from './run.ts';

interface ReadersParts {
  publicUrl: string;
  /** A platform token. */
  token: string;
  apps: string[];
  count: number;
  restMs: number;
  /** The share of requests without a known `ETag`; 0 by default. */
  freshChance?: number;
}

/** Clients that get apps, usually with the `ETag` that they know. */
export class Readers {
  /** The number of successful reads. */
  successes = 0;
  /** The duration of each response in milliseconds. */
  readonly ms: number[] = [];
  /** Unexpected responses. */
  readonly failures: string[] = [];
  readonly #parts: ReadersParts;
  readonly #clients: Promise<void>[];
  #isStopped = false;

  constructor(run: Run, parts: ReadersParts) {
    this.#parts = parts;
    this.#clients = Array.from({ length: parts.count }, (_, at) => this.#repeat(run.random(`reader ${at}`)));
  }

  /** Resolves once each client has its last response. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#clients);
  }

  async #repeat(random: SeededRandom): Promise<void> {
    const { apps, restMs, freshChance = 0 } = this.#parts;
    const tags = new Map<string, string>();
    while (!this.#isStopped) {
      const appId = random.pick(apps as [string, ...string[]]);
      if (random.chance(freshChance)) tags.delete(appId);
      await this.#read(appId, tags);
      await sleep(restMs);
    }
  }

  async #read(appId: string, tags: Map<string, string>): Promise<void> {
    const { publicUrl, token } = this.#parts;
    const known = tags.get(appId);
    const headers = known === undefined ? {} : { 'if-none-match': known };
    const response = await trySend(publicUrl, getAppRequest(token, appId, headers));
    if (response) this.ms.push(response.ms);
    if (!response || !isExpected(response, known)) {
      const received = response ? `${response.status} ${response.text}` : 'no response';
      this.failures.push(`a read of ${appId}: ${received}`);
      return;
    }
    this.successes += 1;
    tags.set(appId, response.etag);
  }
}

function isExpected({ status, text }: ReceivedResponse, known: string | undefined): boolean {
  if (status === 304) return known !== undefined;
  return status === 200 && JSON.parse(text).installations !== undefined;
}
