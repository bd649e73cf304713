import type { DeveloperApp } from '../types/app.ts';
import type { AppRegistryError } from './errors.ts';
import type { AppRegistryResponse } from './response.ts';
import type { ClientFetch, WebAbortSignal } from './web-types.ts';

/**
 * The options of a client: a token, the location of the registry (`baseUrl` or an `environment`), and defaults for all
 * requests.
 *
 * @example
 * const options: AppRegistryClientOptions = { token, baseUrl: 'https://apps.example.com', timeoutMs: 10_000 };
 * const strict = new AppRegistryClient({ ...options, maxRetries: 0 });
 */
export type AppRegistryClientOptions = ClientSettings & RegistryLocation;

/** The location of a registry. */
export type RegistryLocation =
  | {
      /** The URL of the registry, such as `https://apps.example.com`, with its path if it has one. */
      baseUrl: string;
      /** Absent: `baseUrl` is given. */
      environment?: undefined;
    }
  | {
      /** An environment of a deployment, as returned by `environmentsOf`. */
      environment: AppRegistryEnvironment;
      /** Absent: `environment` is given. */
      baseUrl?: undefined;
    };

/**
 * Settings for all requests of a client.
 *
 * @example
 * const settings: ClientSettings = { token: async () => token, headers: { traceparent: '00-…' } };
 * const traced = new AppRegistryClient({ ...settings, baseUrl: 'https://apps.example.com' });
 */
export interface ClientSettings {
  /**
   * Of kind `developer` for `client.developer`, of kind `platform` for `client.platform`. A function is called for each
   * attempt, and once more after a 401. It must return tokens of one holder: the registry recognises a retried update by the
   * holder of its token.
   */
  token: string | (() => string | Promise<string>);
  /** For each attempt, including the response body. 60,000 by default; 0 means no limit. */
  timeoutMs?: number | undefined;
  /** How often a transient failure is retried. 2 by default. */
  maxRetries?: number | undefined;
  /** Sent with each request. */
  headers?: RequestHeaders | undefined;
  /** Replaces the `fetch` of the runtime. */
  fetch?: ClientFetch | undefined;
  /** Called before each attempt. None of these hooks receives a token or a body. */
  onRequest?: ((request: SentRequest) => void) | undefined;
  /** Called when the header of a response has arrived. */
  onResponse?: ((response: ReceivedResponse) => void) | undefined;
  /** Called before the delay of each retry. */
  onRetry?: ((retry: Retry) => void) | undefined;
  /** Called with what a request finally rejects with. */
  onError?: ((error: unknown) => void) | undefined;
}

/**
 * A request that is about to be sent.
 *
 * @example
 * const onRequest = ({ method, url }: SentRequest) => console.log(method, url);
 * const logged = new AppRegistryClient({ token, baseUrl: 'https://apps.example.com', onRequest });
 */
export interface SentRequest {
  /** In upper case. */
  method: string;
  /** The whole URL with its query. */
  url: string;
}

/**
 * The header of a response, with the request that it responds to.
 *
 * @example
 * const onResponse = ({ method, url, response }: ReceivedResponse) => console.log(method, url, response.status);
 * const logged = new AppRegistryClient({ token, baseUrl: 'https://apps.example.com', onResponse });
 */
export interface ReceivedResponse extends SentRequest {
  /** The status and the headers. */
  response: AppRegistryResponse;
}

/**
 * A retry that is about to be made.
 *
 * @example
 * const onRetry = ({ error, retry, delayMs }: Retry) => console.warn(`retry ${retry} in ${delayMs} ms: ${error}`);
 * const logged = new AppRegistryClient({ token, baseUrl: 'https://apps.example.com', onRetry });
 */
export interface Retry {
  /** Why the attempt before has failed. */
  error: AppRegistryError;
  /** Counts from 1. */
  retry: number;
  /** How long the client waits before it, in milliseconds. */
  delayMs: number;
}

/** The settings with which a client sends requests. `sleep` replaces the wait between attempts. */
export type Connection = ConnectionSettings & {
  baseUrl: string;
  sleep?: (ms: number, signal: WebAbortSignal | undefined) => Promise<void>;
};

/** A null token means none: requests have the session of the browser instead. */
export type ConnectionSettings = Omit<ClientSettings, 'token'> & {
  /** Of kind `operator`; null for the session of the browser. */
  token: ClientSettings['token'] | null;
};

/**
 * The base URL of a deployment, as returned by {@link environmentsOf}.
 *
 * @example
 * const environment: AppRegistryEnvironment = { baseUrl: 'http://127.0.0.1:8090' };
 * const development = new AppRegistryClient({ token, environment });
 */
