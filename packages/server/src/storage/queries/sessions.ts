import { change, find, insert } from '../query.ts';
import type { AccessTokenRow } from '../tables.ts';

interface Held {
  hash: string;
  now: number;
}

/** What a session or a code stands for: a token of the registry, or whom an identity provider has issued one to. */
type StandsFor = ({ holder: null } & Omit<AccessTokenRow, 'hash' | 'created_at' | 'last_used_at'>) | { holder: string };

/** What a session or a code stands for, while that lasts; a token of the registry may be good no longer. */
export const findSessionByHash = find((db, { hash, now }: Held) =>
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
    ])
    .where('sessions.hash', '=', hash)
    .where('sessions.expires_at', '>', now)
    .$castTo<StandsFor & { session_expires_at: number }>(),
);

export const insertSession = insert('sessions');

export const deleteSession = change((db, { hash }: { hash: string }) =>
  db.deleteFrom('sessions').where('hash', '=', hash),
);

/** Deletes those that have ended at this time. */
export const deleteSessionsUntil = change((db, { time }: { time: number }) =>
  db.deleteFrom('sessions').where('expires_at', '<=', time),
);
