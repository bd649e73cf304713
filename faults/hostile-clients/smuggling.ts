/** The parts of a request that hides another one. */
export interface SmugglingParts {
  host: string;
  path: string;
  token: string;
}

export interface SmugglingAttempt {
  name: string;
  bytes: string;
  /** `refused`: an error and a closed connection. `one`: taken for one request, regardless of the status. */
  must: 'refused' | 'one' | 'either';
}

const hiddenName = 'Smuggled';

/** Whether the name of the app shows that a hidden request was executed. */
export function wasSmuggled(name: string): boolean {
  return name.startsWith(hiddenName);
}

/**
 * Requests that two parsers could delimit differently (RFC 9112, 11.2; the variants of "HTTP desync attacks"). Each is
 * followed by an update with a valid token.
 */
export function smugglingAttempts({ host, path, token }: SmugglingParts): SmugglingAttempt[] {
  const common = `Host: ${host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
  const line = `PATCH ${path} HTTP/1.1\r\n`;
  const head = (fields: string) => `${line}${common}${fields}`;
  const hiddenBody = JSON.stringify({ name: hiddenName });
  const hidden = `${line}${common}Connection: close\r\nContent-Length: ${hiddenBody.length}\r\n\r\n${hiddenBody}`;
  const chunk = '2\r\n{}\r\n0\r\n\r\n';
  const framed = (name: string, fields: string, body: string, must: SmugglingAttempt['must'] = 'refused') => ({
    name,
    bytes: `${head(`${fields}\r\n\r\n`)}${body}${hidden}`,
    must,
  });
  const withChunks = (name: string, chunks: string, must: SmugglingAttempt['must'] = 'refused') =>
    framed(name, 'Transfer-Encoding: chunked', chunks, must);
  /** The body of the outer request is all that follows. A parser that reads a shorter body finds the hidden request. */
  const swallowing = (name: string, fields: string) => ({
    name,
    bytes: `${head(`Connection: close\r\nContent-Length: ${hidden.length}\r\n${fields}\r\n`)}${hidden}`,
    must: 'one' as const,
  });

  return [
    framed('Content-Length before Transfer-Encoding', 'Content-Length: 2\r\nTransfer-Encoding: chunked', chunk),
    framed('Transfer-Encoding before Content-Length', 'Transfer-Encoding: chunked\r\nContent-Length: 2', chunk),
    framed('two lengths', 'Content-Length: 2\r\nContent-Length: 3', '{}'),
    framed('the same length twice', 'Content-Length: 2\r\nContent-Length: 2', '{}'),
    ...['+2', '2,2', '2, 3', '0x2', '-2', '2abc', '2 2', '', '99999999999999999999', '2;', '٢'].map((length) =>
      framed(`the length "${length}"`, `Content-Length: ${length}`, '{}', length === '' ? 'either' : 'refused'),
    ),
    ...[
      'xchunked',
      'chunked, identity',
      'identity',
      'chunked, chunked',
      '"chunked"',
      'chunked;q=1',
      'chunked\x0b',
      'gzip',
      'gzip, chunked',
      '"x,chunked',
    ].map((coding) => framed(`the coding "${coding}"`, `Transfer-Encoding: ${coding}`, chunk)),
    framed('two codings', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', chunk),
    framed('two codings, the last of which is chunked', 'Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked', chunk),
    framed('a space before the colon', 'Transfer-Encoding : chunked', chunk),
    framed('a tab before the colon', 'Transfer-Encoding\t: chunked', chunk),
    framed('a control character in the name', 'Transfer\x00-Encoding: chunked', chunk),
    framed(
      'an underscore in the name, with a length',
      'Transfer_Encoding: chunked\r\nContent-Length: 2\r\nConnection: close',
      '{}',
      'one',
    ),
    framed('a folded coding', 'Transfer-Encoding:\r\n chunked', chunk),
    framed('a folded field', 'X-Folded: one\r\n two\r\nContent-Length: 2', '{}', 'refused'),
    framed('a bare CR in a value', 'X-Bare: one\rTransfer-Encoding: chunked\r\nContent-Length: 2', '{}'),
    framed('a bare LF before a coding', 'X-Bare: one\nTransfer-Encoding: chunked\r\nContent-Length: 2', '{}'),
    framed('NUL in a value', 'X-Nul: a\x00b\r\nContent-Length: 2', '{}'),
    framed('a field without a colon', 'Content-Length 2', '{}'),
    framed('an empty name', ': value\r\nContent-Length: 2', '{}'),
    {
      name: 'lines that end with LF',
      bytes: `${head('Content-Length: 2\r\n\r\n').replaceAll('\r\n', '\n')}{}${hidden}`,
      must: 'refused',
    },
    { name: 'a header that ends with LF LF', bytes: `${head('Content-Length: 2')}\n\n{}${hidden}`, must: 'refused' },
    { name: 'no Host', bytes: `${line}Content-Length: 2\r\nConnection: close\r\n\r\n{}`, must: 'refused' },
    {
      name: 'two Hosts',
      bytes: `${head('Host: elsewhere\r\nContent-Length: 2\r\nConnection: close\r\n\r\n')}{}`,
      must: 'refused',
    },
    ...['a b', `${host}, elsewhere`, `user@${host}`, '[::1', ''].map((other) => ({
      name: `the Host "${other}"`,
      bytes: `${line}Host: ${other}\r\nContent-Length: 2\r\n\r\n{}${hidden}`,
      must: 'refused' as const,
    })),
    ...['Authorization: Bearer other', 'Content-Type: text/plain'].map((field) =>
      framed(`a second ${field}`, `${field}\r\nContent-Length: 2`, '{}'),
    ),
    { name: 'a space in the target', bytes: `PATCH ${path} x HTTP/1.1\r\n${common}\r\n${hidden}`, must: 'refused' },
    { name: 'an unknown version', bytes: `PATCH ${path} HTTP/1.9\r\n${common}\r\n${hidden}`, must: 'refused' },
    { name: 'HTTP/0.9', bytes: `GET ${path}\r\n${hidden}`, must: 'refused' },
    { name: 'the preface of HTTP/2', bytes: `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${hidden}`, must: 'refused' },
    { name: 'an unknown method', bytes: `FROB ${path} HTTP/1.1\r\n${common}\r\n${hidden}`, must: 'refused' },
    { name: 'a TLS greeting', bytes: `\x16\x03\x01\x02\x00\x01\x00${hidden}`, must: 'refused' },
    withChunks('a chunk size with a sign', `+2\r\n{}\r\n0\r\n\r\n`),
    withChunks('a chunk size in 0x', `0x2\r\n{}\r\n0\r\n\r\n`),
    withChunks('a chunk size that overflows', `10000000000000002\r\n{}\r\n0\r\n\r\n`),
    withChunks('a chunk size with a space', `2 \r\n{}\r\n0\r\n\r\n`),
    withChunks('a chunk that is longer than its size', `2\r\n{}x\r\n0\r\n\r\n`),
    withChunks('a chunk that ends with LF', `2\r\n{}\n0\r\n\r\n`),
    withChunks('a size that ends with LF', `2\n{}\r\n0\r\n\r\n`),
    withChunks('an extension that ends with LF', `2;a\n{}\r\n0\r\n\r\n`),
    withChunks('an extension with a CR in it', `2;a\rb\r\n{}\r\n0\r\n\r\n`),
    withChunks('an extension of 40,000 characters', `2;${'a'.repeat(40_000)}\r\n{}\r\n0\r\n\r\n`),
    {
      name: 'an extension of a chunk',
      bytes: `${head('Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n')}2;a=b\r\n{}\r\n0\r\n\r\n`,
      must: 'one',
    },
    {
      name: 'a length among the trailers',
      bytes: `${head('Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n')}2\r\n{}\r\n0\r\nContent-Length: 500\r\n\r\n${hidden}`,
      must: 'one',
    },
    swallowing('a request as the body', ''),
    swallowing('a request as the body, and an upgrade', 'Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n'),
    swallowing('a request as the body, with Expect: 100-continue', 'Expect: 100-continue\r\n'),
    {
      name: 'a request as the body of a GET',
      bytes: `GET ${path.replace('developer', 'platform')} HTTP/1.1\r\n${common}Connection: close\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
      must: 'one',
    },
    {
      name: 'a request as the body of a request that is not found',
      bytes: `POST /nothing HTTP/1.1\r\n${common}Connection: close\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
      must: 'one',
    },
  ];
}
