import { listPage, type PageOfRows, type PageRequest } from './page.ts';
import { type Connection, change, find, insert, list } from './query.ts';
import { type AccessTokenRow, columns } from './tables.ts';

export const findAccessToken = find((db, { id }: { id: string }) =>
  db.selectFrom('access_tokens').select(columns.access_tokens).where('id', '=', id),
);

/** Inside a write: the token, which no other write changes until this one ends. */
export const findAccessTokenForUpdate = find((db, { id }: { id: string }) =>
  db.selectFrom('access_tokens').select(columns.access_tokens).where('id', '=', id).forUpdate(),
);

export const findAccessTokenByHash = find((db, { hash }: { hash: string }) =>
  db
    .selectFrom('access_tokens')
    .select([
      'id',
      'kind',
      'developer_id',
      'scopes',
      'expires_at',
      'revoked_at',
      'updates_per_minute',
      'reads_per_minute',
    ])
    .where('hash', '=', hash),
);

export const insertAccessToken = insert('access_tokens');

export const updateRevokedAt = change((db, { id, revokedAt }: { id: string; revokedAt: number }) =>
  db.updateTable('access_tokens').set({ revoked_at: revokedAt }).where('id', '=', id),
);

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
