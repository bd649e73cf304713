import {
  AccessToken,
  AccessTokenQuery,
  IssuedAccessToken,
  ListedAccessToken,
  NewAccessToken,
} from '../../contract/access-token.ts';
import { pageOf } from '../../contract/page.ts';
import type { Registry } from '../../registry/registry.ts';
import { issueToken } from '../../registry/tokens/issue-token.ts';
import { listTokens } from '../../registry/tokens/list-tokens.ts';
import { revokeToken } from '../../registry/tokens/revoke-token.ts';
import { showToken } from '../../registry/tokens/show-token.ts';
import type { Operation } from './operation.ts';

const tokens = '/operator/v1/tokens';
const token = `${tokens}/:id`;

/** Access tokens. */
export function tokenOperations(registry: Registry): Operation[] {
  return [
    {
      method: 'GET',
      path: tokens,
      id: 'listTokens',
      summary: 'List tokens, in the order of their ids',
      scope: 'admin',
      query: AccessTokenQuery,
      answer: pageOf(ListedAccessToken, 'ListedAccessToken'),
      handle: ({ query }) => listTokens(registry, query),
    },
    {
      method: 'POST',
      path: tokens,
      id: 'issueToken',
      summary: 'Issue a token',
      description:
        'The token is in this answer and nowhere else. A repeat with the same `Idempotency-Key` is answered 409 with the id of the token.',
      scope: 'admin',
      body: NewAccessToken,
      creates: true,
      answer: IssuedAccessToken,
      refusals: ['developer_not_found', 'token_issued'],
      handle: ({ caller, body }) => issueToken(registry, caller, body),
    },
    {
      method: 'GET',
      path: token,
      id: 'showToken',
      summary: 'Show a token, without its secret',
      scope: 'admin',
      answer: ListedAccessToken,
      refusals: ['token_not_found'],
      handle: ({ params: { id } }) => showToken(registry, id),
    },
    {
      method: 'POST',
      path: `${token}/revoke`,
      id: 'revokeToken',
      summary: 'Revoke a token: the next request with it is refused',
      scope: 'admin',
      answer: AccessToken,
      refusals: ['token_not_found'],
      handle: ({ caller, params: { id } }) => revokeToken(registry, caller, id),
    },
  ];
}
