import type { Installation, PlatformApp } from '../types/app.ts';
import { ApiPromise, type WithResponse } from './api-promise.ts';
import { installationsOf } from './installations-of.ts';
import type { Connection, IfNoneMatch, RequestOptions } from './options.ts';
import { type Call, parseObject, readText, send } from './request.ts';
import { describeResponse } from './response.ts';

/**
 * What a read answers that asks for news only. Of an app that is as it was there is no `data`: use what you have kept.
 *
 * @example
 * const answer: Conditional<PlatformApp> = await client.platform.apps.get(id, { ifNoneMatch: undefined });
 * if (!answer.notModified) console.log(answer.data.name, answer.etag);
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

  /** Made by the client. */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Get App: the app with its developer and all of its installations. With `ifNoneMatch` it says whether there are
   * news, and only then what.
   *
   * Rejects with a {@link NotFoundError}, {@link UnauthorizedError}, {@link ForbiddenError} or another
   * {@link AppRegistryError}, an {@link AppRegistryTimeoutError} or an {@link AppRegistryConnectionError}.
   *
   * @example
   * const app = await client.platform.apps.get(id);
   * console.log(app.name, app.installations.length);
   *
   * let kept = await client.platform.apps.get(id, { ifNoneMatch: undefined });
   * const answer = await client.platform.apps.get(id, { ifNoneMatch: kept.etag });
   * if (!answer.notModified) kept = answer;
   */
  get(id: string, options: IfNoneMatch): ApiPromise<Conditional<PlatformApp>>;
  get(id: string, options?: RequestOptions & { ifNoneMatch?: never }): ApiPromise<PlatformApp>;
  get(id: string, options: RequestOptions | IfNoneMatch = {}): ApiPromise<Read> {
    return new ApiPromise(this.#read(id, options));
  }

  /**
   * The installations of an app, one after another while the answer of Get App arrives, however many they are: only
   * the one at hand is in memory. All of them are of one moment. Leaving the loop ends the request.
   *
   * `timeoutMs` is for each wait, and not for what the loop does. Do not pause for long, though: the registry cuts the
   * answer of a reader who takes nothing for 30 seconds. Only the request is repeated by itself; throws an
   * {@link AppRegistryConnectionError} when the answer breaks off, as what has come is not the whole list: begin again.
   *
   * @example
   * let enabled = 0;
   * for await (const installation of client.platform.apps.installations(id)) if (installation.enabled) enabled += 1;
   * console.log(enabled);
   */
  installations(id: string, options: RequestOptions = {}): AsyncGenerator<Installation, void, void> {
    return installationsOf(this.#connection, getApp(id, options));
  }

  #read(id: string, options: RequestOptions | IfNoneMatch): Promise<WithResponse<Read>> {
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

type Read = PlatformApp | Conditional<PlatformApp>;

function getApp(id: string, options: RequestOptions | IfNoneMatch): Call {
  const headers = 'ifNoneMatch' in options ? { 'if-none-match': options.ifNoneMatch } : {};
  return { method: 'GET', path: '/platform/apps/v1/', id, headers, options };
}
