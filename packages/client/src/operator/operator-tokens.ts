import type { ApiPromise } from '../client/api-promise.ts';
import type { RequestOptions } from '../client/options.ts';
import type { List, Operations } from './operations.ts';
import type { DryRunOptions, Total, TotalQuery } from './queries.ts';
import type {
  AccessTokenOrDryRun,
  IssuedAccessToken,
  ListedAccessToken,
  NewAccessToken,
  RevokedTokensOrDryRun,
  TokenChanges,
} from './types.ts';

/**
 * Which tokens to list.
 *
 * @example
 * const query: TokenQuery = { kind: 'operator' };
 * for await (const { name, lastUsedAt } of operator.tokens.list(query)) console.log(name, lastUsedAt);
 */
export interface TokenQuery extends TotalQuery {
  sort?: 'id' | '-id' | 'expiresAt' | '-expiresAt' | undefined;
  developerId?: string | undefined;
  kind?: 'developer' | 'platform' | 'operator' | undefined;
}

/**
 * Access tokens. The text of a token is in the response of `issue` alone.
 *
 * @example
 * const { token } = await operator.tokens.issue({ kind: 'platform', name: 'storefront' });
 * console.log(token.length);
 */
export class OperatorTokens {
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
  }

  list(query?: TokenQuery, options?: RequestOptions): List<ListedAccessToken, Total> {
    return this.#operations.list(['tokens'], query, options);
  }

  issue(token: NewAccessToken, options?: RequestOptions): ApiPromise<IssuedAccessToken> {
    return this.#operations.post(['tokens'], { body: token }, options);
  }

  get(id: string, options?: RequestOptions): ApiPromise<ListedAccessToken> {
    return this.#operations.get(['tokens', id], options);
  }

  /** A summary of what was changed with a token, a page at a time. */
  listChanges(
    id: string,
    { since, cursor, ...options }: RequestOptions & { since?: string | undefined; cursor?: string | undefined } = {},
  ): ApiPromise<TokenChanges> {
    return this.#operations.get(['tokens', id, 'changes'], { ...options, query: { since, cursor } });
  }

  revoke(id: string, { dryRun, ...options }: DryRunOptions = {}): ApiPromise<AccessTokenOrDryRun> {
    return this.#operations.post(['tokens', id, 'revoke'], { query: { dryRun } }, options);
  }

  /** Revokes all tokens of a developer. */
  revokeOfDeveloper(userId: string, { dryRun, ...options }: DryRunOptions = {}): ApiPromise<RevokedTokensOrDryRun> {
    return this.#operations.post(['developers', userId, 'revoke-tokens'], { query: { dryRun } }, options);
  }
}
