import { createHash } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { Logger } from 'pino';
import { authenticate, hashOfToken, type Principal } from '../../features/access/access-token.ts';
import { isSuspended } from '../../features/developers/suspended-developer.ts';
import { toTypeId } from '../../kernel/ids.ts';
import { type Registry, type TokenKind, tokenScopes } from '../../kernel/registry.ts';
import type { Authenticate } from '../auth/bearer-auth.ts';
import { HttpProblem } from '../problem/problem.ts';
import { IssuerKeys, type RefreshIntervals, type VerifiedToken } from './issuer-keys.ts';

/** An issuer whose access tokens are accepted, and how their claims are read. */
export interface IdentityProviderSettings extends ClaimMapping {
  /** Exactly as in the `iss` claim. */
  issuer: string;
  audience: string;
  /** `JWT` also accepts tokens whose `typ` header does not identify them as access tokens. */
  tokenType: TokenType;
}

type TokenType = 'at+jwt' | 'JWT';

export interface IdentityProviderParts {
  logger: Logger;
  now?: () => number;
  intervals?: Partial<RefreshIntervals>;
  elapsedMs?: () => number;
}

const clockToleranceMs = 30_000;

/** No symmetric ones: anyone who can verify such a token can forge it. */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** Claims of ID tokens and logout tokens, which access tokens do not have (OpenID Connect Core 2, 3.3.2.11). */
const otherTokensClaims = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events'];

/** An external issuer of access tokens. */
export class IdentityProvider {
  readonly #settings: IdentityProviderSettings;
  readonly #logger: Logger;
  readonly #now: () => number;
  readonly #keys: IssuerKeys;

  constructor(
    settings: IdentityProviderSettings,
    { logger, now = Date.now, intervals = {}, elapsedMs }: IdentityProviderParts,
  ) {
    this.#settings = settings;
    this.#logger = logger;
    this.#now = now;
    this.#keys = new IssuerKeys(settings.issuer, { logger, intervals, elapsedMs });
  }

  /** Fetches the issuer's keys, now and every few minutes. Returns a function that stops this. */
  start(): () => void {
    return this.#keys.start();
  }

  get issuer(): string {
    return this.#settings.issuer;
  }

  /** The principal of an access token of the issuer; null if it is not valid. */
  async authenticate(token: string): Promise<Principal | null> {
    return (await this.verify(token))?.principal ?? null;
  }

