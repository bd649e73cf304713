import type { SeededRandom } from '../../scripts/seeded-random.ts';
import { fuzzForm, oneLine } from './fuzz-image.ts';
import { fuzzBody } from './fuzz-json.ts';
import { fuzzText } from './fuzz-text.ts';
import { type KnownIds, type Operation, prefixOf, sample } from './operations.ts';

/** A request and its expected response. */
export interface FuzzRequest {
  isPublic: boolean;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
  /** Its only defect is a body of invalid JSON: the response must be 400. */
  mustBeInvalidJson: boolean;
}

export interface RequestParts {
  random: SeededRandom;
  ids: KnownIds;
  token: string;
  host: string;
}

/** A request to an operation, with defects in some parts or none. */
export function fuzzRequest(operation: Operation, parts: RequestParts): FuzzRequest {
  const { random } = parts;
  const plain = plainRequest(operation, parts);
  const kind = random.between(1, 10);
  if (kind <= 5) return plain;
  const fuzzed = { ...plain, mustBeInvalidJson: false };
  if (kind === 6) return { ...fuzzed, path: fuzzedPath(random, plain.path) };
  if (kind === 7) return { ...fuzzed, path: `${plain.path}${fuzzedQuery(random)}` };
  if (kind === 8) return { ...fuzzed, method: random.pick(methods) };
  return { ...fuzzed, headers: { ...plain.headers, ...fuzzedHeader(random) } };
}

const methods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'QUERY',
  'PROPFIND',
  'patch',
  'X',
] as const;

/** Only its body and its parameters may have defects. */
function plainRequest(operation: Operation, parts: RequestParts): FuzzRequest {
  const { random, ids, token, host } = parts;
  const { method, isPublic, isForm } = operation;
  const path = pathOf(operation, parts);
  const headers: Record<string, string> = { host, authorization: `Bearer ${token}` };
  if (isForm) {
    const { contentType, body } = fuzzForm(random, random.pick(ids.user as [string, ...string[]]));
    return {
      isPublic,
      method,
      path,
      headers: { ...headers, 'content-type': contentType },
      body,
      mustBeInvalidJson: false,
    };
  }
  const hasBody = operation.body !== undefined || random.chance(0.02);
  if (!hasBody) return { isPublic, method, path, headers, body: undefined, mustBeInvalidJson: false };
  const { bytes, isInvalid } = fuzzBody(random, operation.body ? sample(operation.body, random, ids) : {});
  const isOmitted = bytes.length === 0 && !operation.isBodyRequired;
  const type = random.pick(['application/json', 'application/merge-patch+json', 'application/json; charset=utf-8']);
  // Any other change is refused for this type, before its body is read.
  const isOfMethod = method === 'PATCH' || type !== 'application/merge-patch+json';
  return {
    isPublic,
    method,
    path,
    headers: { ...headers, 'content-type': type },
    body: bytes,
    mustBeInvalidJson: isInvalid && !isOmitted && isOfMethod && isBodyChecked(operation, path),
  };
}

/** Some requests are refused for their path, or a missing If-Match, before their body is read. */
function isBodyChecked({ isPublic, body, parameters, path: template }: Operation, path: string): boolean {
  const isConditional = !isPublic && parameters.some(({ name }) => name === 'If-Match');
  const isPlain = /^(?:\/[\w-]+)+$/.test(path) && path.split('/').length === template.split('/').length;
  return body !== undefined && !isConditional && isPlain;
}

function pathOf({ path, parameters }: Operation, { random, ids }: RequestParts): string {
  const isFuzzed = random.chance(0.25);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const known = ids[prefixOf(name) || prefixInPath(path)];
    if (known && !isFuzzed) return random.pick(known as [string, ...string[]]);
    return random.chance(0.7) ? encoded(fuzzText(random)) : rawTarget(fuzzText(random));
  });
  const queries = parameters.filter((parameter) => parameter.in === 'query' && random.chance(0.4));
  const texts = queries.map(({ name, schema }) => {
    const value = random.chance(0.5) ? fuzzText(random) : String(sample(schema, random, ids));
    return `${name}=${encoded(value)}`;
  });
  return texts.length === 0 ? filled : `${filled}?${texts.join('&')}`;
}

