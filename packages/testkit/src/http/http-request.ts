export interface HttpRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer | undefined;
}

export interface ApiRequest {
  /** `GET` by default. */
  method?: string;
  path: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
}

/** A request with an access token. */
export function apiRequest(token: string, { method = 'GET', path, headers, body }: ApiRequest): HttpRequest {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  return {
    method,
    path,
    headers: { ...bearer(token), ...type, ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}

/** Get App by a platform. */
export function getAppRequest(token: string, id: string, headers: Record<string, string> = {}): HttpRequest {
  return apiRequest(token, { path: `/platform/apps/v1/${id}`, headers });
}

interface AppUpdateRequest {
  id: string;
  update: unknown;
  headers?: Record<string, string>;
}

/** Update App by the app's developer. */
export function updateAppRequest(token: string, { id, update, headers = {} }: AppUpdateRequest): HttpRequest {
  return apiRequest(token, { method: 'PATCH', path: `/developer/apps/v1/${id}`, headers, body: update });
}

/** The header field that carries a token. */
export function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}

/**
 * The bytes of a request (RFC 9112). Header fields are written unchecked. A body gets a `Content-Length` unless the
 * headers have one.
 */
export function requestBytes({ method, path, headers = {}, body }: HttpRequest): Buffer {
  const content = Buffer.from(body ?? '');
  const fields = body === undefined ? headers : { 'content-length': String(content.length), ...headers };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), content]);
}
