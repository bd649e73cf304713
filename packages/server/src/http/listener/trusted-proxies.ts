import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { realm } from '../auth/bearer-auth.ts';
import { HttpProblem } from '../problem/problem.ts';

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
