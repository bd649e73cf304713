import { change, find, insert, list } from '../../storage/query.ts';
import type { AccessTokenRow } from '../../storage/tables.ts';

interface Lookup {
  hash: string;
  now: number;
}

/** The subject of a session or code: a token of the registry, or the holder of a token of an identity provider. */
type SessionSubject =
  | ({ holder: null } & Omit<AccessTokenRow, 'hash' | 'created_at' | 'last_used_at'>)
  | { holder: string };

/** The subject of an unexpired session or code. A token of the registry may itself be expired or revoked. */
export const findSessionByHash = find((db, { hash, now }: Lookup) =>
  db
    .selectFrom('sessions')
    .leftJoin('access_tokens', 'access_tokens.id', 'sessions.token_id')
    .select([
      'sessions.holder',
      'sessions.expires_at as session_expires_at',
      'access_tokens.id',
      'access_tokens.kind',
      'access_tokens.developer_id',
      'access_tokens.name',
      'access_tokens.scopes',
      'access_tokens.expires_at',
      'access_tokens.revoked_at',
      'access_tokens.updates_per_minute',
      'access_tokens.reads_per_minute',
      'access_tokens.suspended',
    ])
    .where('sessions.hash', '=', hash)
    .where('sessions.expires_at', '>', now)
    .$castTo<SessionSubject & { session_expires_at: number }>(),
);

/** The people whom an identity provider has signed in now, as JSON: at most as many as the limit. */
export const listSignedIn = list((db, { now, limit }: { now: number; limit: number }) =>
  db
    .selectFrom('sessions')
    .select('holder')
    .where('holder', 'is not', null)
    .where('expires_at', '>', now)
    .limit(limit)
    .$castTo<{ holder: string }>(),
);

export const insertSession = insert('sessions');

export const deleteSession = change((db, { hash }: { hash: string }) =>
  db.deleteFrom('sessions').where('hash', '=', hash),
);

/** Deletes the sessions and codes that expired at or before a time. */
export const deleteSessionsUntil = change((db, { time }: { time: number }) =>
  db.deleteFrom('sessions').where('expires_at', '<=', time),
);
