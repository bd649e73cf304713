import {
  AccessToken,
  AccessTokenQuery,
  IssuedAccessToken,
  ListedAccessToken,
  NewAccessToken,
} from '../access-token.ts';
import { DryRunQuery, orDryRun } from '../dry-run.ts';
import { totalPageOf } from '../page.ts';
import { TokenChanges, TokenChangesQuery } from '../token-changes.ts';
import type { OperatorOperation } from './operation.ts';

const tokens = '/operator/v1/tokens';
const token = `${tokens}/:id` as const;

/** Access tokens. */
export const tokenOperations = {
  listTokens: {
    method: 'GET',
    path: tokens,
    summary: 'List tokens, in the order of their ids',
    scope: 'admin',
    query: AccessTokenQuery,
    response: totalPageOf(ListedAccessToken, 'ListedAccessToken'),
  },
  issueToken: {
    method: 'POST',
    path: tokens,
    summary: 'Issue a token',
    description:
      'The token is in this response and nowhere else. A repeat with the same `Idempotency-Key` gets 409 with the id of the token.',
    scope: 'admin',
    body: NewAccessToken,
    creates: true,
    response: IssuedAccessToken,
    refusals: ['developer_not_found', 'token_issued'],
  },
  showToken: {
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
      'Which apps and workspaces did a token touch, also one that is revoked? The id is that of a token, or the `oidc:` actor of a person of the identity provider. Each page summarises a bounded number of changes.',
    scope: 'read',
    query: TokenChangesQuery,
    response: TokenChanges,
    refusals: ['token_not_found'],
  },
  revokeToken: {
    method: 'POST',
    path: `${token}/revoke`,
    summary: 'Revoke a token: the next request with it is refused',
    scope: 'admin',
    query: DryRunQuery,
    response: orDryRun(AccessToken, 'AccessToken'),
    refusals: ['token_not_found'],
  },
} as const satisfies Record<string, OperatorOperation>;
