import type { FastifyRequest } from 'fastify';
import type { TokenKind } from '../contract/access-token.ts';
import { authenticate, type TokenHolder } from '../registry/authenticate.ts';
import type { Registry } from '../registry/registry.ts';
import { HttpProblem } from './problem.ts';

/** What a refusal for want of a good token says beside its status (RFC 6750, 3). */
export const realm = 'Bearer realm="app-registry"';

/** The holder of the request's token (RFC 6750, decision 30), or a 401. */
export async function requireToken(registry: Registry, request: FastifyRequest): Promise<TokenHolder> {
  const [scheme, token] = splitAuthorization(request.headers.authorization ?? '');
  if (scheme !== 'bearer') {
    throw new HttpProblem('token_missing', 'Send an access token: "Authorization: Bearer <ACCESS_TOKEN>".', {
      'www-authenticate': realm,
    });
  }
  const holder = await authenticate(registry, token);
  if (holder) return holder;
  throw new HttpProblem(
    'token_invalid',
    'The access token is malformed, unknown, expired or revoked. Ask the operator of the registry for a new one.',
    { 'www-authenticate': `${realm}, error="invalid_token"` },
  );
}

/** A 403 for a token of another kind than the route is for. */
export function requireKind(holder: TokenHolder, kind: TokenKind): void {
  if (holder.kind === kind) return;
  throw new HttpProblem(
    'insufficient_scope',
    `This path takes a token of kind "${kind}", and this token is of kind "${holder.kind}".`,
    { 'www-authenticate': `${realm}, error="insufficient_scope"` },
  );
}

function splitAuthorization(value: string): [scheme: string, token: string] {
  const [, scheme = '', token = ''] = /^(\S*) *(.*)$/.exec(value.trim()) ?? [];
  return [scheme.toLowerCase(), token];
}
