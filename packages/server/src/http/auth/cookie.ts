import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A cookie of one listener: no script can read it, and a browser sends it only for that listener's own pages. */
export class Cookie {
  readonly #name: string;
  readonly #secure: boolean;

  constructor(name: string, { operatorBaseUrl }: { operatorBaseUrl: string }) {
    this.#secure = operatorBaseUrl.startsWith('https:');
    // The prefix makes browsers reject the cookie from any other host (RFC 6265bis, 4.1.3.2).
    this.#name = this.#secure ? `__Host-${name}` : name;
  }

  /** The value that a request carries, which any client can have made up. */
  valueOf({ headers: { cookie = '' } }: FastifyRequest): string | undefined {
    return parseCookie(cookie)[this.#name];
  }

  set(reply: FastifyReply, { value, lifetimeMs }: { value: string; lifetimeMs: number }): void {
    const scope = { path: '/', httpOnly: true, sameSite: 'strict', secure: this.#secure } as const;
    const maxAge = Math.floor(lifetimeMs / 1000);
    reply.header('set-cookie', stringifySetCookie({ name: this.#name, value, maxAge, ...scope }));
  }

  clear(reply: FastifyReply): void {
    this.set(reply, { value: '', lifetimeMs: 0 });
  }
}
