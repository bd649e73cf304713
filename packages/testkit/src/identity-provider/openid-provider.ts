/// <reference path="./oidc-provider.d.ts" />
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import Provider from 'oidc-provider';
import { OpenIdLogin, type People } from './openid-login.ts';

export const audience = 'https://apps.example.com';
export const secret = 'a secret of no value, as it is only for tests';
const alg = 'RS256';

/** The scopes of each client. A client is its own subject, as with the grant `client_credentials`. */
export type Clients = Record<string, string>;

/** A client that people sign in to. All clients share one secret, unless they have none. */
export interface SignInClient {
  id: string;
  hasSecret: boolean;
  redirectUri: string;
}

interface Given {
  people?: People;
  signInClients?: SignInClient[];
  /** The id of a public client by which programs without a browser sign people in (RFC 8628). */
  deviceClient?: string;
}

/** A real OpenID provider on loopback. */
export class OpenIdProvider {
  readonly clients: Clients;
  /** The number of times that its keys were fetched. */
  keysFetched = 0;
  /** Additional claims of access tokens, by client. */
  readonly extraClaims: Record<string, object> = {};
  readonly #people: People;
  readonly #signInClients: SignInClient[];
  readonly #deviceClient: string | undefined;
  #key: JWK;
  #foreignKey: JWK | undefined;
  #port = 0;
  #server: Server | null = null;

  static async start(clients: Clients, given: Given = {}): Promise<OpenIdProvider> {
    const provider = new OpenIdProvider(clients, await newKey(), given);
    await provider.resume();
    return provider;
  }

  private constructor(clients: Clients, key: JWK, { people = {}, signInClients = [], deviceClient }: Given) {
    this.clients = clients;
    this.#key = key;
    this.#people = people;
    this.#signInClients = signInClients;
    this.#deviceClient = deviceClient;
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The private signing key. */
  get key(): JWK {
    return this.#key;
  }

  /** Replaces the key, and forgets the previous one. */
  async rotate(): Promise<void> {
    await this.stop();
    this.#key = await newKey();
    await this.resume();
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = null;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }

  /** Starts again at the same address. */
  async resume(): Promise<void> {
    const server = createServer().listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#port = (server.address() as AddressInfo).port;
    const provider = this.#provider();
    provider.use(pollQuickly);
    const handle = provider.callback();
    const login = new OpenIdLogin(provider, { audience, people: this.#people });
    server.on('request', (request, response) => {
      if (request.url === '/jwks') this.keysFetched += 1;
      if (login.matches(request)) void login.handle(request, response);
      else handle(request, response);
    });
    this.#server = server;
  }

  /** An access token for a client, from the token endpoint. */
  async tokenFor(client: string, scope: string = this.clients[client] as string): Promise<string> {
    const response = await fetch(`${this.issuer}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${encodeURIComponent(client)}:${encodeURIComponent(secret)}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource: audience, scope }),
    });
    const body = (await response.json()) as { access_token?: string };
    assert.ok(body.access_token, JSON.stringify(body));
    return body.access_token;
  }

  /** The claims of a valid access token with some replaced; `undefined` removes one. */
  claims(given: object = {}): JWTPayload {
    const now = Math.floor(Date.now() / 1000);
    const valid = { iss: this.issuer, aud: audience, sub: 'subject', iat: now, exp: now + 3_600 };
    return JSON.parse(JSON.stringify({ ...valid, ...given }));
  }

  /** A valid access token with some claims or header parameters replaced, signed with the provider's key. */
  sign(given: object = {}, header: object = {}): Promise<string> {
    return new SignJWT(this.claims(given)).setProtectedHeader(this.header(header)).sign(this.#key);
  }

  header(given: object = {}): JWTHeaderParameters {
    return { alg, typ: 'at+jwt', kid: this.#key.kid as string, ...given };
  }

  /** The claims of a valid access token, signed with a foreign key under this key id. */
  async forge(kid: string | null = crypto.randomUUID()): Promise<string> {
    this.#foreignKey ??= await newKey();
    const { kid: _, ...header } = this.header();
    return new SignJWT(this.claims()).setProtectedHeader({ ...header, ...(kid && { kid }) }).sign(this.#foreignKey);
  }

  #provider(): Provider {
    const scope = Object.values({ ...this.clients, ...this.#people }).join(' ');
    const programs = Object.entries(this.clients).map(([client_id, granted]) => ({
      client_id,
      client_secret: secret,
      grant_types: ['client_credentials'],
      response_types: [],
      redirect_uris: [],
      scope: granted,
    }));
    return new Provider(this.issuer, {
      ...OpenIdLogin.configuration,
      jwks: { keys: [this.#key] },
      clients: [
        ...programs,
        ...this.#signInClients.map((client) => signInClient(client, scope)),
        ...(this.#deviceClient === undefined ? [] : [deviceClient(this.#deviceClient, scope)]),
      ],
      ttl: { ClientCredentials: 600, AccessToken: 600 },
      scopes: [...new Set(`openid profile offline_access ${scope}`.split(' '))],
      extraTokenClaims: (_context: unknown, token: { clientId: string }) => this.extraClaims[token.clientId],
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        deviceFlow: { enabled: true },
        revocation: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: () => ({
            audience,
            scope,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg } },
          }),
        },
      },
    });
  }
}

/** How long a device waits between two requests, by RFC 8628: without it, five seconds. */
async function pollQuickly(context: { path: string; body: unknown }, next: () => Promise<void>): Promise<void> {
  await next();
  if (context.path === '/device/auth') Object.assign(Object(context.body), { interval: 0.02 });
}

function signInClient({ id, hasSecret, redirectUri }: SignInClient, scope: string): object {
  return {
    client_id: id,
    ...(hasSecret ? { client_secret: secret } : { token_endpoint_auth_method: 'none' }),
    redirect_uris: [redirectUri],
    scope: `openid profile ${scope}`,
  };
}

function deviceClient(id: string, scope: string): object {
  return {
    client_id: id,
    token_endpoint_auth_method: 'none',
    application_type: 'native',
    grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
    response_types: [],
    redirect_uris: [],
    scope: `openid profile offline_access ${scope}`,
  };
}

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), alg, use: 'sig' };
}
