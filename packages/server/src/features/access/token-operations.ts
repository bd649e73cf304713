import { DryRunQuery, orDryRun } from '../../kernel/dry-run-result.ts';
import type { OperatorOperation } from '../../kernel/operation-declaration.ts';
import { totalPageOf } from '../../kernel/page-parameters.ts';
import { AccessToken, AccessTokenQuery, IssuedAccessToken, ListedAccessToken, NewAccessToken } from './access-token.ts';
import { TokenChanges, TokenChangesQuery } from './token-changes.ts';

const tokens = '/operator/v1/tokens';
const token = `${tokens}/:id` as const;

/** Access tokens. */
export const tokenOperations = {
  listTokens: {
    method: 'GET',
    path: tokens,
    summary: 'List tokens, ordered by id',
    scope: 'admin',
    query: AccessTokenQuery,
    response: totalPageOf(ListedAccessToken, 'ListedAccessToken'),
  },
  issueToken: {
    method: 'POST',
    path: tokens,
    summary: 'Issue a token',
    description:
      'The token is only in this response. A retry with the same `Idempotency-Key` receives 409 with the id of the token.',
    scope: 'admin',
    body: NewAccessToken,
    creates: true,
    response: IssuedAccessToken,
    refusals: ['developer_not_found', 'token_issued'],
  },
  getToken: {
    method: 'GET',
    path: token,
    summary: 'Show a token, without its secret',
    scope: 'admin',
    response: ListedAccessToken,
    refusals: ['token_not_found'],
  },
  listTokenChanges: {
    method: 'GET',
    path: `${token}/changes`,
    summary: 'Summarise what a token changed, by app and workspace',
    description:
      'Shows which apps and workspaces were changed with a token, even a revoked one. The id is that of a token, or the `oidc:` actor of a person who signs in with the identity provider. Each page summarises a bounded number of changes.',
    scope: 'read',
    query: TokenChangesQuery,
    response: TokenChanges,
    refusals: ['token_not_found'],
  },
  revokeToken: {
    method: 'POST',
    path: `${token}/revoke`,
    summary: 'Revoke a token, from its next request on',
    scope: 'admin',
    query: DryRunQuery,
    response: orDryRun(AccessToken, 'AccessToken'),
    refusals: ['token_not_found'],
  },
} as const satisfies Record<string, OperatorOperation>;
