import type { WebAbortSignal } from '../client/web-types.ts';
import type { OperatorClient } from '../operator/operator-client.ts';
import type { Change } from './change.ts';
import { RegistryCopy } from './registry-copy.ts';
import { Replica } from './replica.ts';

/**
 * The options of `sync`.
 *
 * @example
 * const options: SyncOptions = { onChange: ({ type, id }) => console.log(type, id) };
 * const watched = await sync(operator, options);
 */
export interface SyncOptions {
  /** Receives each change, once the copy has it, also the differences of a new snapshot. */
  onChange?: ((change: Change) => void) | undefined;
  /**
   * Receives each failure: of a request that is retried, of the one that ends the copy (`state` is then `failed`), and of
   * `onChange`. `console.error` by default.
   */
  onError?: ((error: unknown) => void) | undefined;
  /** Closes the copy when it is aborted. */
  signal?: WebAbortSignal | undefined;
}

/**
 * Reads all apps and installations into memory and keeps them current from the event feed. Needs a token with the scope
 * `read`. Rejects if the registry cannot be read; later failures are reported to `onError`.
 *
 * @example
 * await using live = await sync(operator);
 * console.log(live.installation(appId, 'workspace_01jq3w2r5sfh8tn4m6b7k8c9d0')?.enabled === true);
 */
export async function sync(operator: OperatorClient, options: SyncOptions = {}): Promise<RegistryCopy> {
  const { onChange = () => {}, onError = console.error, signal: caller } = options;
  const ending = new AbortController();
  const abort = () => ending.abort(caller?.reason);
  if (caller?.aborted) abort();
  caller?.addEventListener('abort', abort, { signal: ending.signal });
  try {
    const replica = await Replica.read(operator, { signal: ending.signal });
    return new RegistryCopy(operator, replica, { onChange, onError, ending });
  } catch (error) {
    ending.abort();
    throw error;
  }
}
