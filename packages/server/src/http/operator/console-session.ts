import { authenticate, type Principal } from '../../features/access/access-token.ts';
import {
  AuthorizationResponse,
  openSession,
  openSessionByCode,
  openSessionOf,
  SignIn,
  type SignInState,
  type TemporaryCredential,
} from '../../features/access/browser-sessions.ts';
import { requireValid } from '../../kernel/check.ts';
import type { Registry } from '../../kernel/registry.ts';
import { requireAccess, tokenInvalid } from '../auth/bearer-auth.ts';
import { requireOwnPage, type Sessions } from '../auth/sessions.ts';
import { acceptJsonBody, jsonBody, refuseFields, requireJsonBody, sendJson } from '../body/json-body.ts';
import { type IdentityProvider, isJwt } from '../identity-provider/identity-provider.ts';
import type { ProviderSignIn, SignedIn } from '../identity-provider/provider-sign-in.ts';
import type { OperatorLimits } from '../limits/rate-limit.ts';
import { countRequest, type Route } from '../listener/route.ts';
import { HttpProblem } from '../problem/problem.ts';
import type { ConsoleOptions } from './console.ts';

export interface SessionRouteOptions extends Pick<ConsoleOptions, 'mark'> {
  sessions: Sessions;
  /** Whose tokens sign in too. */
  identityProvider: IdentityProvider | null;
  /** How a person signs in with it, where that is configured. */
  providerSignIn: ProviderSignIn | null;
  /** What people sign in to. */
  console: { name: string; accent?: string | null };
  /** A sign-in counts as a request of the person whom it signs in. */
  limits: Pick<OperatorLimits, 'take'>;
}

const path = '/session';

/** How a person signs in with a browser, sees whose session it is, and signs out (decision record 0023). */
export function sessionRoutes(registry: Registry, options: SessionRouteOptions): Route[] {
  const { sessions, providerSignIn, mark } = options;
  const { name, accent } = options.console;
  const brand = { name, ...(mark && { mark: mark.path }), ...(accent && { accent }) };
  return [
    {
      method: 'GET',
      path,
      access: 'anyone',
      async handle(request, reply) {
        const found = await sessions.find(request);
        const deviceSignIn = providerSignIn?.deviceSignIn;
        const state: SignInState = {
          ...(found && { session: found.session }),
          brand,
          identityProvider: providerSignIn !== null,
          ...(deviceSignIn && { deviceSignIn }),
        };
        return sendJson(reply, state);
      },
    },
    {
      method: 'POST',
      path,
      access: 'anyone',
      signsIn: true,
      acceptsBody: requireJsonBody,
      async handle(request, reply) {
        const { token } = requireValid(SignIn, jsonBody(request));
        const count = (principal: Principal) => countRequest(request, options.limits.take(principal, 'session'));
        await sessions.begin(request, reply, await open(registry, options, { secret: token, count }));
        return reply.code(204).send();
      },
    },
    {
      method: 'DELETE',
      path,
      access: 'anyone',
      acceptsBody: acceptJsonBody,
      async handle(request, reply) {
        refuseFields(request.body);
        await sessions.end(request, reply);
        return reply.code(204).send();
      },
    },
  ];
}

/** The session of a code, or of a token that may see at least. */
async function open(
  registry: Registry,
  { identityProvider }: SessionRouteOptions,
  { secret, count }: { secret: string; count: (principal: Principal) => void },
): Promise<TemporaryCredential> {
  if (identityProvider && isJwt(secret)) {
    const signedIn = await verifyIssued(identityProvider, secret);
    count(signedIn.principal);
    requireAccess(signedIn.principal, { scope: 'read' });
    return openSessionFor(registry, signedIn);
  }
  const byCode = await openSessionByCode(registry, secret);
  if (byCode) return byCode;
  const principal = await authenticate(registry, secret);
  if (!principal)
    throw tokenInvalid(
      'The token is malformed, unknown, expired or revoked, or the sign-in link has been used. Use another token.',
    );
  count(principal);
  requireAccess(principal, { scope: 'read' });
  const opened = await openSession(registry, principal.id);
  if (!opened) throw tokenInvalid('The token has just been revoked. Use another token.');
  return opened;
}

async function verifyIssued(provider: IdentityProvider, token: string): Promise<SignedIn> {
  const verified = await provider.verify(token);
  if (!verified)
    throw tokenInvalid(
      'The token of the identity provider is malformed, expired or not for this registry. Sign in again.',
    );
  return { ...verified, issuer: provider.issuer };
}

interface ProviderSessionOptions {
  sessions: Sessions;
  providerSignIn: ProviderSignIn | null;
}

/** How a person signs in by way of the identity provider: where to go, and what they came back with (decision record 0023). */
export function providerSessionRoutes(
  registry: Registry,
  { sessions, providerSignIn }: ProviderSessionOptions,
): Route[] {
  return [
    {
      method: 'POST',
      path: '/session/authorization-request',
      access: 'anyone',
      returnsSecret: true,
      signsIn: true,
      acceptsBody: acceptJsonBody,
      async handle(request, reply) {
        refuseFields(request.body);
        return sendJson(reply, { location: await configured(providerSignIn).begin(reply) });
      },
    },
    {
      method: 'POST',
      path: '/session/authorization-response',
      access: 'anyone',
      signsIn: true,
      acceptsBody: requireJsonBody,
      async handle(request, reply) {
        const { query } = requireValid(AuthorizationResponse, jsonBody(request));
        const provider = configured(providerSignIn);
        requireOwnPage(request);
        const signedIn = await provider.finish(query, { request, reply });
        await sessions.begin(request, reply, await openSessionFor(registry, signedIn));
        return reply.code(204).send();
      },
    },
  ];
}

/** Opens a session for the principal of a token from an identity provider. */
async function openSessionFor(
  registry: Registry,
  { issuer, principal: { id, scopes }, name, goodUntil }: SignedIn,
): Promise<TemporaryCredential> {
  const issuedTo = { issuer, id, scopes, ...(name !== undefined && { name }) };
  const opened = await openSessionOf(registry, { issuedTo, goodUntil });
  if (!opened) throw tokenInvalid('The token of the identity provider has just expired. Sign in again.');
  return opened;
}

function configured(providerSignIn: ProviderSignIn | null): ProviderSignIn {
  if (providerSignIn) return providerSignIn;
  throw new HttpProblem(
    'path_not_found',
    'Sign-in with an identity provider is not configured. Sign in with an operator token.',
  );
}
