import { type AddressInfo, isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';
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
