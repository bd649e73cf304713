import type { FastifyReply, FastifyRequest } from 'fastify';

/** A cookie of one listener: no script reads it, and a browser sends it for that listener's own pages alone. */
export class Cookie {
  readonly #name: string;
  readonly #attributes: string;

  constructor(name: string, { operatorBaseUrl }: { operatorBaseUrl: string }) {
    const isSecure = operatorBaseUrl.startsWith('https:');
    // The prefix makes browsers refuse the cookie from anyone but this host (RFC 6265bis, 4.1.3.2).
    this.#name = isSecure ? `__Host-${name}` : name;
    this.#attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  }

  /** What a request comes with, whoever has made it. */
  textOf({ headers: { cookie = '' } }: FastifyRequest): string | undefined {
    const start = `${this.#name}=`;
    return cookie
      .split(';')
      .map((pair) => pair.trim())
      .find((pair) => pair.startsWith(start))
      ?.slice(start.length);
  }

  keep(reply: FastifyReply, { text, lifeMs }: { text: string; lifeMs: number }): void {
    reply.header('set-cookie', `${this.#name}=${text}; Max-Age=${Math.floor(lifeMs / 1000)}; ${this.#attributes}`);
  }

  forget(reply: FastifyReply): void {
    this.keep(reply, { text: '', lifeMs: 0 });
  }
}