export interface AppRegistryEnvironment {
  /** Such as `https://apps.example.com`. */
  baseUrl: string;
}

/**
 * Overrides the settings of the client for one request.
 *
 * @example
 * const options: RequestOptions = { timeoutMs: 2_000, maxRetries: 0, signal: AbortSignal.timeout(5_000) };
 * await client.platform.apps.get(id, options);
 */
export interface RequestOptions {
  /** For each attempt, including the response body; 0 means no limit. */
  timeoutMs?: number | undefined;
  /** How often a transient failure is retried. */
  maxRetries?: number | undefined;
  /** Aborts the request, its retries and the delays. The promise rejects with the reason of the signal. */
  signal?: WebAbortSignal | undefined;
  /** Sent in addition to those of the client. */
  headers?: RequestHeaders | undefined;
}

/**
 * Headers by name, or a `Headers`. `undefined` is not sent.
 *
 * @example
 * const headers: RequestHeaders = { traceparent: '00-…' };
 * await client.platform.apps.get(id, { headers });
 */
export type RequestHeaders = Readonly<Record<string, string | undefined>> | Iterable<[string, string]>;

/**
 * The options of an update.
 *
 * @example
 * const { response } = await client.developer.apps.current(id).withResponse();
 * const options: UpdateAppOptions = { ifMatch: response.etag };
 * await client.developer.apps.update(id, { name: 'Invoice Sync' }, options);
 */
export type UpdateAppOptions = UpdateIfMatch | UpdateByMerge;

/**
 * An update that fails if another client has changed the app since, or, without `ifMatch`, that applies to any content.
 *
 * @example
 * const options: UpdateIfMatch = { ifMatch: '"7.5f0c1a9e.Vb2xq0m9K3Ty"' };
 * await client.developer.apps.update(id, { name: 'Invoice Sync' }, options);
 */
export interface UpdateIfMatch extends RequestOptions {
  /** The `etag` of the app as you read it. If another client has changed the app since, the update fails. */
  ifMatch?: string | undefined;
  /** Absent: an update that cannot be applied fails. */
  onConflict?: undefined;
  /** Only a merge has a base. */
  base?: undefined;
}

/**
 * An update that is merged with what other clients have changed.
 *
 * @example
 * const base = await client.developer.apps.current(id).withResponse();
 * const options: UpdateByMerge = { onConflict: 'merge', base };
 * await client.developer.apps.update(id, { name: `${base.data.name} 2` }, options);
 */
export interface UpdateByMerge extends RequestOptions {
  /**
   * If the app is no longer as in `base`, applies the update to its current content, unless another client has changed one of
   * the same fields: the `changedFields` of the error name those.
   */
  onConflict: 'merge';
  /** The app as you read it, which the update is based on: what `current(id).withResponse()` has returned, unmodified. */
  base: AppAsRead;
  /** The tag is that of `base`. */
  ifMatch?: undefined;
}

/**
 * An app with its tag, as returned by `current(id).withResponse()`. It can be stored as JSON.
 *
 * @example
 * const base: AppAsRead = await client.developer.apps.current(id).withResponse();
 * console.log(base.data.name, base.response.etag);
 */
export interface AppAsRead {
  /** The content that the update is compared with. */
  data: DeveloperApp;
  /** Only its tag is used. */
  response: {
    /** Names the content. */
    etag?: string | undefined;
  };
}

/**
 * The options of a conditional read. `ifNoneMatch` is required, but may be undefined the first time.
 *
 * @example
 * const options: IfNoneMatch = { ifNoneMatch: '"pV5cCJ0Yw1sT8mQ2rX4kLA"' };
 * const result = await client.platform.apps.get(id, options);
 * console.log(result.notModified);
 */
export interface IfNoneMatch extends RequestOptions {
  /** The `etag` of the response that you have cached. */
  ifNoneMatch: string | undefined;
}

/**
 * The methods of the API.
 *
 * @example
 * const method: Method = 'PATCH';
 * await client.request(method, `/developer/apps/v1/${id}`, { body: { name: 'Invoice Sync' } });
 */
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/**
 * What a request contains.
 *
 * @example
 * const parts: RequestParts = { query: { limit: 100 } };
 * const page = await operator.request('GET', '/operator/v1/apps', parts);
 */
export interface RequestParts {
  /** Texts, numbers and booleans by name; `undefined` is not sent. */
  query?: object | undefined;
  /** Sent as JSON, unless it is a form. */
  body?: unknown;
  /** The `etag` of what the request changes. */
  ifMatch?: string | undefined;
}
