/** One request, as every load generator here sends it. */
export interface Ask {
  method: 'GET' | 'PATCH' | 'POST';
  path: string;
  token: string;
  body?: string;
  headers?: Record<string, string>;
}

/** The bytes of a request on a connection that is kept. */
export function bytesOf({ method, path, token, body, headers = {} }: Ask): Buffer {
  const fields = { host: '127.0.0.1', ...fieldsOf({ token, headers, body }) };
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ ...fields, ...length }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`);
}

/** The header fields but for those that whoever sends it adds. */
export function fieldsOf({
  token,
  headers,
  body,
}: Pick<Ask, 'token' | 'headers'> & { body: string | undefined }): Record<string, string> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  return { authorization: `Bearer ${token}`, ...type, ...headers };
}
