import type { TokenHolder } from '../../registry/tokens/authenticate.ts';

/** A good token. */
export interface VerifiedToken {
  holder: TokenHolder;
  /** In milliseconds since 1970. */
  goodUntil: number;
}

const defaultMax = 10_000;

/** Tokens whose signature need not be verified again, by their hash; those used last when there are too many. */
export class VerifiedTokens {
  readonly #max: number;
  /** In the order of their last use. */
  readonly #tokens = new Map<string, VerifiedToken>();

  constructor(max: number = defaultMax) {
    this.#max = max;
  }

  find(hash: string, now: number): VerifiedToken | null {
    const token = this.#tokens.get(hash);
    if (!token) return null;
    this.#tokens.delete(hash);
    if (token.goodUntil <= now) return null;
    this.#tokens.set(hash, token);
    return token;
  }

  add(hash: string, token: VerifiedToken): void {
    this.#tokens.delete(hash);
    this.#tokens.set(hash, token);
    if (this.#tokens.size <= this.#max) return;
    const [leastUsed] = this.#tokens.keys();
    this.#tokens.delete(leastUsed as string);
  }
}
