import type { IncomingMessage } from 'node:http';
import { type AddressInfo, BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { realm } from '../auth/bearer-auth.ts';
import { HttpProblem } from '../problem/problem.ts';

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The hosts and origins of a listener, so that no foreign page can misuse a browser that reaches it (decision 2). A
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

  /** The host is that of a trusted proxy, else the `Host` field, which every browser sends. */
  rejectForeignHost({ host }: FastifyRequest): void {
    if (host === '' || this.#hosts.has(host.toLowerCase())) return;
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

/** The proxies whose `X-Forwarded-*` is trusted (decision 4): addresses, and networks in CIDR notation. */
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
    while (previous.length > 0 && this.trusts(address)) address = previous.pop()?.trim();
    return address !== undefined && isIP(address) ? address : null;
  }

  /** A 403 if a trusted proxy received the token of this request unencrypted (RFC 6750, 5.3). */
  rejectPlaintext({ headers, socket }: IncomingMessage): void {
    const { authorization, 'x-forwarded-proto': protocols } = headers;
    if (authorization === undefined || protocols === undefined) return;
    // Of several, the last one is that of the sender.
    const protocol = String(protocols).split(',').at(-1)?.trim().toLowerCase();
    if (protocol === 'https' || !this.trusts(socket.remoteAddress)) return;
    throw new HttpProblem(
      'https_required',
      'The access token was sent unencrypted over a network. Use https, and have the token replaced.',
      { 'www-authenticate': `${realm}, error="invalid_request"` },
    );
  }
}
