import type { IncomingHttpHeaders } from 'node:http';
import type { TokenHolder } from '../../features/access/authenticate.ts';
import { allows, type TokenKind, type TokenScope } from '../../kernel/registry.ts';
import { HttpProblem, interfaceProblemStatuses } from '../problem/problem.ts';

/** Who may use a route: the holder of a token of this kind, or an operator with one of these scopes. */
export type Restricted = { kind: Exclude<TokenKind, 'operator'> } | ScopeAccess;
/** One of two scopes, and not a third one. */
interface ScopeAccess {
  scope: TokenScope;
  orScope?: TokenScope;
  notScope?: TokenScope;
}
export type Access = 'anyone' | Restricted;

/** Who makes a request to a route with this access. A developer's token is bound to a developer. */
export type HolderOf<Granted extends Access> = Granted extends 'anyone'
  ? null
  : Granted extends { kind: 'developer' }
    ? TokenHolder & { developerId: string }
    : TokenHolder;

/** The holder of a token that is valid now; null for any other token. */
export type Authenticate = (token: string) => Promise<TokenHolder | null>;

/** The challenge of a response to a request without a valid token (RFC 6750, 3). */
export const realm = 'Bearer realm="app-registry"';

/** The holder of the request's token (RFC 6750, decision 30), or a 401. */
export async function requireToken(
  authenticate: Authenticate,
  { headers }: { headers: IncomingHttpHeaders },
): Promise<TokenHolder> {
  const token = bearerToken(headers.authorization);
  if (token === null) {
    throw new HttpProblem('token_missing', 'Send an access token: "Authorization: Bearer <ACCESS_TOKEN>".', {
      'www-authenticate': realm,
    });
  }
  const holder = await authenticate(token);
  if (holder) return holder;
  throw tokenInvalid(
    'The access token is malformed, unknown, expired or revoked. Ask the operator of the registry for a new one.',
  );
}

/** A 401 for an invalid token or session. */
export function tokenInvalid(detail: string): HttpProblem {
  return new HttpProblem('token_invalid', detail, { 'www-authenticate': `${realm}, error="invalid_token"` });
}

/** A 403 unless the token has the kind or scope that the route requires, and its developer may use it. */
export function requireAccess(holder: TokenHolder, access: Restricted): void {
  const kind = 'scope' in access ? 'operator' : access.kind;
  if (!holder.kinds.includes(kind)) {
    const has = holder.kinds.length === 0 ? 'this token has none' : `this token is of kind ${quoted(holder.kinds)}`;
    throw insufficient(`This path requires a token of kind "${kind}"; ${has}.`);
  }
  if (kind === 'developer' && holder.isSuspended) throw new HolderSuspended();
  if ('scope' in access && !scopesOf(access).some((scope) => allows(holder.scopes, scope))) {
    const needed = scopesOf(access).map((scope) => `"${scope}"`);
    const has = holder.scopes.length === 0 ? 'no scope' : `"${holder.scopes.join(' ')}"`;
    throw insufficient(
      `This path requires a token with the scope ${needed.join(' or ')}; this token has ${has}.`,
      access.scope,
    );
  }
  if ('scope' in access && access.notScope !== undefined && holder.scopes.includes(access.notScope)) {
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
export class HolderSuspended extends HttpProblem {
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
