import { dateTime } from '../../kernel/date-time.ts';
import { DryRunQuery, orDryRun } from '../../kernel/dry-run-result.ts';
import { developerNotFound } from '../../kernel/failure.ts';
import { write } from '../../kernel/idempotency.ts';
import { operation } from '../../kernel/operation.ts';
import type { Connection } from '../../storage/query.ts';
import { requireDeveloperId } from '../developers/change-developer.ts';
import { findDeveloper } from '../developers/developer-queries.ts';
import { appendEvents, type ChangeContext } from '../events/append-event.ts';
import { RevokedTokens } from './access-token.ts';
import { listUnrevokedTokens, updateRevokedAt } from './access-token-queries.ts';

/** Revokes every token of a developer, including expired ones. Those already revoked retain their time. */
export const revokeTokensOfDeveloper = operation({
  id: 'revokeTokensOfDeveloper',
  method: 'POST',
  path: '/operator/v1/developers/:userId/revoke-tokens',
  summary: 'Revoke all tokens of a developer',
  scope: 'admin',
  query: DryRunQuery,
  response: orDryRun(RevokedTokens, 'RevokedTokens'),
  refusals: ['developer_not_found'],
  affects: ({ params: { userId } }) => ({ developerId: userId }),
  async run({ registry, caller, params }) {
    const developerId = requireDeveloperId(registry, params.userId);
    return write(registry, caller, async (transaction) => {
      if (!(await findDeveloper(transaction, { userId: developerId }))) throw developerNotFound(developerId);
      const tokensRevoked = await revokeTokensIn(transaction, { caller, at: registry.now() }, developerId);
      return { developerId, tokensRevoked };
    });
  },
});

/** Inside a write: revokes every token of a developer. Returns the number of revoked tokens. */
export async function revokeTokensIn(
  transaction: Connection,
  context: ChangeContext,
  developerId: string,
): Promise<number> {
  const tokens = await listUnrevokedTokens(transaction, { developerId });
  for (const token of tokens) await updateRevokedAt(transaction, { id: token.id, revokedAt: context.at });
  await appendEvents(transaction, {
    ...context,
    changes: tokens.map((token) => ({
      type: 'token.revoked',
      subjectId: token.id,
      after: { revokedAt: dateTime(context.at) },
    })),
  });
  return tokens.length;
}
