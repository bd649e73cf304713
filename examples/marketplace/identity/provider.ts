import { generateKeyPairSync, randomBytes } from 'node:crypto';
import Provider, { errors } from 'oidc-provider';
import { errorPage } from '../web/layout.ts';
import { type AppClients, appScopes } from './app-clients.ts';
import type { Grants } from './grants.ts';
import { people, personOf } from './people.ts';

/** An application of the marketplace itself, which needs no consent. */
export interface OwnClient {
  id: string;
  secret: string;
  redirectUri: string;
}

interface ProviderParts {
  issuer: string;
  /** The registry, as the audience of tokens. */
  audience: string;
  ownClients: OwnClient[];
  apps: AppClients;
  grants: Grants;
}

/** The console requests these, and each person gets their own. */
const registryScopes = ['developer', 'read', 'portal', 'review', 'admin'].map((scope) => `app-registry:${scope}`);

/** One provider for the two kinds of clients: the applications of the marketplace, and the apps of the registry. */
export function createProvider(parts: ProviderParts): Provider {
  const { issuer, ownClients, apps, grants } = parts;
  const provider: Provider = new Provider(issuer, {
    adapter: (kind: string) => (kind === 'Client' ? { find: (id: string) => apps.find(id) } : grants.adapter(kind)),
    clients: ownClients.map(clientOf),
    findAccount: (_: unknown, accountId: string) => accountOf(accountId),
    claims: { openid: ['sub'], profile: ['name'], workspace: ['workspace'] },
    scopes: [...appScopes, ...registryScopes],
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    issueRefreshToken: (_: unknown, client: { grantTypeAllowed(type: string): boolean }) =>
      client.grantTypeAllowed('refresh_token'),
    ttl: { AccessToken: 3_600, Session: 3_600, Grant: 86_400, RefreshToken: 86_400, IdToken: 3_600, Interaction: 900 },
    jwks: { keys: [newKey()] },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    loadExistingGrant: (context: SignedInContext) => existingGrant(provider, parts, context),
    renderError: async (context: { body: string; type: string }, { error, error_description }: RenderedError) => {
      context.type = 'html';
      context.body = String(await errorPage('Identity', error_description ?? error));
    },
    features: { devInteractions: { enabled: false }, resourceIndicators: registryAsResource(parts) },
  });
  return provider;
}

function clientOf({ id, secret, redirectUri }: OwnClient): object {
  const scope = [...appScopes, ...registryScopes].join(' ');
  return { client_id: id, client_secret: secret, redirect_uris: [redirectUri], scope };
}

function accountOf(accountId: string) {
  const person = personOf(accountId);
  return person && { accountId, claims: () => ({ sub: accountId, name: person.name, workspace: person.workspace }) };
}

/** Tokens for the registry are JWTs, and no app gets one. */
function registryAsResource({ audience, ownClients }: ProviderParts): object {
  return {
    enabled: true,
    getResourceServerInfo: (_: unknown, resource: string, client: { clientId: string }) => {
      if (resource !== audience || !ownClients.some(({ id }) => id === client.clientId))
        throw new errors.InvalidTarget();
      const jwt = { sign: { alg: 'RS256' } };
      return { audience, scope: registryScopes.join(' '), accessTokenFormat: 'jwt', accessTokenTTL: 3_600, jwt };
    },
  };
}

interface RenderedError {
  error: string;
  error_description?: string;
}

interface SignedInContext {
  oidc: {
    client: { clientId: string };
    session: { accountId: string; grantIdFor(clientId: string): string | undefined };
    result?: { consent?: { grantId?: string } };
  };
}

/** People consent to apps, while their workspace has them. The marketplace itself gets what the role of the person allows. */
async function existingGrant(
  provider: Provider,
  { audience, ownClients, apps }: ProviderParts,
  { oidc }: SignedInContext,
) {
  const { accountId } = oidc.session;
  const { clientId } = oidc.client;
  if (!ownClients.some(({ id }) => id === clientId)) {
    const grantId = oidc.result?.consent?.grantId ?? oidc.session.grantIdFor(clientId);
    return grantId && (await apps.isInstalledFor(clientId, accountId)) ? provider.Grant.find(grantId) : undefined;
  }
  const grant = new provider.Grant({ accountId, clientId });
  const own = people.find(({ id }) => id === accountId)?.scopes ?? [];
  grant.addOIDCScope([...appScopes, ...registryScopes].join(' '));
  grant.addResourceScope(audience, own.join(' '));
  grant.rejectResourceScope(audience, registryScopes.filter((scope) => !own.includes(scope)).join(' '));
  await grant.save();
  return grant;
}

function newKey(): object {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return { ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: randomBytes(8).toString('hex') };
}
