import { type Connection, defineList } from '../../storage/query.ts';

/** The apps of a developer that were deleted since a time and can be restored. */
export const listDeletedSince = defineList((db, { developerId, since }: { developerId: string; since: number }) =>
  db
    .selectFrom('deleted_apps')
    .select('id')
    .where('developer_id', '=', developerId)
    .where('deleted_at', '>=', since)
    .orderBy('id'),
);

/** Inside a write: marks the tokens of a developer, or removes the marks. Returns the number of valid ones that changed. */
export async function updateTokensSuspended(
  connection: Connection,
  { developerId, suspended, now }: { developerId: string; suspended: 0 | 1; now: number },
): Promise<number> {
  const { builder } = connection;
  const query = builder
    .selectFrom('access_tokens')
    .select(['id', 'expires_at', 'revoked_at'])
    .where('developer_id', '=', developerId)
    .where('suspended', '<>', suspended)
    .orderBy('id')
    .forUpdate();
  const tokens = await connection.rows(query.compile());
  if (tokens.length === 0) return 0;
  const update = builder.updateTable('access_tokens').set({ suspended }).where('developer_id', '=', developerId);
  await connection.run(update.where('suspended', '<>', suspended).compile());
  return tokens.filter(({ expires_at: expiresAt, revoked_at: revokedAt }) => revokedAt === null && expiresAt > now)
    .length;
}
