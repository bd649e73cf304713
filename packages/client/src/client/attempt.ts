import { AppRegistryTimeoutError } from './errors.ts';
import type { WebAbortSignal } from './web-types.ts';

/** A timer with a longer time would ring at once. */
const timerMsMax = 2 ** 31 - 1;

/** One try of a request: it ends when a part of it takes too long, and when its caller aborts. */
export class Attempt {
  readonly #request = new AbortController();
  readonly #timeoutMs: number;
  readonly #caller: WebAbortSignal | undefined;

  /** With `timeoutMs` 0 it takes as long as it takes. */
  constructor(timeoutMs: number, caller: WebAbortSignal | undefined) {
    this.#timeoutMs = timeoutMs;
    this.#caller = caller;
  }

  /** Does a part of it, which may take the whole time. It also ends in time when the work does not mind the signal. */
  within<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const caller = this.#caller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let onAbort = () => {};
    return new Promise<T>((resolve, reject) => {
      const end = (reason: unknown) => {
        reject(reason);
        this.end();
      };
      onAbort = () => end(caller?.reason);
      if (caller?.aborted) return onAbort();
      caller?.addEventListener('abort', onAbort);
      if (this.#timeoutMs > 0 && this.#timeoutMs <= timerMsMax) {
        timer = setTimeout(() => end(timeout(this.#timeoutMs)), this.#timeoutMs);
      }
      work(this.#request.signal).then(resolve, reject);
    }).finally(() => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', onAbort);
    });
  }

  /** Lets the connection go. */
  end(): void {
    this.#request.abort();
  }
}

/** Waits, unless the signal is aborted. */
export function sleep(ms: number, signal: WebAbortSignal | undefined): Promise<void> {
  return new Attempt(0, signal).within(
    (ended) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        ended.addEventListener('abort', () => clearTimeout(timer));
      }),
  );
}

function timeout(timeoutMs: number): AppRegistryTimeoutError {
  return new AppRegistryTimeoutError(
    `The registry has not answered within ${timeoutMs} ms. Give timeoutMs more, or look at what holds it up. Before you send an update again, read the app: it may have taken effect.`,
  );
}
