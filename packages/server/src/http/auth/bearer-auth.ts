import type { FastifyRequest } from 'fastify';
import { allows, type TokenKind, type TokenScope } from '../../contract/access-token.ts';
import type { TokenHolder } from '../../registry/tokens/authenticate.ts';
import { HttpProblem } from '../problem/problem.ts';

/** Who may use a route: a holder of a token of this kind, or an operator with this scope. */
export type Restricted = { kind: Exclude<TokenKind, 'operator'> } | { scope: TokenScope };
export type Access = 'anyone' | Restricted;

/** Who holds a token that is good now; null when it is not. */
export type Authenticate = (token: string) => Promise<TokenHolder | null>;

/** What a refusal for want of a good token says beside its status (RFC 6750, 3). */
export const realm = 'Bearer realm="app-registry"';

/** The holder of the request's token (RFC 6750, decision 30), or a 401. */
export async function requireToken(authenticate: Authenticate, request: FastifyRequest): Promise<TokenHolder> {
  const token = bearerToken(request.headers.authorization);
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

/** A 401 for what is no good token, or stands for none. */
export function tokenInvalid(detail: string): HttpProblem {
  return new HttpProblem('token_invalid', detail, { 'www-authenticate': `${realm}, error="invalid_token"` });
}

/** A 403 for a token of another kind or scope than the route is for. */
export function requireAccess(holder: TokenHolder, access: Restricted): void {
  const kind = 'scope' in access ? 'operator' : access.kind;
  if (!holder.kinds.includes(kind)) {
    const has =
      holder.kinds.length === 0
        ? 'nothing in this token gives it one'
        : `this token is of kind ${quoted(holder.kinds)}`;
    throw insufficient(`This path takes a token of kind "${kind}", and ${has}.`);
  }
  if ('scope' in access && !allows(holder.scopes, access.scope)) {
    const has = holder.scopes.length === 0 ? 'no scope' : `"${holder.scopes.join(' ')}"`;
    throw insufficient(
      `This path takes a token with the scope "${access.scope}", and this token has ${has}.`,
      access.scope,
    );
  }
}

function quoted(kinds: readonly TokenKind[]): string {
  return kinds.map((kind) => `"${kind}"`).join(' and ');
}

function insufficient(detail: string, scope?: TokenScope): HttpProblem {
  const needed = scope === undefined ? '' : `, scope="${scope}"`;
  return new HttpProblem('insufficient_scope', detail, {
    'www-authenticate': `${realm}, error="insufficient_scope"${needed}`,
  });
}

/**
 * What an Authorization brings under this scheme; null when it has none, or another one. Each request has one: a
 * regular expression takes several times as long for it.
 */
export function bearerToken(authorization = ''): string | null {
  const credentials = authorization.trim();
  const space = credentials.indexOf(' ');
  const scheme = space < 0 ? credentials : credentials.slice(0, space);
  if (scheme.toLowerCase() !== 'bearer') return null;
  return space < 0 ? '' : credentials.slice(space).trimStart();
}
