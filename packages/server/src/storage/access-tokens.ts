import { change, find, insert } from './query.ts';
import { columns } from './tables.ts';

export const findAccessToken = find((db, { id }: { id: string }) =>
  db.selectFrom('access_tokens').select(columns.access_tokens).where('id', '=', id).forUpdate(),
);

export const findAccessTokenByHash = find((db, { hash }: { hash: string }) =>
  db
    .selectFrom('access_tokens')
    .select(['id', 'kind', 'developer_id', 'expires_at', 'revoked_at'])
    .where('hash', '=', hash),
);

export const insertAccessToken = insert('access_tokens');

export const updateRevokedAt = change((db, { id, revokedAt }: { id: string; revokedAt: number }) =>
  db.updateTable('access_tokens').set({ revoked_at: revokedAt }).where('id', '=', id),
);
