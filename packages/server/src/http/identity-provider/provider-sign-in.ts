import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  type IDToken,
  None,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import type { Logger } from 'pino';
import type { DeviceSignIn } from '../../features/access/browser-sessions.ts';
import { allows, consoleScopes } from '../../kernel/registry.ts';
import { shownOnOneLine } from '../../kernel/text.ts';
import { Cookie } from '../auth/sessions.ts';
import { RateLimit } from '../limits/rate-limit.ts';
import { HttpProblem } from '../problem/problem.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { VerifiedToken } from './issuer-keys.ts';

export interface ProviderClientSettings {
  issuer: string;
  clientId: string;
  /** Null for a public client. */
  clientSecret: string | null;
}

const timeoutSeconds = 5;
const refreshMs = 300_000;

/** A client of an identity provider, which finds its endpoints by OpenID Connect Discovery. */
export class ProviderClient {
  readonly #settings: ProviderClientSettings;
  #discovered: { configuration: Promise<Configuration>; at: number } | null = null;

  constructor(settings: ProviderClientSettings) {
    this.#settings = settings;
  }

  /** Cached for some minutes; concurrent callers share one request, and a failure is not cached. */
  configuration(): Promise<Configuration> {
    if (this.#discovered && performance.now() - this.#discovered.at < refreshMs) return this.#discovered.configuration;
    const discovered = { configuration: this.#discover(), at: performance.now() };
    this.#discovered = discovered;
    discovered.configuration.catch(() => {
      if (this.#discovered === discovered) this.#discovered = null;
    });
    return discovered.configuration;
  }

  #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    return discovery(new URL(issuer), clientId, undefined, clientAuth(clientSecret), {
      timeout: timeoutSeconds,
      // An issuer without TLS is on this machine.
      execute: issuer.startsWith('http:') ? [allowInsecureRequests] : [],
    });
  }
}

/** In the header, which every provider must support (RFC 6749, 2.3.1), unless one lists only the form. */
function clientAuth(secret: string | null): ClientAuth {
  if (secret === null) return None();
  const [inHeader, inForm] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const isFormOnly = methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
    return (isFormOnly ? inForm : inHeader)(server, ...request);
  };
}

/** The client that the console is to the identity provider, and what it requests. */
export interface SignInSettings {
  clientId: string;
  /** Null for a public client. */
  clientSecret: string | null;
  /** Null for the scopes of operators. */
  scope: string | null;
  /** Further parameters of the request, such as the audience of the token. */
  parameters: Record<string, string>;
  /** The public client of the command line; null when it signs no one in. */
  deviceClientId: string | null;
}

export interface SignInParts {
  identityProvider: IdentityProvider;
  scopePrefix: string;
  /** The provider redirects back here, to the console. */
  operatorBaseUrl: string;
  logger: Logger;
}

/** A person with a valid access token of an operator. */
export interface SignedIn extends VerifiedToken {
  issuer: string;
  /** For display. */
  name?: string;
}

interface BrowserRequest {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** A sign-in in progress, known only to the browser that started it. */
interface PendingSignIn {
  state: string;
  nonce: string;
  verifier: string;
}

const pendingLifetimeMs = 600_000;
/** Any client can make up a pending sign-in, and each exchange sends a request with the client secret. */
const exchangesPerMinute = 30;
const nameLengthMax = 100;

/** Signs people in with an identity provider: the authorization code flow of OpenID Connect, with PKCE. */
export class ProviderSignIn {
  /** How the command line signs people in by itself; null when it does not. */
  readonly deviceSignIn: DeviceSignIn | null;
  readonly #parameters: Record<string, string>;
  readonly #parts: SignInParts;
  readonly #cookie: Cookie;
  readonly #redirectUri: string;
  readonly #scope: string;
  readonly #client: ProviderClient;
  readonly #exchanges: RateLimit;

  constructor({ scope, parameters, deviceClientId, ...client }: SignInSettings, parts: SignInParts) {
    const { issuer } = parts.identityProvider;
    this.#client = new ProviderClient({ ...client, issuer });
    this.#exchanges = new RateLimit('sign-ins', exchangesPerMinute);
    this.#parameters = parameters;
    this.#parts = parts;
    this.#cookie = new Cookie('app-registry-sign-in', parts);
    this.#redirectUri = `${parts.operatorBaseUrl}/`;
    this.#scope = scope ?? ['openid', 'profile', ...this.#consoleScopes()].join(' ');
    this.deviceSignIn =
      deviceClientId === null
        ? null
        : { issuer, clientId: deviceClientId, scope: scope ?? `${this.#scope} offline_access`, parameters };
  }

  /** The URL that a browser opens to sign in. Its cookie proves later that it started this sign-in. */
  async begin(reply: FastifyReply): Promise<string> {
    const pending: PendingSignIn = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
    const request = {
      ...this.#parameters,
      scope: this.#scope,
      redirect_uri: this.#redirectUri,
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: 'S256',
    };
    const url = await this.#attempt(async () => buildAuthorizationUrl(await this.#client.configuration(), request));
    const value = [pending.state, pending.nonce, pending.verifier].join('.');
    this.#cookie.set(reply, { value, lifetimeMs: pendingLifetimeMs });
    return url.href;
  }

