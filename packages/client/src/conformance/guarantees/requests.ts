import type { HttpRequest, Json } from '../interface-guarantee.ts';

type Headers = HttpRequest['headers'];
type Body = NonNullable<HttpRequest['body']>;

/** Update App by the developer, with an object, which is sent as JSON, or with a body as it is. */
export function update(change: { readonly [field: string]: Json }, headers: Headers = {}): HttpRequest {
  return updateWith(JSON.stringify(change), headers);
}

export function updateWith(body: Body, headers: Headers = {}): HttpRequest {
  return {
    method: 'PATCH',
    path: '/developer/apps/v1/{app}',
    headers: { Authorization: 'Bearer {developerToken}', 'Content-Type': 'application/json', ...headers },
    body,
  };
}

/** Get App by the platform. */
export function get(headers: Headers = {}): HttpRequest {
  return {
    method: 'GET',
    path: '/platform/apps/v1/{app}',
    headers: { Authorization: 'Bearer {platformToken}', ...headers },
  };
}

/** The same request for another app, or to another path. */
export function of(app: string, request: HttpRequest): HttpRequest {
  return { ...request, path: request.path.replace('{app}', app) };
}

export function at(path: string, request: HttpRequest): HttpRequest {
  return { ...request, path };
}

export function by(method: string, request: HttpRequest): HttpRequest {
  return { ...request, method };
}
