import type { WithResponse } from '../client/api-promise.ts';
import { AppRegistryError } from '../client/errors.ts';
import { type Parts, requestJson } from '../client/json-request.ts';
import type { Connection, Method, RequestOptions } from '../client/options.ts';
import type { ReadResponse } from '../client/request.ts';

/** A repeat of what has shown a secret is refused with these: the change has been made. */
const shownOnce = ['token_issued', 'webhook_created', 'secret_replaced'];

/** Sends a request of the operator API. */
export function requestOperator<Data>(
  connection: Connection,
  method: Method,
  path: string,
  parts: Parts & { options: RequestOptions },
  read?: ReadResponse<Data>,
): Promise<WithResponse<Data>> {
  let isUnknown = false;
  const observed: Connection = {
    ...connection,
    onRetry: (retry) => {
      isUnknown ||= retry.error.mayHaveTakenEffect;
      connection.onRetry?.(retry);
    },
    onError: (error) => {
      // A deletion has no key: what it has deleted, its retry does not find.
      const isDone =
        AppRegistryError.is(error) && (method === 'DELETE' ? isUnknown : shownOnce.includes(`${error.code}`));
      if (isDone) Object.defineProperty(error, 'mayHaveTakenEffect', { value: true });
      connection.onError?.(error);
    },
  };
  return requestJson(observed, method, path, parts, read);
}
