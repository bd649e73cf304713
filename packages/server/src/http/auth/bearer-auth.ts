import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from 'pino';
import { type Principal, recordTokenUses } from '../../features/access/access-token.ts';
import { isTypeId } from '../../kernel/ids.ts';
import { allows, type Registry, type TokenKind, type TokenScope } from '../../kernel/registry.ts';
import { HttpProblem, interfaceProblemStatuses } from '../problem/problem.ts';

/** Who may use a route: the principal of a token of this kind, or an operator with one of these scopes. */
export type Restricted = { kind: Exclude<TokenKind, 'operator'> } | ScopeAccess;
/** One of two scopes, and not a third one. */
interface ScopeAccess {
  scope: TokenScope;
  orScope?: TokenScope;
  notScope?: TokenScope;
}
export type Access = 'anyone' | Restricted;

/** Who makes a request to a route with this access. A developer's token is bound to a developer. */
export type PrincipalOf<Granted extends Access> = Granted extends 'anyone'
  ? null
  : Granted extends { kind: 'developer' }
    ? Principal & { developerId: string }
    : Principal;

/** The principal of a token that is valid now; null for any other token. */
export type Authenticate = (token: string) => Promise<Principal | null>;

/** The challenge of a response to a request without a valid token (RFC 6750, 3). */
/** Of a session, in place of a token. */
export const sessionCookie = 'app-registry';

export const realm = 'Bearer realm="app-registry"';

/** The principal of the request's token (RFC 6750), or a 401. */
export async function requireToken(
  authenticate: Authenticate,
  { headers }: { headers: IncomingHttpHeaders },
): Promise<Principal> {
  const token = bearerToken(headers.authorization);
  if (token === null) {
    throw new HttpProblem('token_missing', 'Send an access token: "Authorization: Bearer <ACCESS_TOKEN>".', {
      'www-authenticate': realm,
    });
  }
  const principal = await authenticate(token);
  if (principal) return principal;
  throw tokenInvalid(
    'The access token is malformed, unknown, expired or revoked. Ask the operator of the registry for a new one.',
  );
}

/** A 401 for an invalid token or session. */
export function tokenInvalid(detail: string): HttpProblem {
  return new HttpProblem('token_invalid', detail, { 'www-authenticate': `${realm}, error="invalid_token"` });
}

/** A 403 unless the token has the kind or scope that the route requires, and its developer may use it. */
export function requireAccess(principal: Principal, access: Restricted): void {
  const kind = 'scope' in access ? 'operator' : access.kind;
  if (!principal.kinds.includes(kind)) {
    const has =
      principal.kinds.length === 0 ? 'this token has none' : `this token is of kind ${quoted(principal.kinds)}`;
    throw insufficient(`This path requires a token of kind "${kind}"; ${has}.`);
  }
  if (kind === 'developer' && principal.isSuspended) throw new PrincipalSuspended();
  if ('scope' in access && !scopesOf(access).some((scope) => allows(principal.scopes, scope))) {
    const needed = scopesOf(access).map((scope) => `"${scope}"`);
    const has = principal.scopes.length === 0 ? 'no scope' : `"${principal.scopes.join(' ')}"`;
    throw insufficient(
      `This path requires a token with the scope ${needed.join(' or ')}; this token has ${has}.`,
      access.scope,
    );
  }
  if ('scope' in access && access.notScope !== undefined && principal.scopes.includes(access.notScope)) {
    throw insufficient(
      `This path does not accept a token with the scope "${access.notScope}", regardless of its other scopes.`,
      access.scope,
    );
  }
}

function scopesOf({ scope, orScope }: ScopeAccess): TokenScope[] {
  return orScope === undefined ? [scope] : [scope, orScope];
}

/** A 403: the developer who makes the request is suspended. */
export class PrincipalSuspended extends HttpProblem {
  override readonly status = interfaceProblemStatuses.developer_suspended;

  constructor() {
    super(
      'developer_suspended',
      'The developer of this token is suspended, so the registry refuses the request. Contact the operator of the registry; the token works again once the suspension ends.',
      { 'www-authenticate': `${realm}, error="insufficient_scope"` },
    );
  }
}

function quoted(kinds: readonly TokenKind[]): string {
  return kinds.map((kind) => `"${kind}"`).join(' and ');
}

/** A 403 for a token without a scope. */
export function insufficient(detail: string, scope?: TokenScope): HttpProblem {
  const needed = scope === undefined ? '' : `, scope="${scope}"`;
  return new HttpProblem('insufficient_scope', detail, {
    'www-authenticate': `${realm}, error="insufficient_scope"${needed}`,
  });
}

/**
 * The credentials of the Bearer scheme; null without them. Runs for each request, and a regular expression takes
 * several times as long.
 */
function bearerToken(authorization = ''): string | null {
  const credentials = authorization.trim();
  const space = credentials.indexOf(' ');
  const scheme = space < 0 ? credentials : credentials.slice(0, space);
  if (scheme.toLowerCase() !== 'bearer') return null;
  return space < 0 ? '' : credentials.slice(space).trimStart();
}

const hourMs = 3_600_000;
const storeEveryMs = 60_000;
/** Tokens in memory; a use of any further token is recorded later. One statement takes as many. */
const tokensMax = 10_000;

/**
 * Records the hour in which each token was last used, for all tokens together every minute: a request costs one look-up
 * here. Uses in the last minute before a process is killed are lost.
 */
export class TokenUses {
  readonly #registry: Registry;
  readonly #logger: Logger;
  #hour = 0;
  /** The ids of the tokens used in this hour. */
  readonly #used = new Set<string>();
  /** The hours not stored yet, by token id. */
  readonly #unstored = new Map<string, number>();

  constructor(registry: Registry, logger: Logger) {
    this.#registry = registry;
    this.#logger = logger;
  }

  record({ id }: Pick<Principal, 'id'>): void {
    const now = this.#registry.now();
    // Also after the clock was set back.
    if (now < this.#hour || now >= this.#hour + hourMs) this.#startHour(now);
    if (this.#used.has(id) || this.#unstored.size >= tokensMax) return;
    // A principal that an identity provider names has no token here.
    if (!isTypeId(id, 'token')) return;
    if (this.#used.size >= tokensMax) this.#used.clear();
    this.#used.add(id);
    this.#unstored.set(id, this.#hour);
  }

  /** Stores the recorded uses every minute. Returns a function that stops this once all are stored. */
  start(): () => Promise<void> {
    let storing = Promise.resolve();
    const store = () => {
      storing = storing.then(() => this.#store());
      return storing;
    };
    const timer = setInterval(store, storeEveryMs);
    timer.unref();
    return () => {
      clearInterval(timer);
      return store();
    };
  }

  #startHour(now: number): void {
    this.#hour = now - (now % hourMs);
    this.#used.clear();
  }

  async #store(): Promise<void> {
    const hours = new Map(this.#unstored);
    try {
      await recordTokenUses(this.#registry, hours);
      for (const [id, hour] of hours) if (this.#unstored.get(id) === hour) this.#unstored.delete(id);
    } catch (error) {
      // The next minute tries again; requests report the state of the database soon enough.
      this.#logger.warn({ err: error }, 'could not store the last uses of tokens');
    }
  }
}
