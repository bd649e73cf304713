import type { IncomingMessage } from 'node:http';
import { type AddressInfo, BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { realm, sessionCookie } from '../auth/bearer-auth.ts';
import { isEntityTags } from '../body/header-fields.ts';
import { HttpProblem } from '../problem/problem.ts';
import { unknownCoding, unknownMethod } from '../problem/socket-problem.ts';

/** The methods that a route can have; any other is unknown (RFC 9110, 9.1). */
export const knownMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** A route of GET serves HEAD, too. */
export function methodsOf(routes: { method: string }[]): string[] {
  return routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
}

/** Fields of one value. Where there are two, Node takes the first, joins them, or rejects them. */
const singletonFields = new Set([
  'access-control-request-method',
  'authorization',
  'content-length',
  'content-location',
  'content-range',
  'content-type',
  'date',
  'from',
  'host',
  'idempotency-key',
  'if-modified-since',
  'if-range',
  'if-unmodified-since',
  'max-forwards',
  'origin',
  'proxy-authorization',
  'range',
  'referer',
  'user-agent',
]);

/** RFC 9110, 7.2, without what no host name has: a percent-encoding or a delimiter, such as the comma of a list. */
const validHost = /^(?:[\w.~-]+|\[([\da-f:.]+)\])(?::(\d{0,5}))?$/i;

/** Far more than any client sends. Node drops the fields beyond a limit of its own without a word, so that one is off. */
const fieldsMax = 1_000;

/** After such a request, client and server may disagree about where the next one begins. */
const closing = { connection: 'close' };

/**
 * Rejects a request that another program, such as a proxy, could understand differently (RFC 9112, 11.2), and one
 * that HTTP would allow and the registry cannot understand.
 */
export function requireValidHeader(request: IncomingMessage): void {
  const { headers, httpVersion, method = '', rawHeaders } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    throw malformed('The HTTP version is not supported. Use HTTP/1.1.');
  if (rawHeaders.length > 2 * fieldsMax) {
    throw new HttpProblem(
      'headers_too_large',
      `The request has more than ${fieldsMax} header fields. Send fewer.`,
      closing,
    );
  }
  const repeated = hasRepeatedField(request) ? repeatedSingleton(request) : undefined;
  if (repeated !== undefined) throw malformed(`The request has more than one ${repeated} header field. Send one.`);
  if (headers.host === undefined && httpVersion === '1.1') {
    throw malformed('The request has no Host header, which HTTP/1.1 requires. Send one.');
  }
  if (headers.host !== undefined && !isValidHost(headers.host)) {
    throw malformed('The Host header is not a valid host. Send the host of the URL.');
  }
  requireOwnTarget(request);
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && httpVersion === '1.0') throw malformed('HTTP/1.0 has no Transfer-Encoding.');
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') throw new HttpProblem(...unknownCoding, closing);
  if (!knownMethods.includes(method)) throw new HttpProblem(...unknownMethod);
  requireEntityTags('If-Match', headers['if-match']);
  requireEntityTags('If-None-Match', headers['if-none-match']);
}

