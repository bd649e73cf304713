/** The web standard types of a project, whether from a browser, Node or Workers. */
type Web = typeof globalThis;

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
export type WebFetch = Web extends { fetch: infer Fetch } ? Fetch : (url: string, init: never) => Promise<never>;

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
