import type { WebAbortSignal, WebFetch } from './web-types.ts';

/**
 * What a client is made with: a token, where the registry is (`baseUrl`, or one of its `environment`s), and what
 * holds for all of its requests unless one of them says otherwise.
 *
 * @example
 * const options: AppRegistryClientOptions = { token, baseUrl: 'https://apps.example.com', timeoutMs: 10_000 };
 * const strict = new AppRegistryClient({ ...options, maxRetries: 0 });
 */
export type AppRegistryClientOptions = ClientSettings &
  ({ baseUrl: string; environment?: undefined } | { environment: AppRegistryEnvironment; baseUrl?: undefined });

/**
 * What holds for all requests of a client.
 *
 * @example
 * const settings: ClientSettings = { token: async () => token, headers: { traceparent: '00-…' } };
 * const traced = new AppRegistryClient({ ...settings, baseUrl: 'https://apps.example.com' });
 */
export interface ClientSettings {
  /**
   * Of kind `developer` for `client.developer`, of kind `platform` for `client.platform`. A function is asked before
   * each try. The registry knows a repeated update by the holder of its token, so let it give tokens of one holder.
   */
  token: string | (() => string | Promise<string>);
  /** For each try, the body of its answer included. 60,000 unless given; 0 means no limit. */
  timeoutMs?: number | undefined;
  /** How often a request is repeated that may succeed then. 2 unless given. */
  maxRetries?: number | undefined;
  /** Sent with each request. */
  headers?: RequestHeaders | undefined;
  /** Instead of the `fetch` of the runtime. */
  fetch?: WebFetch | undefined;
}

/** What a client sends its requests with. */
export type Connection = ClientSettings & { baseUrl: string };

/**
 * A base address of a deployment, as {@link environmentsOf} reads it.
 *
 * @example
 * const environment: AppRegistryEnvironment = { baseUrl: 'http://127.0.0.1:8090' };
 * const development = new AppRegistryClient({ token, environment });
 */
export interface AppRegistryEnvironment {
  baseUrl: string;
}

/**
 * What one request does otherwise than its client.
 *
 * @example
 * const options: RequestOptions = { timeoutMs: 2_000, maxRetries: 0, signal: AbortSignal.timeout(5_000) };
 * await client.platform.apps.get(id, options);
 */
export interface RequestOptions {
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  /** Ends the request, its repeats and the waits between them. The promise rejects with the reason of the signal. */
  signal?: WebAbortSignal | undefined;
  headers?: RequestHeaders | undefined;
}

/**
 * Header fields by their names. `undefined` is not sent.
 *
 * @example
 * const headers: RequestHeaders = { traceparent: '00-…' };
 * await client.platform.apps.get(id, { headers });
 */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;

/**
 * The same for an update.
 *
 * @example
 * const { response } = await client.developer.apps.current(id).withResponse();
 * const options: UpdateAppOptions = { ifMatch: response.etag, onConflict: 'merge' };
 * await client.developer.apps.update(id, { name: 'Invoice Sync' }, options);
 */
export interface UpdateAppOptions extends RequestOptions {
  /** The `etag` of what you have read: when somebody has changed the app since, nothing is changed. */
  ifMatch?: string | undefined;
  /**
   * When `ifMatch` no longer holds, reads the app and repeats the update, if nobody has changed one of its fields;
   * else the `changedFields` of the error name those. It can do so for the 100 views that this client has read last.
   */
  onConflict?: 'merge' | undefined;
}

/**
 * The same for a read that asks for news only. `ifNoneMatch` is there, though it may be undefined the first time.
 *
 * @example
 * const options: IfNoneMatch = { ifNoneMatch: '"pV5cCJ0Yw1sT8mQ2rX4kLA"' };
 * const answer = await client.platform.apps.get(id, options);
 * console.log(answer.notModified);
 */
export interface IfNoneMatch extends RequestOptions {
  /** The `etag` of the answer that you have kept. */
  ifNoneMatch: string | undefined;
}
