/** The web standard types of a project, whether from a browser, Node or Workers. */
type Web = typeof globalThis;

/**
 * Any `fetch` that a client can use: that of the runtime, of the package undici, or of node-fetch, which cannot stream a
 * list.
 *
 * @example
 * const slow: ClientFetch = async (url, options) => {
 *   await new Promise((resolve) => setTimeout(resolve, 100));
 *   return fetch(url, options);
 * };
 * const client = new AppRegistryClient({ token, baseUrl: 'https://apps.example.com', fetch: slow });
 */
export type ClientFetch = (url: string, options: FetchOptions) => Promise<FetchedResponse>;

/**
 * What a client passes to `fetch`.
 *
 * @example
 * const describe = ({ method, redirect }: FetchOptions) => `${method}, ${redirect}`;
 * const logged: ClientFetch = (url, options) => {
 *   console.log(url, describe(options));
 *   return fetch(url, options);
 * };
 */
export interface FetchOptions {
  /** In upper case. */
  method: string;
  /** By their names in lower case. */
  headers: Record<string, string>;
  /** A text, null, or the `FormData` of an upload, whose type is another in each implementation. */
  // biome-ignore lint/suspicious/noExplicitAny: assignable to the type of any implementation
  body: any;
  /** Aborted when the attempt times out or the caller aborts. */
  signal: WebAbortSignal;
  /** A token must not follow a redirect. */
  redirect: 'manual';
}

/**
 * What a client reads of a response.
 *
 * @example
 * const fake: FetchedResponse = new Response('{"id":"app_01jq3v9y6ae0xv5m6b7k8c9d0e"}', { status: 200 });
 * const client = new AppRegistryClient({ token, baseUrl: 'https://apps.example.com', fetch: async () => fake });
 */
export interface FetchedResponse {
  /** Whether the status is 2xx. */
  ok: boolean;
  /** The status code. */
  status: number;
  /** By names of any case. */
  headers: {
    /** The value of a header. */
    get(name: string): string | null;
  };
  /** A `ReadableStream` for `stream` and `installations`; unused otherwise. */
  body: unknown;
  /** The body as text. */
  text(): Promise<string>;
}

/**
 * The type of your project for `fetch`.
 *
 * @example
 * const logged: WebFetch = (...request) => {
 *   console.log(request[0]);
 *   return fetch(...request);
 * };
 * const loud = new AppRegistryClient({ token, baseUrl: 'https://apps.example.com', fetch: logged });
 */
export type WebFetch = Web extends { fetch: infer Fetch } ? Fetch : ClientFetch;

/**
 * The type of your project for `AbortSignal`.
 *
 * @example
 * const signal: WebAbortSignal = new AbortController().signal;
 * await client.platform.apps.get(id, { signal });
 */
export type WebAbortSignal = Web extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : {
      /** Whether it was aborted. */
      aborted: boolean;
    };

/**
 * The type of your project for `Headers`.
 *
 * @example
 * const quotaOf = (headers: WebHeaders) => headers.get('RateLimit');
 * console.log(quotaOf((await client.platform.apps.get(id).withResponse()).response.headers));
 */
export type WebHeaders = Web extends { Headers: { prototype: infer Headers } }
  ? Headers
  : {
      /** The value of a header. */
      get(name: string): string | null;
    };

/**
 * The type of your project for `Response`.
 *
 * @example
 * const handler = webhookHandler({ secret, on: {} });
 * const respond = (received: Request): Promise<WebResponse> => handler(received);
 * console.log((await respond(request)).status);
 */
export type WebResponse = Web extends { Response: { prototype: infer Response } }
  ? Response
  : {
      /** The status code. */
      status: number;
    };
