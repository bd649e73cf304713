import { AppRegistryTimeoutError } from './errors.ts';
import type { WebAbortSignal } from './web-types.ts';

/** A timer with a longer delay fires immediately. */
const timerMsMax = 2 ** 31 - 1;

/** One attempt at a request. It is aborted when a part of it times out, or when the caller aborts. */
export class Attempt {
  readonly #request = new AbortController();
  readonly #timeoutMs: number;
  readonly #caller: WebAbortSignal | undefined;

  /** A `timeoutMs` of 0 means no limit. */
  constructor(timeoutMs: number, caller: WebAbortSignal | undefined) {
    this.#timeoutMs = timeoutMs;
    this.#caller = caller;
  }

  /** Runs a part of the attempt with the full timeout. Rejects in time even if the work ignores the signal. */
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
      const timeoutMs = this.#timeoutMs;
      if (timeoutMs > 0 && timeoutMs <= timerMsMax) timer = setTimeout(() => end(timeout(timeoutMs)), timeoutMs);
      work(this.#request.signal).then(resolve, reject);
    }).finally(() => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', onAbort);
    });
  }

  /** Releases the connection. */
  end(): void {
    this.#request.abort();
  }
}

/** Waits, unless the signal is aborted. */
export function sleep(ms: number, signal: WebAbortSignal | undefined): Promise<void> {
  return new Attempt(0, signal).within(
    (aborted) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        aborted.addEventListener('abort', () => clearTimeout(timer));
      }),
  );
}

function timeout(timeoutMs: number): AppRegistryTimeoutError {
  return new AppRegistryTimeoutError(`The registry did not respond within ${timeoutMs} ms. Increase timeoutMs.`);
}
