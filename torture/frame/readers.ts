import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../../scripts/seeded-random.ts';
import { ask } from './http-request.ts';
import type { Run } from './run.ts';

interface ReadersParts {
  publicUrl: string;
  /** Of the platform. */
  token: string;
  apps: string[];
  count: number;
  restMs: number;
  /** How often one asks as if it knew no `ETag`; never unless told. */
  freshChance?: number;
}

/** Clients that get apps, often with the `ETag` that they know. */
export class Readers {
  /** How many answers were as they should. */
  answered = 0;
  /** The milliseconds of each answer. */
  readonly ms: number[] = [];
  /** What else they got. */
  readonly failures: string[] = [];
  readonly #parts: ReadersParts;
  readonly #clients: Promise<void>[];
  #isStopped = false;

  constructor(run: Run, parts: ReadersParts) {
    this.#parts = parts;
    this.#clients = Array.from({ length: parts.count }, (_, at) => this.#repeat(run.random(`reader ${at}`)));
  }

  /** Resolves once each client has its last answer. */
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
    const answer = await ask(`${publicUrl}/platform/apps/v1/${appId}`, { token, headers });
    if (answer) this.ms.push(answer.ms);
    const fault = answer ? faultOf(answer.status, answer.text, known) : 'no answer';
    if (fault !== null) {
      this.failures.push(`a read of ${appId}: ${fault}`);
      return;
    }
    this.answered += 1;
    tags.set(appId, answer?.headers.get('etag') ?? '');
  }
}

function faultOf(status: number, text: string, known: string | undefined): string | null {
  if (status === 304 && known !== undefined) return null;
  return status === 200 && JSON.parse(text).installations ? null : `${status} ${text}`;
}
