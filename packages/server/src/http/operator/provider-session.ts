import { openSessionOf, type TemporaryCredential } from '../../features/access/browser-sessions.ts';
import { AuthorizationResponse } from '../../features/access/sign-in.ts';
import { requireValid } from '../../kernel/failure.ts';
import type { Registry } from '../../kernel/registry.ts';
import { tokenInvalid } from '../auth/bearer-auth.ts';
import { requireOwnPage, type Sessions } from '../auth/sessions.ts';
import { jsonBody, requireJsonBody } from '../body/json-body.ts';
import { sendJson } from '../body/send-json.ts';
import type { ProviderSignIn, SignedIn } from '../identity-provider/provider-sign-in.ts';
import type { Route } from '../listener/route.ts';
import { HttpProblem } from '../problem/problem.ts';
import { acceptJsonBody, refuseFields } from './no-body.ts';

interface ProviderSessionOptions {
  sessions: Sessions;
  providerSignIn: ProviderSignIn | null;
}

/** How a person signs in by way of the identity provider: where to go, and what they came back with (decision record 0013). */
export function providerSessionRoutes(
  registry: Registry,
  { sessions, providerSignIn }: ProviderSessionOptions,
): Route[] {
  return [
    {
      method: 'POST',
      path: '/session/authorization-request',
      access: 'anyone',
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

/** Opens a session for the holder of a token from an identity provider. */
export async function openSessionFor(
  registry: Registry,
  { issuer, holder: { id, scopes }, name, goodUntil }: SignedIn,
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
