import { listPage, type PageOfRows, type PageRequest } from './page.ts';
import { type Connection, change, find, insert, list } from './query.ts';
import type { QueryBuilder } from './statement.ts';
import { type AccessTokenRow, columns } from './tables.ts';

export const findAccessToken = find((db, { id }: { id: string }) =>
  db.selectFrom('access_tokens').select(columns.access_tokens).where('id', '=', id),
);

/** Inside a write: the token, which no other write changes until this one ends. */
export const findAccessTokenForUpdate = find((db, { id }: { id: string }) =>
  db.selectFrom('access_tokens').select(columns.access_tokens).where('id', '=', id).forUpdate(),
);

/** What a request must know of the token that it brings. */
export const gateTokenColumns = [
  'id',
  'kind',
  'developer_id',
  'scopes',
  'expires_at',
  'revoked_at',
  'updates_per_minute',
  'reads_per_minute',
] as const;
export type GateToken = Pick<AccessTokenRow, (typeof gateTokenColumns)[number]>;

export function accessTokenByHash(db: QueryBuilder, { hash }: { hash: string }) {
  return db.selectFrom('access_tokens').select(gateTokenColumns).where('hash', '=', hash);
}

export const insertAccessToken = insert('access_tokens');

export const updateRevokedAt = change((db, { id, revokedAt }: { id: string; revokedAt: number }) =>
  db.updateTable('access_tokens').set({ revoked_at: revokedAt }).where('id', '=', id),
);

/** Stores the hour in which these tokens were used last, in milliseconds, where it is later than what is stored. */
export async function updateLastUsedAt(
  connection: Connection,
  { ids, hour }: { ids: string[]; hour: number },
): Promise<void> {
  // In one order, so that two writes with the same tokens wait for each other and not crosswise.
  const earlier = connection.builder
    .selectFrom('access_tokens')
    .select('id')
    .where('id', 'in', ids)
    .where(({ eb, or }) => or([eb('last_used_at', 'is', null), eb('last_used_at', '<', hour)]))
    .orderBy('id')
    .forNoKeyUpdate();
  const update = connection.builder.updateTable('access_tokens').set({ last_used_at: hour }).where('id', 'in', earlier);
  await connection.run(update.compile());
}

export type AccessTokenFilter = Partial<Pick<AccessTokenRow, 'developer_id' | 'kind'>>;

/** A page of the tokens with these values, in the order of their ids. */
export function listAccessTokenPage(
  connection: Connection,
  filter: AccessTokenFilter,
  request: PageRequest,
): Promise<PageOfRows<AccessTokenRow>> {
  let query = connection.builder.selectFrom('access_tokens').select(columns.access_tokens);
  for (const [column, value] of Object.entries(filter)) {
    query = query.where(column as keyof AccessTokenFilter, '=', value);
  }
  return listPage(connection, { query, order: ['id'] }, request);
}

/** Inside a write: the tokens of a developer that are not revoked; no other write revokes them until this one ends. */
export const listUnrevokedTokens = list((db, { developerId }: { developerId: string }) =>
  db
    .selectFrom('access_tokens')
    .select('id')
    .where('developer_id', '=', developerId)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .forUpdate(),
);