/** The id prefix of a path parameter `id`. */
function prefixInPath(path: string): string {
  const kind = /(app|installation|webhook|token)s\/(?:v1\/)?\{id\}/.exec(path)?.[1];
  return kind ?? 'delivery';
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** The bytes of a request target, without those that would end it. */
function rawTarget(text: string): string {
  return oneLine(text).replaceAll(' ', '%20');
}

function fuzzedPath(random: SeededRandom, path: string): string {
  const at = random.between(1, path.length);
  return random.pick<() => string>([
    () => `${path.slice(0, at)}${rawTarget(fuzzText(random))}${path.slice(at)}`,
    () => `${path.slice(0, at)}${encoded(fuzzText(random))}${path.slice(at)}`,
    () => path.slice(0, at),
    () => path.replace('/', '//'),
    () => `${path}/`,
    () => `${path}/..`,
    () => `/.${path}`,
    () => `${path};a=b`,
    () => path.toUpperCase(),
    () => `http://127.0.0.1${path}`,
    () => `*`,
    () => path.slice(1),
    () => `${path}${'%'.repeat(random.between(1, 3))}`,
    () => `${path}%ff%fe`,
    () => `${path}%00`,
    () => `/${'a/'.repeat(3_000)}`,
    () => `${path}${'a'.repeat(random.pick([200, 8_000, 17_000]))}`,
    () => `${path}#fragment`,
  ])();
}

function fuzzedQuery(random: SeededRandom): string {
  return random.pick<() => string>([
    () => '?',
    () => '?&&&=&',
    () => `?${encoded(fuzzText(random))}=${encoded(fuzzText(random))}`,
    () => `?limit=${encoded(fuzzText(random))}`,
    () => `?cursor=${encoded(fuzzText(random))}`,
    () => '?limit=1&limit=2',
    () => '?limit[]=1',
    () => '?__proto__[a]=1',
    () => '?constructor=1',
    () => '?limit=%',
    () => `?${'a=1&'.repeat(2_000)}`,
    () => `?cursor=${Buffer.from(JSON.stringify({ id: fuzzText(random) })).toString('base64url')}`,
    () =>
      `?since=${random.pick(['0', '9999-99-99T00:00:00.000Z', '-271821-04-20T00:00:00.000Z', '2026-02-30T00:00:00Z'])}`,
  ])();
}

const fields = [
  'Authorization',
  'Content-Type',
  'Content-Encoding',
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  'Accept',
  'Accept-Encoding',
  'Host',
  'Origin',
  'Sec-Fetch-Site',
  'Cookie',
  'Range',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'X-HTTP-Method-Override',
  'X-Request-Id',
  'Access-Control-Request-Method',
  'Expect',
  'Upgrade',
] as const;

function fuzzedHeader(random: SeededRandom): Record<string, string> {
  const name = random.pick(fields).toLowerCase();
  const text = oneLine(fuzzText(random));
  return random.pick<() => Record<string, string>>([
    () => ({ [name]: text }),
    () => ({ [name]: text }),
    () => ({ [name]: `"${text}"` }),
    () => ({ authorization: `Bearer ${text}` }),
    () => ({ authorization: `Basic ${text}` }),
    () => ({ 'if-match': random.pick(['*', '"1.00000000"', 'W/"1"', '"', '""', '"1", "2"']) }),
    () => ({ 'idempotency-key': `${random.bits32()}${text}` }),
    () => ({ 'accept-encoding': random.pick(['gzip;q=9', 'gzip;q=0, *;q=0', 'identity;q=0', ',,,', 'gzip, gzip']) }),
    () => ({
      'content-type': random.pick(['text/plain', 'application/json; charset=utf-16', 'application/jsonx', 'a']),
    }),
    () => ({ 'x-long': 'a'.repeat(random.pick([1_000, 15_000, 20_000])) }),
    () => Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`x-${at}`, 'a'])),
    () => ({ [`x-${text}`]: 'a' }),
  ])();
}
