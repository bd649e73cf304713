import type { FastifyReply } from 'fastify';
import { HttpProblem } from './problem.ts';

const retryAfterSeconds = 1;

/** Caps the requests at work at one time, so that under a flood those that are taken are still served. */
export class Overload {
  readonly #requestsMax: number;
  #requests = 0;

  /** `requestsMax` 0 means no limit. */
  constructor(requestsMax: number) {
    this.#requestsMax = requestsMax;
  }

  /** Counts a request until its answer has left or cannot leave any more; a 503 when there are too many. */
  take(reply: FastifyReply): void {
    if (this.#requestsMax > 0 && this.#requests >= this.#requestsMax) {
      throw new HttpProblem(
        'unavailable',
        'The registry has more requests than it can serve at the moment. Nothing was changed; repeat the request in a moment.',
        { 'retry-after': String(retryAfterSeconds) },
      );
    }
    this.#requests += 1;
    reply.raw.once('close', () => {
      this.#requests -= 1;
    });
  }
}
