import { type AddressInfo, isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { HttpProblem } from '../problem/problem.ts';

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * What a listener is asked by when nobody misuses a browser that can reach it (decision 2). Foreign is the host
 * of a page whose name was made to lead here (DNS rebinding), and the origin of a page that sends blindly what
 * it could not read the answer to. Programs name no origin.
 */
export class OwnHost {
  readonly #hosts = new Set<string>();
  readonly #origins = new Set<string>();

  constructor(baseUrl: string) {
    this.#add(new URL(baseUrl));
  }

  /** Where only this machine gets to, its own names are good, with the port that was got. */
  listensOn({ address, port }: AddressInfo): void {
    if (!isLoopback(address)) return;
    for (const name of loopbackNames) this.#add(new URL(`http://${name}:${port}`));
  }

  /** The host is what a trusted proxy tells, else the field `Host`, which every browser sends. */
  refuseForeignHost({ host }: FastifyRequest): void {
    if (host === '' || this.#hosts.has(host.toLowerCase())) return;
    throw new HttpProblem(
      'host_not_served',
      'This listener is not asked by that host. Ask it by the address in OPERATOR_BASE_URL, or have that set to the one that you use.',
    );
  }

  refuseForeignOrigin(request: FastifyRequest): void {
    const { origin } = request.headers;
    if (origin === undefined ? !isForPageOfElsewhere(request) : this.#origins.has(origin)) return;
    throw new HttpProblem(
      'origin_not_allowed',
      'A page of another origin made the browser send this. Only pages of this listener may; a program sends no Origin.',
    );
  }

  #add({ protocol, hostname, port, host, origin }: URL): void {
    this.#origins.add(origin);
    this.#hosts.add(host);
    if (port === '') this.#hosts.add(`${hostname}:${protocol === 'https:' ? 443 : 80}`);
  }
}

/** Browsers leave the origin out where they only fetch, as for an image. Whoever follows a link asks for themselves. */
function isForPageOfElsewhere({ method, headers }: FastifyRequest): boolean {
  const { 'sec-fetch-site': site = 'none', 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = headers;
  if (site === 'none' || site === 'same-origin') return false;
  return !(mode === 'navigate' && destination === 'document' && (method === 'GET' || method === 'HEAD'));
}

function isLoopback(address: string): boolean {
  return address === '::1' || (isIPv4(address) && address.startsWith('127.'));
}
