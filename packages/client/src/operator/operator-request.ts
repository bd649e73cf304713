import type { WithResponse } from '../client/api-promise.ts';
import { AppRegistryError } from '../client/errors.ts';
import { requestJson } from '../client/json-request.ts';
import type { Connection, Method, RequestOptions, RequestParts } from '../client/options.ts';
import type { ReadResponse } from '../client/request.ts';

/** A repeat of what has shown a secret is refused with these: the change has been made. */
const shownOnce = ['token_created', 'webhook_created', 'secret_replaced'];

/** Sends a request of the operator API. If its query has a `wait`, the registry may take so many seconds longer. */
export function requestOperator<Data>(
  connection: Connection,
  method: Method,
  path: string,
  parts: RequestParts & { options: RequestOptions },
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
      if (isDone) Object.assign(error, { mayHaveTakenEffect: true });
      connection.onError?.(error);
    },
  };
  const { wait }: { wait?: unknown } = parts.query ?? {};
  return requestJson(observed, method, path, { ...parts, waitMs: (Number(wait) || 0) * 1_000 }, read);
}
