import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Principal } from '../../features/access/access-token.ts';

/** When to fetch the keys of an issuer. */
export interface RefreshIntervals {
  /** Between two scheduled fetches. */
  refreshMs: number;
  /** At least between any two fetches, so that a flood of tokens does not reach the issuer. */
  cooldownMs: number;
  timeoutMs: number;
}

const defaultIntervals: RefreshIntervals = { refreshMs: 300_000, cooldownMs: 10_000, timeoutMs: 5_000 };

export interface IssuerKeysParts {
  logger: Logger;
  intervals: Partial<RefreshIntervals>;
  /** Never goes back. */
  elapsedMs?: (() => number) | undefined;
}

/** A valid token. */
export interface VerifiedToken {
  principal: Principal;
  /** In milliseconds since 1970. */
  goodUntil: number;
}

/** Tokens whose signature is verified already, by their hash. */
type VerifiedTokens = LRUCache<string, VerifiedToken>;

const verifiedTokensMax = 10_000;

/** One published set of keys, and the tokens verified with it. */
interface KnownKeys {
  published: string;
  keyOf: JWTVerifyGetKey;
  verified: VerifiedTokens;
}

/**
 * The public keys of an issuer, found by OpenID Connect Discovery. Fetched keys stay in use until the issuer publishes
 * others, however long it cannot be reached.
 */
export class IssuerKeys {
  readonly #issuer: string;
  readonly #logger: Logger;
  readonly #intervals: RefreshIntervals;
  readonly #elapsedMs: () => number;
  readonly #stopped = new AbortController();
  #known: KnownKeys | null = null;
  #fetching: Promise<void> | null = null;
  #fetchedAt = Number.NEGATIVE_INFINITY;

  constructor(issuer: string, { logger, intervals, elapsedMs = () => performance.now() }: IssuerKeysParts) {
    this.#issuer = issuer;
    this.#logger = logger;
    this.#intervals = { ...defaultIntervals, ...intervals };
    this.#elapsedMs = elapsedMs;
  }

  get cooldownMs(): number {
    return this.#intervals.cooldownMs;
  }

  /** Fetches keys now and at intervals. Returns a function that stops this. */
  start(): () => void {
    void this.#refresh();
    const timer = setInterval(() => void this.#refresh(), this.#intervals.refreshMs);
    timer.unref();
    return () => {
      clearInterval(timer);
      this.#stopped.abort();
    };
  }

  /** The tokens verified with the current keys; null until keys have been fetched. */
  async verified(): Promise<VerifiedTokens | null> {
    if (!this.#known) await this.#refresh();
    return this.#known?.verified ?? null;
  }

  /** The key that a token names. An unknown one can be new, so it is fetched from the issuer. */
  readonly keyOf: JWTVerifyGetKey = async (header, token) => {
    try {
      return await this.#published(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await this.#refresh();
      return this.#published(header, token);
    }
  };

  #published: JWTVerifyGetKey = (header, token) => {
    if (!this.#known) throw new errors.JWKSNoMatchingKey();
    return this.#known.keyOf(header, token);
  };

  /** One fetch at a time, shared by all callers, and none during the cooldown. */
  #refresh(): Promise<void> {
    if (!this.#fetching && this.#elapsedMs() - this.#fetchedAt < this.#intervals.cooldownMs) return Promise.resolve();
    this.#fetching ??= this.#fetch().finally(() => {
      this.#fetching = null;
      this.#fetchedAt = this.#elapsedMs();
    });
    return this.#fetching;
  }

  async #fetch(): Promise<void> {
    try {
      const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(this.#intervals.timeoutMs)]);
      this.#use(await fetchKeys(this.#issuer, signal));
    } catch (error) {
      if (this.#stopped.signal.aborted) return;
      const consequence = this.#known ? 'the known keys stay in use' : 'its tokens cannot be verified';
      this.#logger.warn({ err: error }, `cannot fetch the keys of the identity provider: ${consequence}`);
    }
  }

  #use(keys: JSONWebKeySet): void {
    const keyOf = createLocalJWKSet(keys);
    const published = JSON.stringify(keys);
    if (published === this.#known?.published) return;
    this.#known = { published, keyOf, verified: new LRUCache({ max: verifiedTokensMax }) };
    this.#logger.info({ keys: keys.keys.length }, 'fetched new keys of the identity provider');
  }
}

async function fetchKeys(issuer: string, signal: AbortSignal): Promise<JSONWebKeySet> {
  const metadata = await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, signal);
  const keys = await fetchJson(jwksUri(issuer, metadata), signal);
  if (isJwkSet(keys)) return keys;
  throw new Error('the issuer does not publish a JSON Web Key Set');
}

/** The keys themselves are checked when they are used. */
function isJwkSet(value: unknown): value is JSONWebKeySet {
  return isObject(value) && Array.isArray(value.keys) && value.keys.every(isObject);
}

/** The URL of an issuer's keys (OpenID Connect Discovery 1.0, 4.3). Throws if the metadata is of another issuer. */
export function jwksUri(issuer: string, metadata: unknown): string {
  const { issuer: name, jwks_uri: uri } = isObject(metadata) ? metadata : {};
  if (name !== issuer) {
    throw new Error(
      `the issuer identifies itself as ${JSON.stringify(name)}: if that is correct, set OIDC_ISSUER to it`,
    );
  }
  // An issuer without TLS is on this machine.
  if (typeof uri === 'string' && (uri.startsWith('https:') || issuer.startsWith('http:'))) return uri;
  throw new Error('the issuer metadata has no https: URL of its keys');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

async function fetchJson(url: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } });
  if (response.ok) return response.json();
  await response.body?.cancel();
  throw new Error(`${url} responded with status ${response.status}`);
}
