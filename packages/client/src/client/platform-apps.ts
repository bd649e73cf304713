import type { Installation, PlatformApp } from '../types/app.ts';
import { ApiPromise, type WithResponse } from './api-promise.ts';
import { installationsOf } from './installations-of.ts';
import type { Connection, IfNoneMatch, RequestOptions } from './options.ts';
import { pathOf } from './path.ts';
import { type Call, parseObject, readText, send } from './request.ts';
import { describeResponse } from './response.ts';

/**
 * The result of a conditional read. If the app has not changed there is no `data`: use what you have cached.
 *
 * @example
 * const result: Conditional<PlatformApp> = await client.platform.apps.get(id, { ifNoneMatch: undefined });
 * if (!result.notModified) console.log(result.data.name, result.etag);
 */
export type Conditional<Data> =
  | { notModified: true; etag: string | undefined; data?: undefined }
  | { notModified: false; etag: string | undefined; data: Data };

/**
 * Apps as the platform sees them, for tokens of kind `platform`.
 *
 * @example
 * const apps: PlatformApps = client.platform.apps;
 * console.log((await apps.get(id)).reviewStatus);
 */
export class PlatformApps {
  readonly #connection: Connection;

  /** Created by the client. */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Get App: the app with its developer and all its installations. With `ifNoneMatch` the result says whether the app has
   * changed, and contains it only then.
   *
   * Rejects with a {@link NotFoundError}, {@link UnauthorizedError}, {@link ForbiddenError} or another
   * {@link AppRegistryError}, an {@link AppRegistryTimeoutError} or an {@link AppRegistryConnectionError}.
   *
   * @example
   * const app = await client.platform.apps.get(id);
   * console.log(app.name, app.installations.length);
   *
   * let cached = await client.platform.apps.get(id, { ifNoneMatch: undefined });
   * const result = await client.platform.apps.get(id, { ifNoneMatch: cached.etag });
   * if (!result.notModified) cached = result;
   */
  get(id: string, options: IfNoneMatch): ApiPromise<Conditional<PlatformApp>>;
  get(id: string, options?: RequestOptions & { ifNoneMatch?: never }): ApiPromise<PlatformApp>;
  get(id: string, options: RequestOptions | IfNoneMatch = {}): ApiPromise<ReadResult> {
    return new ApiPromise(this.#read(id, options));
  }

  /**
   * Streams the installations of an app while the response of Get App arrives. Only the current one is in memory. All of
   * them are from one consistent snapshot. Leaving the loop aborts the request.
   *
   * `timeoutMs` limits each wait for data, not the work of the loop. Still, do not pause for long: the registry resets
   * the connection of a client that reads nothing for 30 seconds. Only the request is retried. Throws an
   * {@link AppRegistryConnectionError} if the response breaks off: the list is incomplete then, so start again.
   *
   * @example
   * let enabled = 0;
   * for await (const installation of client.platform.apps.installations(id)) if (installation.enabled) enabled += 1;
   * console.log(enabled);
   */
  async *installations(id: string, options: RequestOptions = {}): AsyncGenerator<Installation, void, void> {
    yield* installationsOf(this.#connection, getApp(id, options));
  }

  async #read(id: string, options: RequestOptions | IfNoneMatch): Promise<WithResponse<ReadResult>> {
    return send(this.#connection, getApp(id, options), async (received) => {
      const response = describeResponse(received);
      const { status, etag } = response;
      const isConditional = 'ifNoneMatch' in options;
      if (isConditional && status === 304) return { data: { notModified: true, etag }, response };
      const app = parseObject<PlatformApp>(response, await readText(this.#connection, received));
      return { data: isConditional ? { notModified: false, etag, data: app } : app, response };
    });
  }
}

type ReadResult = PlatformApp | Conditional<PlatformApp>;

function getApp(id: string, options: RequestOptions | IfNoneMatch): Call {
  const headers = 'ifNoneMatch' in options ? { 'if-none-match': options.ifNoneMatch } : {};
  return { method: 'GET', path: pathOf`/platform/apps/v1/${id}`, headers, options };
}