  /** The person who comes back from the provider, once for each `begin`. */
  async finish(query: string, { request, reply }: BrowserRequest): Promise<SignedIn> {
    const pending = this.#pendingSignIn(request, query);
    this.#cookie.clear(reply);
    this.#countExchange();
    const { accessToken, claims } = await this.#attempt(() => this.#exchange(query, pending));
    const { identityProvider } = this.#parts;
    const verified = await identityProvider.verify(accessToken);
    if (!verified) throw this.#rejected(notForUs);
    if (!allows(verified.principal.scopes, 'read')) throw this.#rejected(this.#noScopes());
    const name = nameIn(claims);
    return { ...verified, issuer: identityProvider.issuer, ...(name !== undefined && { name }) };
  }

  #pendingSignIn(request: FastifyRequest, query: string): PendingSignIn {
    const [state, nonce, verifier] = this.#cookie.valueOf(request)?.split('.') ?? [];
    if (state && nonce && verifier && new URLSearchParams(query).get('state') === state) {
      return { state, nonce, verifier };
    }
    const code = errorWithoutState(query);
    if (code !== null) {
      throw this.#rejected(
        `The identity provider rejected a sign-in with ${code}, without its state. Sign in again. If that fails, show this message to the operator of the registry.`,
      );
    }
    throw signInRefused(
      `This sign-in is not in progress in this browser: it has finished, is older than ten minutes, or was replaced by one in another tab. Sign in again at ${this.#redirectUri}`,
    );
  }

  #countExchange(): void {
    const { problem } = this.#exchanges.take('all');
    if (!problem) return;
    const { headers } = problem;
    const detail = `There were more than ${exchangesPerMinute} sign-ins with the identity provider in one minute. Sign in again in ${headers['retry-after']} s, or with an operator token.`;
    throw new HttpProblem('too_many_requests', detail, headers);
  }

  async #exchange(query: string, { state, nonce, verifier }: PendingSignIn) {
    const response = new URL(`?${query}`, this.#redirectUri);
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
    // RFC 8707 requires the resource in both requests; providers must ignore unknown parameters (RFC 6749, 3.2).
    const tokens = await authorizationCodeGrant(await this.#client.configuration(), response, checks, this.#parameters);
    return { accessToken: tokens.access_token, claims: tokens.claims() };
  }

  async #attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      this.#logFailure(reasonOf(error));
      throw providerProblem(error);
    }
  }

  #rejected(detail: string): HttpProblem {
    this.#logFailure(detail);
    return signInRefused(detail);
  }

  #logFailure(reason: string): void {
    this.#parts.logger.warn({ reason }, 'a sign-in with the identity provider failed');
  }

  #consoleScopes(): string[] {
    return consoleScopes.map((scope) => this.#parts.scopePrefix + scope);
  }

  #noScopes(): string {
    return `You are signed in at the identity provider, but your token has none of the scopes that the console needs: ${this.#consoleScopes().join(', ')}. Ask the administrator of the provider for one.`;
  }
}

const notForUs =
  'You are signed in at the identity provider, but it issued no access token for this registry. Ask the operator of the registry to check OIDC_AUDIENCE and OIDC_SIGN_IN_PARAMETERS; with LOG_LEVEL=debug, the log shows the reason.';

/** The error code of a response that any link can forge, if it cannot be read as a sentence. */
function errorWithoutState(query: string): string | null {
  const response = new URLSearchParams(query);
  return response.has('state') ? null : (/^[a-z_]{1,50}$/.exec(response.get('error') ?? '')?.[0] ?? null);
}

function nameIn(claims: IDToken | undefined): string | undefined {
  const names = [claims?.name, claims?.preferred_username].filter((claim) => typeof claim === 'string');
  return names.map((name) => shownOnOneLine(name, nameLengthMax)).find((name) => name !== undefined);
}

/** Messages of `fetch` without a complete response. */
const fetchFailures = ['fetch failed', 'terminated'];

/** The problem to show to a person whom the identity provider did not sign in. */
export function providerProblem(error: unknown): HttpProblem {
  if (error instanceof AuthorizationResponseError) {
    return signInRefused(
      `The identity provider rejected the sign-in: ${described(error)}. Sign in again. If that fails, show this message to the operator of the registry.`,
    );
  }
  if (error instanceof WWWAuthenticateChallengeError || isClientError(error)) {
    return signInRefused(
      'The identity provider does not accept this registry as its client. Ask the operator of the registry to check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.',
    );
  }
  if (error instanceof ResponseBodyError) {
    return signInRefused(`The identity provider issued no token: ${described(error)}. Sign in again.`);
  }
  if (isUnreachable(error)) {
    const detail = 'The identity provider cannot be reached. Try again in a moment, or sign in with an operator token.';
    return new HttpProblem('unavailable', detail, { 'retry-after': '10' });
  }
  return signInRefused(`The response of the identity provider is invalid: ${reasonOf(error)}. Sign in again.`);
}

function signInRefused(detail: string): HttpProblem {
  return new HttpProblem('sign_in_refused', detail);
}

/** The reason, with nothing from the provider but its error code. */
function reasonOf(error: unknown): string {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    return described({ error: error.error });
  }
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function isClientError(error: unknown): boolean {
  return error instanceof ResponseBodyError && ['invalid_client', 'unauthorized_client'].includes(error.error);
}

/** Whether the provider did not respond: not at all, not in time, or only through the error of a proxy. */
function isUnreachable(error: unknown): boolean {
  if (error instanceof Response) return error.status >= 500;
  if (!(error instanceof Error)) return false;
  return fetchFailures.includes(error.message) || error.name === 'TimeoutError' || isUnreachable(error.cause);
}

/** The provider's error, if it has only the characters that RFC 6749 (4.1.2.1) allows. */
function described({ error, error_description: description }: { error: string; error_description?: string }): string {
  return [error, description].filter((text) => text !== undefined && /^[ -~]{1,300}$/.test(text)).join(': ');
}
