import type { WebHeaders } from './web-types.ts';

/**
 * The status and headers of a response.
 *
 * @example
 * const { response } = await client.developer.apps.current(id).withResponse();
 * const { status, headers, etag, requestId }: AppRegistryResponse = response;
 * console.log(status, headers.get('RateLimit'), etag, requestId);
 */
export interface AppRegistryResponse {
  /** The status code. */
  status: number;
  /** All headers, by names of any case. */
  headers: WebHeaders;
  /** Use it as `ifMatch` or `ifNoneMatch` in the next request of the same operation. */
  etag: string | undefined;
  /** Identifies the request. Include it when you ask for help. */
  requestId: string | undefined;
}

/** The metadata of a response, independent of its body. */
export function describeResponse({ status, headers }: { status: number; headers: WebHeaders }): AppRegistryResponse {
  return {
    status,
    headers,
    etag: headers.get('etag') ?? undefined,
    requestId: headers.get('x-request-id') ?? undefined,
  };
}
