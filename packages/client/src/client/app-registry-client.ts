import { ApiPromise } from './api-promise.ts';
import { connectionOf } from './connection.ts';
import { DeveloperApps } from './developer-apps.ts';
import { requestJson } from './json-request.ts';
import type { AppRegistryClientOptions, Connection, Method, RequestOptions, RequestParts } from './options.ts';
import { PlatformApps } from './platform-apps.ts';

/** What the clients of the two operations have in common. */
class RegistryClient {
  readonly #connection: Connection;

  /** Throws a `TypeError` if the base URL is missing or malformed. */
  constructor(options: AppRegistryClientOptions) {
    this.#connection = connectionOf(options);
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

/**
 * A client for developers: Update App, with a token of kind `developer`. Transient failures are retried, twice by default, and
 * an update is applied once, however often it is sent.
 *
 * The constructor throws a `TypeError` if the base URL is missing or malformed.
 *
 * @example
 * const developer = new DeveloperClient({ baseUrl: 'https://apps.example.com', token });
 * const app = await developer.apps.update(id, { name: 'Invoice Sync' });
 * console.log(app.updatedAt);
 */
export class DeveloperClient extends RegistryClient {
  /** The apps of the developer that the token belongs to. */
  declare readonly apps: DeveloperApps;

  /** Throws a `TypeError` if the base URL is missing or malformed. */
  constructor(options: AppRegistryClientOptions) {
    super(options);
    this.apps = new DeveloperApps(connectionOf(options));
  }
}

/**
 * A client for platforms: Get App, with a token of kind `platform`. Transient failures are retried, twice by default.
 *
 * The constructor throws a `TypeError` if the base URL is missing or malformed.
 *
 * @example
 * const platform = new PlatformClient({ baseUrl: 'https://apps.example.com', token });
 * for await (const { workspaceId } of platform.apps.installations(id)) console.log(workspaceId);
 */
export class PlatformClient extends RegistryClient {
  /** The apps of all developers. */
  declare readonly apps: PlatformApps;

  /** Throws a `TypeError` if the base URL is missing or malformed. */
  constructor(options: AppRegistryClientOptions) {
    super(options);
    this.apps = new PlatformApps(connectionOf(options));
  }
}

/**
 * Both clients in one. A token is good for one of them, so prefer {@link DeveloperClient} and {@link PlatformClient}, which
 * have nothing else.
 *
 * The constructor throws a `TypeError` if the base URL is missing or malformed.
 *
 * @example
 * const client = new AppRegistryClient({ baseUrl: 'https://apps.example.com', token });
 * const app = await client.developer.apps.update(id, { name: 'Invoice Sync' });
 * console.log(app.updatedAt);
 */
export class AppRegistryClient extends RegistryClient {
  /** For tokens of kind `developer`. */
  declare readonly developer: DeveloperClient;
  /** For tokens of kind `platform`. */
  declare readonly platform: PlatformClient;

  /** Throws a `TypeError` if the base URL is missing or malformed. */
  constructor(options: AppRegistryClientOptions) {
    super(options);
    this.developer = new DeveloperClient(options);
    this.platform = new PlatformClient(options);
  }
}
