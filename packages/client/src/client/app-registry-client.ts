import { ApiPromise } from './api-promise.ts';
import { connectionOf } from './connection.ts';
import { DeveloperApps } from './developer-apps.ts';
import { requestJson } from './json-request.ts';
import type { AppRegistryClientOptions, Connection, Method, RequestOptions, RequestParts } from './options.ts';
import { PlatformApps } from './platform-apps.ts';

/**
 * A client of an app registry. Transient failures are retried, twice by default, and an update is applied once, however
 * often it is sent.
 *
 * The constructor throws a `TypeError` if the base URL is missing or malformed.
 *
 * @example
 * const client = new AppRegistryClient({ baseUrl: 'https://apps.example.com', token });
 * const app = await client.developer.apps.update(id, { name: 'Invoice Sync' });
 * console.log(app.updatedAt);
 */
export class AppRegistryClient {
  /** For tokens of kind `developer`. */
  declare readonly developer: { readonly apps: DeveloperApps };
  /** For tokens of kind `platform`. */
  declare readonly platform: { readonly apps: PlatformApps };

  readonly #connection: Connection;

  constructor(options: AppRegistryClientOptions) {
    const connection = connectionOf(options);
    this.#connection = connection;
    this.developer = { apps: new DeveloperApps(connection) };
    this.platform = { apps: new PlatformApps(connection) };
  }

  /**
   * Any other request, for what a newer registry offers, with the same retries and errors. The path begins with `/`. Each
   * POST and PATCH has an `Idempotency-Key`, like an update.
   *
   * @example
   * const app = await client.request('PATCH', `/developer/apps/v1/${id}`, { body: { name: 'Invoice Sync' } });
   * console.log(app);
   */
  request(
    method: Method,
    path: string,
    { query, body, ifMatch, ...options }: RequestParts & RequestOptions = {},
  ): ApiPromise<unknown> {
    return new ApiPromise(requestJson(this.#connection, method, path, { query, body, ifMatch, options }));
  }
}
