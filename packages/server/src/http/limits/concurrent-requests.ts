import type { FastifyRequest } from 'fastify';
import { HttpProblem } from '../problem/problem.ts';

type Upload = Pick<FastifyRequest, 'raw'>;

const retryAfter = { 'retry-after': '5' };

/** Limits how many uploads a process holds in memory, from before their bodies are read until their work is done. */
export class UploadsAtOnce {
  readonly #max: number;
  #open = 0;
  /** By request: the work on an upload that has arrived. */
  readonly #work = new WeakMap<object, Promise<unknown>>();

  /** 0 means no limit. */
  constructor(max: number) {
    this.#max = max;
  }

  /** Counts a request whose body is about to be read. Refuses it with 503 beyond the limit. */
  acquire({ raw }: Upload): void {
    if (this.#max > 0 && this.#open >= this.#max) {
      throw new HttpProblem('unavailable', 'Too many uploads are in progress. Retry in a moment.', retryAfter);
    }
    this.#open += 1;
    raw.context.response.once('close', () => void this.#release(raw));
  }

  /** Runs the work on an authorized request. It counts until then, even if its client disconnects. */
  run<Result>({ raw }: Upload, work: () => Promise<Result>): Promise<Result> {
    const result = work();
    this.#work.set(raw, result);
    return result;
  }

  async #release(raw: Upload['raw']): Promise<void> {
    await this.#work.get(raw)?.catch(() => {});
    this.#open -= 1;
  }
}

/** Waits and streams together: fewer than half of the connections that the operator listener is sure to have. */
export const waitingMax = 50;

/** Limits how many requests of a process wait for events at one time. */
export class LongPollLimit {
  #waiting = 0;

  /** Counts a request until the returned function is called. Refuses it with 503 beyond the limit. */
  acquire(): () => void {
    if (this.#waiting >= waitingMax) {
      const detail = 'Too many requests are waiting for events. Retry in a moment, or read the feed without "wait".';
      throw new HttpProblem('unavailable', detail, retryAfter);
    }
    this.#waiting += 1;
    return () => {
      this.#waiting -= 1;
    };
  }
}
