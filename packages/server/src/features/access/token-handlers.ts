import { runOrTry } from '../../kernel/dry-run.ts';
import type { Handlers } from '../../kernel/handler.ts';
import type { Registry } from '../../kernel/registry.ts';
import { getToken } from './get-token.ts';
import { issueToken } from './issue-token.ts';
import { listTokenChanges } from './list-token-changes.ts';
import { listTokens } from './list-tokens.ts';
import { revokeToken } from './revoke-token.ts';
import type { tokenOperations } from './token-operations.ts';

/** Access tokens. */
export function tokenHandlers(registry: Registry): Handlers<typeof tokenOperations> {
  return {
    listTokens: ({ query }) => listTokens(registry, query),
    issueToken: ({ caller, body }) => issueToken(registry, caller, body),
    getToken: ({ params: { id } }) => getToken(registry, id),
    listTokenChanges: ({ params: { id }, query }) => listTokenChanges(registry, id, query),
    revokeToken: ({ caller, params: { id }, dryRun }) =>
      runOrTry(registry, { dryRun, scope: { tokenId: id } }, (tried) => revokeToken(tried, caller, id)),
  };
}
