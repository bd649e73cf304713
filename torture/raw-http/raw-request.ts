export interface RawRequest {
  method: string;
  path: string;
  /** Written as they are, whatever they hold. */
  headers?: Record<string, string>;
  body?: string | Buffer | undefined;
}

/** The bytes of a request (RFC 9112) with a `Content-Length`, if it has a body and none is given. */
export function rawRequest({ method, path, headers = {}, body }: RawRequest): Buffer {
  const content = Buffer.from(body ?? '');
  const fields = body === undefined ? headers : { 'content-length': String(content.length), ...headers };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), content]);
}
