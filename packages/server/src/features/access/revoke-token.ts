import { dateTime } from '../../kernel/date-time.ts';
import { Failure } from '../../kernel/failure.ts';
import { withoutColumns, writeIdempotently } from '../../kernel/idempotency.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import { isTypeId } from '../../kernel/type-id.ts';
import type { AccessTokenRow } from '../../storage/tables.ts';
import { appendEvent } from '../events/append-event.ts';
import type { AccessToken } from './access-token.ts';
import { findAccessToken, findAccessTokenForUpdate, updateRevokedAt } from './access-token-queries.ts';
import { accessTokenView } from './access-token-view.ts';

/**
 * Revokes a token: its next request is refused. A token that was already revoked retains its time. Refuses with
 * `token_not_found`.
 */
export async function revokeToken(registry: Registry, caller: Caller, id: string): Promise<AccessToken> {
  const { row } = await writeIdempotently<{ row: AccessTokenRow }>(registry, caller, {
    content: ['revokeToken', id],
    work: async (transaction) => {
      const token = isTypeId(id, 'token') ? await findAccessTokenForUpdate(transaction, { id }) : null;
      if (!token) throw tokenNotFound(id);
      if (token.revoked_at !== null) return { row: token };
      const at = registry.now();
      await updateRevokedAt(transaction, { id, revokedAt: at });
      await appendEvent(transaction, {
        caller,
        at,
        type: 'token.revoked',
        subjectId: id,
        after: { revokedAt: dateTime(at) },
      });
      return { row: { ...token, revoked_at: at } };
    },
    // The name may be that of a person.
    form: withoutColumns(['name', 'hash'], (transaction) => findAccessToken(transaction, { id })),
  });
  return accessTokenView(row);
}

export function tokenNotFound(id: string): Failure {
  return new Failure('token_not_found', `No token has the id ${id}. Check the id.`);
}
