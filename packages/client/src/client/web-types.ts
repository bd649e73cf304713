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
  method: string;
  headers: Record<string, string>;
  /** A text, null, or the `FormData` of an upload, whose type is another in each implementation. */
  // biome-ignore lint/suspicious/noExplicitAny: assignable to the type of any implementation
  body: any;
  signal: WebAbortSignal;
  redirect: 'manual';
}

/**
 * What a client reads of a response.
 *
 * @example
 * const fake: FetchedResponse = new Response('{"id":"app_x"}', { status: 200 });
 * const client = new AppRegistryClient({ token, baseUrl: 'https://apps.example.com', fetch: async () => fake });
 */
export interface FetchedResponse {
  ok: boolean;
  status: number;
  headers: { get(name: string): string | null };
  /** A `ReadableStream` for `stream` and `installations`; unused otherwise. */
  body: unknown;
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
export type WebAbortSignal = Web extends { AbortSignal: { prototype: infer Signal } } ? Signal : { aborted: boolean };

/**
 * The type of your project for `Headers`.
 *
 * @example
 * const quotaOf = (headers: WebHeaders) => headers.get('RateLimit');
 * console.log(quotaOf((await client.platform.apps.get(id).withResponse()).response.headers));
 */
export type WebHeaders = Web extends { Headers: { prototype: infer Headers } }
  ? Headers
  : { get(name: string): string | null };

/**
 * The type of your project for `Response`.
 *
 * @example
 * const handler = webhookHandler({ secret, on: {} });
 * const respond = (received: Request): Promise<WebResponse> => handler(received);
 * console.log((await respond(request)).status);
 */
export type WebResponse = Web extends { Response: { prototype: infer Response } } ? Response : { status: number };
