import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { Logger } from 'pino';
import { hashOfToken } from '../../registry/tokens/access-token-text.ts';
import type { TokenHolder } from '../../registry/tokens/authenticate.ts';
import { HttpProblem } from '../problem/problem.ts';
import { IssuerKeys, type Pace, type VerifiedToken } from './issuer-keys.ts';
import { type ClaimMapping, holderOf } from './token-claims.ts';

/** Whose access tokens are accepted, and what they are taken for. */
export interface IdentityProviderSettings extends ClaimMapping {
  /** As the tokens name it, to the letter. */
  issuer: string;
  audience: string;
  /** `JWT`: tokens that do not say that they are access tokens are accepted too. */
  tokenType: TokenType;
}

type TokenType = 'at+jwt' | 'JWT';

export interface IdentityProviderParts {
  logger: Logger;
  now?: () => number;
  pace?: Partial<Pace>;
}

const clockToleranceMs = 30_000;

/** With a symmetric one, whoever can verify a token could make it. */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** Claims of ID tokens and logout tokens, which access tokens do not have (OpenID Connect Core 2, 3.3.2.11). */
const otherTokensClaims = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events'];

/** An issuer of access tokens beside the registry itself. */
export class IdentityProvider {
  readonly #settings: IdentityProviderSettings;
  readonly #logger: Logger;
  readonly #now: () => number;
  readonly #keys: IssuerKeys;

  constructor(settings: IdentityProviderSettings, { logger, now = Date.now, pace = {} }: IdentityProviderParts) {
    this.#settings = settings;
    this.#logger = logger;
    this.#now = now;
    this.#keys = new IssuerKeys(settings.issuer, { logger, pace });
  }

  /** Fetches the issuer's keys, now and every few minutes. Answers what ends that. */
  start(): () => void {
    return this.#keys.start();
  }

  get issuer(): string {
    return this.#settings.issuer;
  }

  /** The holder of an access token of the issuer; null when it is not good. */
  async authenticate(token: string): Promise<TokenHolder | null> {
    return (await this.verify(token))?.holder ?? null;
  }

  /**
   * An access token of the issuer (RFC 9068); null when it is not good. A 503 while none of the issuer's keys was
   * ever had. A token is verified once, and remembered until it expires or the issuer's keys change.
   */
  async verify(token: string): Promise<VerifiedToken | null> {
    const verified = await this.#keys.verified();
    if (!verified) throw noKeys(this.#keys.cooldownMs);
    const hash = hashOfToken(token);
    const known = verified.get(hash);
    if (known && known.goodUntil > this.#now()) return known;

    const claims = await this.#claimsOf(token);
    if (!claims) return null;
    const holder = holderOf(claims, this.#settings);
    const good = { holder, goodUntil: Number(claims.exp) * 1000 + clockToleranceMs };
    verified.set(hash, good);
    return good;
  }

  /** The claims of a good token. Says in the log why another one is refused, and nothing that it holds. */
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
        this.#logger.debug({ reason: error.message }, 'a token of the identity provider was refused');
      } else {
        // Too short, or not well-formed: no fault of ours, and whoever names it can be no one.
        this.#logger.warn({ err: error }, 'the identity provider has published a key that cannot be used');
      }
      return null;
    }
  }
}

/** What the signature, the issuer, the audience and the times do not tell: that it is an access token for anyone who has it. */
function requireAccessToken(
  claims: JWTPayload,
  { typ, accepted }: { typ: string | undefined; accepted: TokenType },
): void {
  if (typeof claims.sub !== 'string' || claims.sub === '') throw new errors.JWTInvalid('the "sub" claim is no text');
  // RFC 7800: it is good only with proof of a key, and nobody is asked for the proof here.
  if (claims.cnf !== undefined) throw new errors.JWTInvalid('the "cnf" claim binds the token to a key');
  const type = String(typ ?? 'JWT')
    .toLowerCase()
    .replace(/^application\//, '');
  if (type === 'at+jwt') return;
  if (type !== 'jwt' || accepted !== 'JWT') {
    throw new errors.JWTInvalid('the "typ" header is not that of an access token (see OIDC_TOKEN_TYPE)');
  }
  refuseOtherTokens(claims);
}

/** Tokens that do not name their type are told apart by what access tokens do not have. */
function refuseOtherTokens(claims: JWTPayload): void {
  const other = otherTokensClaims.find((name) => claims[name] !== undefined);
  if (other) throw new errors.JWTInvalid(`the "${other}" claim is not one of an access token`);
  // Keycloak names the type here, and its access tokens "Bearer".
  if (claims.typ === undefined || claims.typ === 'Bearer') return;
  throw new errors.JWTInvalid('the "typ" claim is not that of an access token');
}

function noKeys(retryAfterMs: number): HttpProblem {
  return new HttpProblem(
    'unavailable',
    'The identity provider cannot be asked for its keys, so its tokens cannot be verified. Repeat the request in a moment.',
    { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) },
  );
}
