import { HttpProblem } from '../problem/problem.ts';
import { RequestWindows } from './request-counts.ts';

const daySeconds = 86_400;

/** Limits the bytes that the updates of each developer store in a day, by the size of their bodies (decision 32). */
export class StoredBytes {
  readonly #perDay: number;
  readonly #windows: RequestWindows;

  /** 0 means no limit. */
  constructor(perDay: number, nowMs?: () => number) {
    this.#perDay = perDay;
    this.#windows = new RequestWindows(nowMs, daySeconds * 1_000);
  }

  /**
   * Takes the bytes of an update. Returns what releases them, for an update that stores nothing after all. Throws an
   * `HttpProblem`, and takes nothing, where they are more than what is left.
   */
  take(developerId: string, bytes: number): () => void {
    if (this.#perDay === 0) return () => {};
    const { isTaken, left, leftMs, endsAtMs } = this.#windows.take(developerId, this.#perDay, bytes);
    if (isTaken) return () => void this.#windows.release(developerId, this.#perDay, endsAtMs, bytes);
    const seconds = Math.max(1, Math.ceil(leftMs / 1_000));
    throw new HttpProblem(
      'too_many_requests',
      `The updates of one developer may store ${this.#perDay} bytes a day, of which ${left} are left. This update has ${bytes}. Nothing was changed. Retry in ${seconds} s.`,
      {
        // `qu` says that this quota is not one of requests.
        'ratelimit-policy': `"stored-bytes";q=${this.#perDay};qu="content-bytes";w=${daySeconds}`,
        ratelimit: `"stored-bytes";r=${left};t=${seconds}`,
        'retry-after': String(seconds),
      },
    );
  }
}
