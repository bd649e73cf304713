import type { Installation, PlatformApp } from '../types/app.ts';
import { ApiPromise } from './api-promise.ts';
import { requestJson } from './json-request.ts';
import type { Connection, IfNoneMatch, RequestOptions } from './options.ts';
import { encodeId } from './path.ts';
import { type ReadResponse, readObject } from './request.ts';
import { describeResponse } from './response.ts';
import { streamApp } from './stream-app.ts';
import type { StreamedApp } from './streamed-app.ts';

/**
 * The result of a conditional read. If the app has not changed there is no `data`: use what you have cached.
 *
 * @example
 * const result: Conditional<PlatformApp> = await client.platform.apps.get(id, { ifNoneMatch: undefined });
 * if (!result.notModified) console.log(result.data.name, result.etag);
 */
export type Conditional<Data> = NotModified | Modified<Data>;

/**
 * The result of a conditional read of an app that has changed, or that was not cached.
 *
 * @example
 * const keep = ({ etag, data }: Modified<PlatformApp>) => console.log('cache', etag, data.name);
 * const result = await client.platform.apps.get(id, { ifNoneMatch: undefined });
 * if (!result.notModified) keep(result);
 */
export interface Modified<Data> {
  /** The app has changed, or nothing was cached. */
  notModified: false;
  /** Names this state of the app. Use it as `ifNoneMatch`. */
  etag: string | undefined;
  /** The app. */
  data: Data;
}

/**
 * The result of a conditional read of an app that has not changed: use what you have cached.
 *
 * @example
 * const result = await client.platform.apps.stream(id, { ifNoneMatch: '"pV5cCJ0Yw1sT8mQ2rX4kLA"' });
 * const describe = ({ etag, requestId }: NotModified) => `still ${etag}, by ${requestId}`;
 * if (result.notModified) console.log(describe(result));
 */
export interface NotModified {
  /** The app is as you have cached it. */
  notModified: true;
  /** That of the cached app. */
  etag: string | undefined;
  /** Identifies the request. Include it when you ask for help. */
  requestId: string | undefined;
  /** Absent. */
  data?: undefined;
}

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
  /** Get App: the app with its developer and all its installations. Rejects with a {@link NotFoundError} and others. */
  get(id: string, options?: PlainRead): ApiPromise<PlatformApp>;
  get(id: string, options: ReadOptions = {}): ApiPromise<PlatformApp | Conditional<PlatformApp>> {
    const read = 'ifNoneMatch' in options ? readConditionally : readObject<PlatformApp>;
    return new ApiPromise(this.#read<PlatformApp | Conditional<PlatformApp>>(id, options, read));
  }

  /**
   * Reads an app whose list of installations may be long: resolves before they have arrived, and yields one after another.
   * Only the current one is in memory. All of them are from one consistent snapshot, that of the app. Read them to the end,
   * or leave them with `installations.return()`: until then, the response occupies a connection.
   *
   * With `ifNoneMatch` the result says whether the app has changed, and contains it only then.
   *
   * Rejects like `get`. The loop throws an {@link AppRegistryConnectionError} if the response breaks off: the list is
   * incomplete then, so start again. `timeoutMs` limits each wait for data, not the work of the loop. Still, do not pause
   * for long: the registry resets the connection of a client that reads nothing for 30 seconds.
   *
   * @example
   * const { app, installations } = await client.platform.apps.stream(id);
   * for await (const { workspaceId } of installations) console.log(app.name, workspaceId);
   *
   * const result = await client.platform.apps.stream(id, { ifNoneMatch: '"pV5cCJ0Yw1sT8mQ2rX4kLA"' });
   * if (!result.notModified) for await (const { enabled } of result.installations) console.log(enabled);
   */
  stream(id: string, options: IfNoneMatch): Promise<StreamedApp | NotModified>;
  /** The app, before its installations have arrived, which are yielded one after another. Read them to the end. */
  stream(id: string, options?: PlainRead): Promise<StreamedApp>;
  async stream(id: string, options: ReadOptions = {}): Promise<StreamedApp | NotModified> {
    return (await this.#read(id, options, streamApp)).data;
  }

  /**
   * The installations of {@link stream} alone.
   *
   * @example
   * let enabled = 0;
   * for await (const installation of client.platform.apps.installations(id)) if (installation.enabled) enabled += 1;
   * console.log(enabled);
   */
  async *installations(id: string, options?: RequestOptions): AsyncGenerator<Installation, void, void> {
    yield* (await this.stream(id, options)).installations;
  }

  async #read<Data>(id: string, options: ReadOptions, read: ReadResponse<Data>) {
    const path = `/platform/apps/v1/${encodeId(id)}`;
    const { ifNoneMatch } = options;
    return requestJson<Data | NotModified>(
      this.#connection,
      'GET',
      path,
      { ifNoneMatch, options },
      async (connection, received, attempt) => {
        const { status, etag, requestId } = describeResponse(received);
        return status === 304 && ifNoneMatch
          ? { notModified: true, etag, requestId }
          : read(connection, received, attempt);
      },
    );
  }
}

/** Without `ifNoneMatch`, the result is the app. */
type PlainRead = RequestOptions & Partial<Record<'ifNoneMatch', never>>;
type ReadOptions = RequestOptions & Partial<IfNoneMatch>;

async function readConditionally(connection: Connection, received: Response): Promise<Conditional<PlatformApp>> {
  const data = await readObject<PlatformApp>(connection, received);
  return { notModified: false, etag: describeResponse(received).etag, data };
}
