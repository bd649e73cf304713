import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type IDToken,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import type { Logger } from 'pino';
import { tokenScopes } from '../../contract/access-token.ts';
import { Cookie } from '../auth/cookie.ts';
import { RateLimit } from '../limits/rate-limit.ts';
import { HttpProblem } from '../problem/problem.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { VerifiedToken } from './issuer-keys.ts';
import { ProviderClient } from './provider-client.ts';
import { providerProblem, reasonOf, signInRefused } from './provider-problem.ts';

/** Which client of the identity provider the console is, and what it asks for. */
export interface SignInSettings {
  clientId: string;
  /** Null for a public client. */
  clientSecret: string | null;
  /** Null for the scopes of operators. */
  scope: string | null;
  /** What else a request says, such as whom the token is for. */
  parameters: Record<string, string>;
}

export interface SignInParts {
  identityProvider: IdentityProvider;
  scopePrefix: string;
  /** Where the provider sends people back to: the console. */
  operatorBaseUrl: string;
  logger: Logger;
}

/** Somebody whose access token is good, and who may see at least. */
export interface SignedIn extends VerifiedToken {
  issuer: string;
  /** For a person to read. */
  name?: string;
}

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** What only the browser knows that has begun to sign in. */
interface Begun {
  state: string;
  nonce: string;
  verifier: string;
}

const begunLifeMs = 600_000;
/** Whoever reaches the listener can make up what has begun, and each answer is a request with our secret. */
const exchangesPerMinute = 30;
const nameLengthMax = 100;

/** Signs people in by way of an identity provider: the authorization code flow of OpenID Connect, with PKCE. */
export class ProviderSignIn {
  readonly #parameters: Record<string, string>;
  readonly #parts: SignInParts;
  readonly #cookie: Cookie;
  readonly #redirectUri: string;
  readonly #scope: string;
  readonly #client: ProviderClient;
  readonly #exchanges = new RateLimit('sign-ins', exchangesPerMinute);

  constructor({ scope, parameters, ...client }: SignInSettings, parts: SignInParts) {
    this.#client = new ProviderClient({ ...client, issuer: parts.identityProvider.issuer });
    this.#parameters = parameters;
    this.#parts = parts;
    this.#cookie = new Cookie('app-registry-sign-in', parts);
    this.#redirectUri = `${parts.operatorBaseUrl}/`;
    this.#scope = scope ?? ['openid', 'profile', ...this.#operatorScopes()].join(' ');
  }

  /** Where a browser has to go to sign in. It keeps what proves later that it was this one. */
  async begin(reply: FastifyReply): Promise<string> {
    const begun: Begun = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
    const request = {
      ...this.#parameters,
      scope: this.#scope,
      redirect_uri: this.#redirectUri,
      state: begun.state,
      nonce: begun.nonce,
      code_challenge: await calculatePKCECodeChallenge(begun.verifier),
      code_challenge_method: 'S256',
    };
    const address = await this.#attempt(async () => buildAuthorizationUrl(await this.#client.configuration(), request));
    const value = [begun.state, begun.nonce, begun.verifier].join('.');
    this.#cookie.set(reply, { value, lifeMs: begunLifeMs });
    return address.href;
  }

  /** Who has come back, once for each time that somebody has gone. */
  async finish(query: string, { request, reply }: Exchange): Promise<SignedIn> {
    const begun = this.#begunBy(request, query);
    this.#cookie.clear(reply);
    await this.#countExchange();
    const { accessToken, claims } = await this.#attempt(() => this.#exchange(query, begun));
    const { identityProvider } = this.#parts;
    const verified = await identityProvider.verify(accessToken);
    if (!verified) throw this.#refused(notForUs);
    if (!verified.holder.kinds.includes('operator')) throw this.#refused(this.#noScopes());
    const name = nameIn(claims);
    return { ...verified, issuer: identityProvider.issuer, ...(name !== undefined && { name }) };
  }

  #begunBy(request: FastifyRequest, query: string): Begun {
    const [state, nonce, verifier] = this.#cookie.valueOf(request)?.split('.') ?? [];
    if (state && nonce && verifier && new URLSearchParams(query).get('state') === state) {
      return { state, nonce, verifier };
    }
    const code = errorWithoutState(query);
    if (code !== null) {
      throw this.#refused(
        `The identity provider has not signed you in: it says ${code}, and not which request it means. Sign in again. If that does not help, show this to whoever runs the registry.`,
      );
    }
    throw signInRefused(
      `This browser waits for no such answer of the identity provider: it was taken before, is older than ten minutes, or another tab has begun since. Sign in again, at ${this.#redirectUri}`,
    );
  }

  async #countExchange(): Promise<void> {
    const { refusal } = await this.#exchanges.take('everybody');
    if (!refusal) return;
    const { headers } = refusal;
    const detail = `More than ${exchangesPerMinute} have signed in by the identity provider within a minute, or tried to. Sign in again in ${headers['retry-after']} s, or with an operator token.`;
    throw new HttpProblem('too_many_requests', detail, headers);
  }

  async #exchange(query: string, { state, nonce, verifier }: Begun) {
    const answer = new URL(`?${query}`, this.#redirectUri);
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
    // RFC 8707 wants the resource in both requests; what a provider does not know it must ignore (RFC 6749, 3.2).
    const tokens = await authorizationCodeGrant(await this.#client.configuration(), answer, checks, this.#parameters);
    return { accessToken: tokens.access_token, claims: tokens.claims() };
  }

  async #attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      this.#tell(reasonOf(error));
      throw providerProblem(error);
    }
  }

  #refused(detail: string): HttpProblem {
    this.#tell(detail);
    return signInRefused(detail);
  }

  #tell(reason: string): void {
    this.#parts.logger.warn({ reason }, 'a sign-in by the identity provider has failed');
  }

  #operatorScopes(): string[] {
    return tokenScopes.map((scope) => this.#parts.scopePrefix + scope);
  }

  #noScopes(): string {
    return `The identity provider has signed you in, and its token for this registry has none of the scopes of operators: ${this.#operatorScopes().join(', ')}. Ask whoever looks after the provider for one.`;
  }
}

const notForUs =
  'The identity provider has signed you in, and has issued a token that is not for this registry, or no access token. Whoever runs the registry looks at OIDC_AUDIENCE and OIDC_SIGN_IN_PARAMETERS; with LOG_LEVEL=debug the log says why.';

/** Of an answer that anybody's link may have brought, only what cannot be a sentence. */
function errorWithoutState(query: string): string | null {
  const answer = new URLSearchParams(query);
  return answer.has('state') ? null : (/^[a-z_]{1,50}$/.exec(answer.get('error') ?? '')?.[0] ?? null);
}

function nameIn(claims: IDToken | undefined): string | undefined {
  const name = [claims?.name, claims?.preferred_username].find((claim) => typeof claim === 'string' && claim !== '');
  return typeof name === 'string' ? name.slice(0, nameLengthMax) : undefined;
}