  /**
   * An access token of the issuer (RFC 9068); null if it is not valid. A 503 until the issuer's keys have been fetched
   * once. A token is verified once, and cached until it expires or the issuer's keys change.
   */
  async verify(token: string): Promise<VerifiedToken | null> {
    const verified = await this.#keys.verified();
    if (!verified) throw noKeys(this.#keys.cooldownMs);
    const hash = hashOfToken(token);
    const cached = verified.get(hash);
    if (cached && cached.goodUntil > this.#now()) return cached;

    const claims = await this.#claimsOf(token);
    if (!claims) return null;
    const principal = principalOfClaims(claims, this.#settings);
    const fresh = { principal, goodUntil: Number(claims.exp) * 1000 + clockToleranceMs };
    verified.set(hash, fresh);
    return fresh;
  }

  /** The claims of a valid token. Logs why any other is rejected, without its content. */
  async #claimsOf(token: string): Promise<JWTPayload | null> {
    const { issuer, audience, tokenType } = this.#settings;
    try {
      const { payload, protectedHeader } = await jwtVerify(token, this.#keys.keyOf, {
        algorithms,
        issuer,
        audience,
        requiredClaims: ['exp', 'sub'],
        clockTolerance: clockToleranceMs / 1000,
        currentDate: new Date(this.#now()),
      });
      requireAccessToken(payload, { typ: protectedHeader.typ, accepted: tokenType });
      return payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) {
        this.#logger.debug({ reason: error.message }, 'rejected a token of the identity provider');
      } else {
        // Too short or malformed: no bug here, and no token of this key is valid.
        this.#logger.warn({ err: error }, 'the identity provider published an unusable key');
      }
      return null;
    }
  }
}

/** Requires a bearer access token, which the signature, issuer, audience and times do not prove. */
function requireAccessToken(
  claims: JWTPayload,
  { typ, accepted }: { typ: string | undefined; accepted: TokenType },
): void {
  if (typeof claims.sub !== 'string' || claims.sub === '')
    throw new errors.JWTInvalid('the "sub" claim is not a non-empty string');
  // RFC 7800: it requires proof of possession of a key, which is not checked here.
  if (claims.cnf !== undefined) throw new errors.JWTInvalid('the "cnf" claim binds the token to a key');
  const type = String(typ ?? 'JWT')
    .toLowerCase()
    .replace(/^application\//, '');
  if (type === 'at+jwt') return;
  if (type !== 'jwt' || accepted !== 'JWT') {
    throw new errors.JWTInvalid('the "typ" header is not that of an access token (see OIDC_TOKEN_TYPE)');
  }
  rejectOtherTokens(claims);
}

/** Recognizes other tokens without a type by claims that access tokens do not have. */
function rejectOtherTokens(claims: JWTPayload): void {
  const other = otherTokensClaims.find((name) => claims[name] !== undefined);
  if (other) throw new errors.JWTInvalid(`the "${other}" claim does not belong in an access token`);
  // Keycloak puts the type here; its access tokens have "Bearer".
  if (claims.typ === undefined || claims.typ === 'Bearer') return;
  throw new errors.JWTInvalid('the "typ" claim is not that of an access token');
}

function noKeys(retryAfterMs: number): HttpProblem {
  return new HttpProblem(
    'unavailable',
    'The keys of the identity provider cannot be fetched, so its tokens cannot be verified. Retry in a moment.',
    { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) },
  );
}

/** How to read the claims of an access token. */
export interface ClaimMapping {
  /** Identifies the developer, as a TypeID or a bare UUID. */
  userIdClaim: string;
  /** The scopes of all of these count; each claim is a text or a list. */
  scopeClaims: string[];
  /** Precedes `developer`, `platform` and the scopes of an operator. */
  scopePrefix: string;
  userIdPrefix: string;
}

/** Unlikely to identify a person: no email address, no name with a dot or a space. */
const opaque = /^[\w|-]{1,100}$/;

/**
 * The principal of a token with these claims. Without a known scope, the principal may do nothing. Whether their developer is
 * suspended is not in the claims.
 */
export function principalOfClaims(claims: JWTPayload, mapping: ClaimMapping): Principal {
  const granted = grantedScopes(claims, mapping);
  const developerId = granted.has('developer') ? userIdOf(claims, mapping) : null;
  const scopes = tokenScopes.filter((scope) => granted.has(scope));
  const kinds: TokenKind[] = [];
  if (developerId !== null) kinds.push('developer');
  if (granted.has('platform')) kinds.push('platform');
  if (scopes.length > 0) kinds.push('operator');
  return {
    id: principalId(String(claims.sub)),
    kinds,
    developerId,
    isSuspended: false,
    scopes,
    updatesPerMinute: null,
    readsPerMinute: null,
    requestsPerMinute: null,
  };
}

function grantedScopes(claims: JWTPayload, { scopeClaims, scopePrefix }: ClaimMapping): Set<string> {
  const scopes = scopeClaims.flatMap((name) => scopesIn(claims[name]));
  return new Set(
    scopes.filter((scope) => scope.startsWith(scopePrefix)).map((scope) => scope.slice(scopePrefix.length)),
  );
}

function scopesIn(claim: unknown): string[] {
  if (typeof claim === 'string') return claim.split(' ');
  return Array.isArray(claim) ? claim.filter((item) => typeof item === 'string') : [];
}

function userIdOf(claims: JWTPayload, { userIdClaim, userIdPrefix }: ClaimMapping): string | null {
  const value = claims[userIdClaim];
  return typeof value === 'string' ? toTypeId(value, userIdPrefix) : null;
}

/** The same for all tokens of a subject. Events contain it, so what could identify a person is hashed. */
function principalId(subject: string): string {
  return opaque.test(subject) ? `oidc:${subject}` : `oidc:sha256:${createHash('sha256').update(subject).digest('hex')}`;
}

/** Accepts the registry's own tokens, and those of the identity provider if there is one. */
export function authenticateWith(registry: Registry, identityProvider: IdentityProvider | null): Authenticate {
  const authenticateOwn: Authenticate = authenticate.bind(null, registry);
  if (!identityProvider) return authenticateOwn;
  return (token) => (isJwt(token) ? authenticateIssued(registry, identityProvider, token) : authenticateOwn(token));
}

/** Each time reads whether the developer is suspended, for there is no row of the token that could say so. */
async function authenticateIssued(
  registry: Registry,
  identityProvider: IdentityProvider,
  token: string,
): Promise<Principal | null> {
  const principal = await identityProvider.authenticate(token);
  if (!principal || principal.developerId === null) return principal;
  return { ...principal, isSuspended: await isSuspended(registry, principal.developerId) };
}

/** Whether a token has the form of a JWT; the registry's own have no dots. */
export function isJwt(token: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token);
}
