import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from '../../registry/registry.ts';
import { endSession } from '../../registry/sessions/end-session.ts';
import { type FoundSession, findSession } from '../../registry/sessions/find-session.ts';
import type { TemporaryCredential } from '../../registry/sessions/open-session.ts';
import type { TokenHolder } from '../../registry/tokens/authenticate.ts';
import { logOf } from '../listener/request-log.ts';
import { HttpProblem } from '../problem/problem.ts';
import { tokenInvalid } from './bearer-auth.ts';
import { Cookie } from './cookie.ts';

const methodsThatRead = ['GET', 'HEAD'];

interface SessionSettings {
  operatorBaseUrl: string;
  /** Whose tokens a session may stand for beside the registry's own. */
  identityProvider: { issuer: string } | null;
}

/** The sessions of those who look at the listener with a browser, in a cookie (decision record 0012). */
export class Sessions {
  readonly #registry: Registry;
  readonly #cookie: Cookie;
  readonly #issuer: string | undefined;

  constructor(registry: Registry, { operatorBaseUrl, identityProvider }: SessionSettings) {
    this.#registry = registry;
    this.#cookie = new Cookie('app-registry', { operatorBaseUrl });
    this.#issuer = identityProvider?.issuer;
  }

  /** The text of the session that a request comes with, good or not. */
  textOf(request: FastifyRequest): string | undefined {
    return this.#cookie.valueOf(request);
  }

  /** The session of a request, if it has one that is good. */
  async find(request: FastifyRequest): Promise<FoundSession | null> {
    const text = this.textOf(request);
    const found = text === undefined ? null : await findSession(this.#registry, text);
    // That of an identity provider ends when its tokens are accepted no longer.
    return found && (found.issuer === null || found.issuer === this.#issuer) ? found : null;
  }

  /** Whose token the session of a request stands for, or a 401; a 403 when no page of this listener has sent it. */
  async requireHolder(request: FastifyRequest): Promise<TokenHolder> {
    requireOwnPage(request);
    const found = await this.find(request);
    if (found) return found.holder;
    throw tokenInvalid('The session has ended, or its token is good no longer. Sign in again.');
  }

  /** Gives a browser a session in the place of the one that it has, if any. */
  async begin(request: FastifyRequest, reply: FastifyReply, opened: TemporaryCredential): Promise<void> {
    await this.#end(request);
    this.#cookie.set(reply, { value: opened.text, lifeMs: opened.lifeMs });
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
    if (found) logOf(request).info({ holder: found.holder.id }, 'signed out');
  }
}

/**
 * A browser sends a cookie by itself, so a change needs a sign that a page of this listener wants it. Foreign signs
 * are refused for every request; here it is their absence, as old browsers post a form without an origin.
 */
export function requireOwnPage({ method, headers }: FastifyRequest): void {
  if (methodsThatRead.includes(method) || headers.origin !== undefined) return;
  if (headers['sec-fetch-site'] === 'same-origin') return;
  throw new HttpProblem(
    'origin_not_allowed',
    'A session makes changes for pages of this listener, whose requests name their origin. A program sends an access token.',
  );
}