/** A complete URL (RFC 9112, 3.2.2), as far as its path. Programs differ over the end of a host without a path. */
const completeUrl = /^(https?:\/\/)([^/?#@\\]+)(?:\/|$)/i;

/** Only a request to a proxy has a complete URL. A server that looked at one of the two would serve another host. */
function requireOwnTarget({ headers: { host }, method, url = '' }: IncomingMessage): void {
  if (url.startsWith('/')) return;
  // RFC 9112, 3.2.4.
  if (url === '*' && method === 'OPTIONS') return;
  const [, scheme, authority] = completeUrl.exec(url) ?? [];
  if (authority === undefined) throw malformed('The target of the request line is none. Send the path of the URL.');
  const target = URL.parse(`${scheme}${authority}`)?.host;
  if (host !== undefined && target !== undefined && target === URL.parse(`${scheme}${host}`)?.host) return;
  throw malformed('The URL of the request line and the Host header name different hosts. Send the same host in both.');
}

function requireEntityTags(name: string, field: string | undefined): void {
  if (field === undefined || isEntityTags(field)) return;
  const detail = `The ${name} header must be * or entity tags, each in quotes. Send the ETag of a response as it is.`;
  throw new HttpProblem('malformed_request', detail);
}

/** Cheap, as it runs for every request. */
function hasRepeatedField({ headers, rawHeaders }: IncomingMessage): boolean {
  return 2 * Object.keys(headers).length !== rawHeaders.length;
}

function isValidHost(host: string): boolean {
  const match = validHost.exec(host);
  if (!match) return false;
  const [, address, port] = match;
  return (address === undefined || isIPv6(address)) && Number(port ?? 0) < 65_536;
}

/** Names and values alternate. */
function repeatedSingleton({ rawHeaders }: IncomingMessage): string | undefined {
  const names = rawHeaders.filter((_, at) => at % 2 === 0);
  const seen = new Set<string>();
  return names.find((name) => {
    const key = name.toLowerCase();
    if (seen.has(key)) return true;
    if (singletonFields.has(key)) seen.add(key);
    return false;
  });
}

function malformed(detail: string): HttpProblem {
  return new HttpProblem('malformed_request', detail, closing);
}

const exposedFields = ['ETag', 'Retry-After', 'RateLimit', 'RateLimit-Policy', 'X-Request-Id', 'Idempotency-Replayed'];
/** Browsers cache a preflight response no longer than this. */
const preflightSeconds = 7_200;

/** Names of header fields (RFC 9110, 5.6.2). */
const fieldNames = /^[\w!#$%&'*+.^`|~-]+(?:[ \t]*,[ \t]*[\w!#$%&'*+.^`|~-]+)*$/;

/** Lets pages of the listed origins call the listener from a browser, never with credentials. */
export class Cors {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  /** The fields of any response, also one with a problem. To its Vary they add Origin. */
  fieldsOf({ headers: { origin } }: Pick<FastifyRequest, 'headers'>, vary: unknown): Record<string, string> {
    if (this.#origins.size === 0) return {};
    const varied = { vary: vary === undefined ? 'Origin' : `${vary}, Origin` };
    if (!this.#isListed(origin)) return varied;
    return {
      ...varied,
      'access-control-allow-origin': origin,
      'access-control-expose-headers': exposedFields.join(', '),
    };
  }

  /** Whether this is the preflight request of a page of a listed origin. */
  isPreflight({ method, headers }: FastifyRequest): boolean {
    return (
      method === 'OPTIONS' && headers['access-control-request-method'] !== undefined && this.#isListed(headers.origin)
    );
  }

  /** The fields of the response to a preflight. It allows all names that the page requests, because libraries add their own. */
  preflightFields({ headers }: Pick<FastifyRequest, 'headers'>, methods: string[]): Record<string, string> {
    const names = headers['access-control-request-headers'];
    return {
      'access-control-allow-methods': methods.join(', '),
      ...(names !== undefined && fieldNames.test(names) && { 'access-control-allow-headers': names }),
      'access-control-max-age': String(preflightSeconds),
      vary: 'Access-Control-Request-Headers',
    };
  }

  #isListed(origin: string | undefined): origin is string {
    return origin !== undefined && this.#origins.has(origin);
  }
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The hosts and origins of a listener, so that no foreign page can misuse a browser that reaches it. A
 * foreign host means DNS rebinding; a foreign origin means a page that sends requests without reading the responses.
 * Programs send no Origin.
 */
export class OwnHost {
  readonly #hosts = new Set<string>();
  readonly #origins = new Set<string>();

  constructor(baseUrl: string) {
    this.#add(new URL(baseUrl));
  }

  /** On a loopback address, accepts the names of this machine with the listener's port. */
  listensOn({ address, port }: AddressInfo): void {
    if (!isLoopback(address)) return;
    for (const name of loopbackNames) this.#add(new URL(`http://${name}:${port}`));
  }

  /** A proxy passes on an `X-Forwarded-Host` of the client, so only the `Host` counts, which every browser sends. */
  rejectForeignHost({ headers: { host } }: FastifyRequest): void {
    if (host === undefined || this.#hosts.has(host.toLowerCase())) return;
    throw new HttpProblem(
      'host_not_served',
      'The Host header does not match this listener. Use the address in OPERATOR_BASE_URL, or change that setting.',
    );
  }

  rejectForeignOrigin(request: FastifyRequest): void {
    const { origin } = request.headers;
    if (origin === undefined ? !isFromForeignPage(request) : this.#origins.has(origin)) return;
    throw new HttpProblem(
      'origin_not_allowed',
      'The request came from a page of another origin; only pages of this listener are allowed. From a program, send no Origin header.',
    );
  }

  #add({ protocol, hostname, port, host, origin }: URL): void {
    this.#origins.add(origin);
    this.#hosts.add(host);
    if (port === '') this.#hosts.add(`${hostname}:${protocol === 'https:' ? 443 : 80}`);
  }
}

/** Browsers omit the origin when they only fetch, as for an image. Following a link to here is allowed. */
function isFromForeignPage({ method, headers }: FastifyRequest): boolean {
  const { 'sec-fetch-site': site = 'none', 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = headers;
  if (site === 'none' || site === 'same-origin') return false;
  return !(mode === 'navigate' && destination === 'document' && (method === 'GET' || method === 'HEAD'));
}

function isLoopback(address: string): boolean {
  return address === '::1' || (isIPv4(address) && address.startsWith('127.'));
}

/** Some proxies send the port of the client too, and then, or always, an IPv6 address in brackets. */
function withoutPort(address = ''): string {
  const [, bracketed, ipv4] = /^(?:\[(.*)\]|([\d.]+))(?::\d{1,5})?$/.exec(address) ?? [];
  return bracketed ?? ipv4 ?? address;
}

/** The proxies whose `X-Forwarded-*` is trusted: addresses, and networks in CIDR notation. */
export class TrustedProxies {
  readonly #networks = new BlockList();

  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [address = '', bits] = network.split('/');
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      this.#networks.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
    }
  }

  trusts(address: string | undefined): boolean {
    if (address === undefined || !isIP(address)) return false;
    return this.#networks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }

  /** The address of the client: the last one that is no trusted proxy. Null if a proxy sent something else. */
  clientOf({ socket, headers }: IncomingMessage): string | null {
    let address = socket.remoteAddress;
    const forwardedFor = headers['x-forwarded-for'];
    if (forwardedFor === undefined) return address ?? null;
    const previous = String(forwardedFor).split(',');
    while (previous.length > 0 && this.trusts(address)) address = withoutPort(previous.pop()?.trim());
    return address !== undefined && isIP(address) ? address : null;
  }

  /**
   * A 403 if a trusted proxy received the token or session of this request unencrypted (RFC 6750, 5.3), or with `signsIn`
   * any request.
   */
  rejectPlaintext({ headers, socket }: IncomingMessage, signsIn = false): void {
    const { 'x-forwarded-proto': protocols, authorization, cookie = '' } = headers;
    if (protocols === undefined) return;
    if (!signsIn && authorization === undefined && !cookie.includes(`${sessionCookie}=`)) return;
    // Of several, the last one is that of the sender.
    const protocol = String(protocols).split(',').at(-1)?.trim().toLowerCase();
    if (protocol === 'https' || !this.trusts(socket.remoteAddress)) return;
    throw new HttpProblem(
      'https_required',
      'The access token or session was sent unencrypted over a network. Use https, and have the token replaced.',
      { 'www-authenticate': `${realm}, error="invalid_request"` },
    );
  }
}
