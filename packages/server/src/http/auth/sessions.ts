import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../features/access/access-token.ts';
import {
  endSession,
  type FoundSession,
  findSession,
  type TemporaryCredential,
} from '../../features/access/browser-sessions.ts';
import type { Registry } from '../../kernel/registry.ts';
import { logOf } from '../listener/request-context.ts';
import { HttpProblem } from '../problem/problem.ts';
import { sessionCookie, tokenInvalid } from './bearer-auth.ts';

const safeMethods = ['GET', 'HEAD'];

interface SessionSettings {
  operatorBaseUrl: string;
  /** Sessions may stand for its tokens as well as for the registry's own. */
  identityProvider: { issuer: string } | null;
}

/** The sessions of the console, in a cookie (decision record 0023). */
export class Sessions {
  readonly #registry: Registry;
  readonly #cookie: Cookie;
  readonly #issuer: string | undefined;

  constructor(registry: Registry, { operatorBaseUrl, identityProvider }: SessionSettings) {
    this.#registry = registry;
    this.#cookie = new Cookie(sessionCookie, { operatorBaseUrl });
    this.#issuer = identityProvider?.issuer;
  }

  /** The session text that a request carries, valid or not. */
  textOf(request: FastifyRequest): string | undefined {
    return this.#cookie.valueOf(request);
  }

  /** The session of a request; null if it has no valid one. */
  async find(request: FastifyRequest): Promise<FoundSession | null> {
    const text = this.textOf(request);
    const found = text === undefined ? null : await findSession(this.#registry, text);
    // A session of an identity provider ends once its tokens are no longer accepted.
    return found && (found.issuer === null || found.issuer === this.#issuer) ? found : null;
  }

  /** The principal that the session of a request stands for, or a 401; a 403 if no page of this listener sent it. */
  async requirePrincipal(request: FastifyRequest): Promise<Principal> {
    requireOwnPage(request);
    const found = await this.find(request);
    if (found) return found.principal;
    throw tokenInvalid('The session has ended, or its token is no longer valid. Sign in again.');
  }

  /** Gives a browser a new session, which replaces the one it has. */
  async begin(request: FastifyRequest, reply: FastifyReply, opened: TemporaryCredential): Promise<void> {
    await this.#end(request);
    this.#cookie.set(reply, { value: opened.text, lifetimeMs: opened.lifetimeMs });
    logOf(request).info({ holder: opened.holderId }, 'signed in');
  }

  async end(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (this.textOf(request) === undefined) return;
    requireOwnPage(request);
    await this.#end(request);
    this.#cookie.clear(reply);
  }

  async #end(request: FastifyRequest): Promise<void> {
    const text = this.textOf(request);
    if (text === undefined) return;
    const found = await this.find(request);
    await endSession(this.#registry, text);
    if (found) logOf(request).info({ holder: found.principal.id }, 'signed out');
  }
}

/**
 * Browsers attach a cookie to every request, so a change needs proof that a page of this listener sent it. Foreign
 * origins are rejected for every request; this rejects a missing origin, as old browsers post forms without one.
 */
export function requireOwnPage({ method, headers }: FastifyRequest): void {
  if (safeMethods.includes(method) || headers.origin !== undefined) return;
  if (headers['sec-fetch-site'] === 'same-origin') return;
  throw new HttpProblem(
    'origin_not_allowed',
    'A change in a session must come from a page of this listener, with an Origin header. From a program, send an access token instead.',
  );
}

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
