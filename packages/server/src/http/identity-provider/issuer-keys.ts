import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { TokenHolder } from '../../registry/tokens/authenticate.ts';

/** How often an issuer is asked, and how long for. */
export interface Pace {
  /** Between two looks without any reason. */
  refreshMs: number;
  /** Between two looks whatever the reason, so that a flood of tokens is no flood for the issuer. */
  cooldownMs: number;
  timeoutMs: number;
}

const defaultPace: Pace = { refreshMs: 300_000, cooldownMs: 10_000, timeoutMs: 5_000 };

/** A good token. */
export interface VerifiedToken {
  holder: TokenHolder;
  /** In milliseconds since 1970. */
  goodUntil: number;
}

/** Tokens whose signature need not be verified again, by their hash. */
type VerifiedTokens = LRUCache<string, VerifiedToken>;

const verifiedTokensMax = 10_000;

/** Keys as they were published at one time, and the tokens that they have verified. */
interface KnownKeys {
  published: string;
  keyOf: JWTVerifyGetKey;
  verified: VerifiedTokens;
}

/**
 * The public keys of an issuer, found by OpenID Connect Discovery. What was fetched once is used until the
 * issuer publishes something else, however long it cannot be reached.
 */
export class IssuerKeys {
  readonly #issuer: string;
  readonly #logger: Logger;
  readonly #pace: Pace;
  readonly #end = new AbortController();
  #known: KnownKeys | null = null;
  #asking: Promise<void> | null = null;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(issuer: string, { logger, pace }: { logger: Logger; pace: Partial<Pace> }) {
    this.#issuer = issuer;
    this.#logger = logger;
    this.#pace = { ...defaultPace, ...pace };
  }

  get cooldownMs(): number {
    return this.#pace.cooldownMs;
  }

  /** Looks for keys now and from time to time. Answers what ends it. */
  start(): () => void {
    void this.#refresh();
    const timer = setInterval(() => void this.#refresh(), this.#pace.refreshMs);
    timer.unref();
    return () => {
      clearInterval(timer);
      this.#end.abort();
    };
  }

  /** What was verified by the keys of now, to be forgotten with them; null while no key was ever had. */
  async verified(): Promise<VerifiedTokens | null> {
    if (!this.#known) await this.#refresh();
    return this.#known?.verified ?? null;
  }

  /** The key that a token names. One that is not known may be new, so the issuer is asked for it. */
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

  /** One look at a time, shared by all who wait for it, and none during the cooldown. */
  #refresh(): Promise<void> {
    if (!this.#asking && performance.now() - this.#askedAt < this.#pace.cooldownMs) return Promise.resolve();
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
      this.#askedAt = performance.now();
    });
    return this.#asking;
  }

  async #ask(): Promise<void> {
    try {
      const signal = AbortSignal.any([this.#end.signal, AbortSignal.timeout(this.#pace.timeoutMs)]);
      this.#take(await fetchKeys(this.#issuer, signal));
    } catch (error) {
      if (this.#end.signal.aborted) return;
      const consequence = this.#known ? 'those that are known go on working' : 'its tokens cannot be accepted';
      this.#logger.warn({ err: error }, `the identity provider cannot be asked for its keys: ${consequence}`);
    }
  }

  #take(keys: JSONWebKeySet): void {
    const keyOf = createLocalJWKSet(keys);
    const published = JSON.stringify(keys);
    if (published === this.#known?.published) return;
    this.#known = { published, keyOf, verified: new LRUCache({ max: verifiedTokensMax }) };
    this.#logger.info({ keys: keys.keys.length }, 'the identity provider has published new keys');
  }
}

async function fetchKeys(issuer: string, signal: AbortSignal): Promise<JSONWebKeySet> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const metadata = await fetchJson(address, signal);
  return (await fetchJson(addressOfKeys(issuer, metadata), signal)) as JSONWebKeySet;
}

/** Where an issuer says that its keys are (OpenID Connect Discovery 1.0, 4.3). Refuses what says it of another one. */
export function addressOfKeys(issuer: string, metadata: unknown): string {
  const { issuer: named, jwks_uri: address } = (metadata ?? {}) as Record<string, unknown>;
  if (named !== issuer) {
    throw new Error(
      `the issuer calls itself ${JSON.stringify(named)}: set OIDC_ISSUER to that, if it is the one you mean`,
    );
  }
  // An issuer without TLS is one of this machine.
  if (typeof address === 'string' && (address.startsWith('https:') || issuer.startsWith('http:'))) return address;
  throw new Error('the issuer names no https: address of its keys');
}

async function fetchJson(address: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(address, { signal, redirect: 'error', headers: { accept: 'application/json' } });
  if (response.ok) return response.json();
  await response.body?.cancel();
  throw new Error(`${address} answers with status ${response.status}`);
}
