import type { ServerResponse } from 'node:http';

/** What waits for the next turn is then answered within a second, also when ten times as much is refused. */
const turnMsMax = 200;

/**
 * Says what is too many, so that under a flood those that are taken are served in time: more than so many requests
 * at work at one time, and what comes when a turn of the event loop has worked for long. A turn takes all that has
 * arrived before it; SQLite answers at once, so that what waits is in no request at work, but in the connections.
 */
export class Overload {
  readonly #requestsMax: number;
  #requests = 0;
  #turnBegan: NodeJS.CpuUsage | undefined;

  /** `requestsMax` 0 means that nothing is too many. */
  constructor(requestsMax: number) {
    this.#requestsMax = requestsMax;
  }

  /** Counts a request until its answer has left or cannot leave any more; false when it is one too many. */
  take(response: ServerResponse): boolean {
    if (this.#requestsMax > 0 && (this.#requests >= this.#requestsMax || this.#hasTurnWorkedLong())) return false;
    this.#requests += 1;
    response.once('close', () => {
      this.#requests -= 1;
    });
    return true;
  }

  /** By the time of the processor: one that others use is no reason to refuse. */
  #hasTurnWorkedLong(): boolean {
    if (!this.#turnBegan) {
      this.#turnBegan = process.threadCpuUsage();
      // Comes after all that has arrived.
      setImmediate(() => {
        this.#turnBegan = undefined;
      });
      return false;
    }
    const { user, system } = process.threadCpuUsage(this.#turnBegan);
    return (user + system) / 1_000 > turnMsMax;
  }
}
