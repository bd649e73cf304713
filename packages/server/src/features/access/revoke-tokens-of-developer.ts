import { dateTime } from '../../kernel/date-time.ts';
import { developerNotFound } from '../../kernel/failure.ts';
import { writeIdempotently } from '../../kernel/idempotency.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import type { Connection } from '../../storage/query.ts';
import { findDeveloper } from '../developers/developer-queries.ts';
import { requireDeveloperId } from '../developers/replace-developer.ts';
import { appendEvents, type ChangeContext } from '../events/append-event.ts';
import type { RevokedTokens } from './access-token.ts';
import { listUnrevokedTokens, updateRevokedAt } from './access-token-queries.ts';

/**
 * Revokes every token of a developer, including expired ones. Those already revoked retain their time. Refuses with
 * `developer_not_found`.
 */
export async function revokeTokensOfDeveloper(registry: Registry, caller: Caller, id: string): Promise<RevokedTokens> {
  const developerId = requireDeveloperId(registry, id);
  return writeIdempotently(registry, caller, {
    content: ['revokeTokensOfDeveloper', developerId],
    work: async (transaction) => {
      if (!(await findDeveloper(transaction, { userId: developerId }))) throw developerNotFound(developerId);
      const tokensRevoked = await revokeTokensIn(transaction, { caller, at: registry.now() }, developerId);
      return { developerId, tokensRevoked };
    },
  });
}

/** The same within a write. Returns the number of revoked tokens. */
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
