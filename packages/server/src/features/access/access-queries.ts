import { type RawBuilder, sql } from 'kysely';
import {
  type Connection,
  defineChange,
  defineFind,
  defineInsert,
  defineList,
  type Reader,
} from '../../storage/query.ts';
import { keysInRanges, listPage, type PageOfRows, type PageRequest, type Sorting } from '../../storage/row-pages.ts';
import { type AccessTokenRow, columns } from '../../storage/tables.ts';

export const findAccessToken = defineFind((db, { id }: { id: string }) =>
  db.selectFrom('access_tokens').select(columns.access_tokens).where('id', '=', id),
);

/** The names of these tokens, and of the developers of those that are bound to one. */
export async function listTokenNames(reader: Reader, ids: string[]) {
  const query = reader.builder
    .selectFrom('access_tokens')
    .leftJoin('developers', 'developers.user_id', 'access_tokens.developer_id')
    .select(['access_tokens.id', 'access_tokens.name', 'developers.first_name', 'developers.last_name'])
    .where('access_tokens.id', 'in', ids);
  return ids.length === 0 ? [] : reader.rows(query.compile());
}

/** Inside a write: the token, locked until the write ends. */
export const findAccessTokenForUpdate = defineFind((db, { id }: { id: string }) =>
  db.selectFrom('access_tokens').select(columns.access_tokens).where('id', '=', id).forUpdate(),
);

export const insertAccessToken = defineInsert('access_tokens');

export const updateRevokedAt = defineChange((db, { id, revokedAt }: { id: string; revokedAt: number }) =>
  db.updateTable('access_tokens').set({ revoked_at: revokedAt }).where('id', '=', id),
);

/** The token is valid until `expiresAt`, beside the one that replaces it. */
export const updateReplaced = defineChange(
  (db, { id, by, at, expiresAt }: { id: string; by: string; at: number; expiresAt: number }) =>
    db
      .updateTable('access_tokens')
      .set({ replaced_by: by, replaced_at: at, expires_at: expiresAt })
      .where('id', '=', id),
);

/** Stores the hour of last use of these tokens, in milliseconds, where it is later than the stored one. */
export async function updateLastUsedAt(
  connection: Connection,
  { ids, hour, now }: { ids: string[]; hour: number; now: number },
): Promise<void> {
  // In a fixed order, so that two writes of the same tokens cannot deadlock.
  const earlier = connection.builder
    .selectFrom('access_tokens')
    .select('id')
    .where('id', 'in', ids)
    .where(({ eb, or }) =>
      or([eb('last_used_at', 'is', null), eb('last_used_at', '<', hour), eb('last_used_at', '>', now)]),
    )
    .orderBy('id')
    .forNoKeyUpdate();
  const update = connection.builder.updateTable('access_tokens').set({ last_used_at: hour }).where('id', 'in', earlier);
  await connection.run(update.compile());
}

export type AccessTokenFilter = Partial<Pick<AccessTokenRow, 'developer_id' | 'kind'>>;

export type AccessTokenSorting = Sorting<'id' | 'expires_at'>;

/** A page of the tokens that match the filter. Throws `ForeignPosition`. */
export function listAccessTokenPage(
  connection: Connection,
  filter: AccessTokenFilter,
  { sorting, ...request }: PageRequest & { sorting: AccessTokenSorting },
): Promise<PageOfRows<AccessTokenRow>> {
  let query = connection.builder.selectFrom('access_tokens').select(columns.access_tokens);
  if (sorting.order[0] === 'expires_at') {
    query = query.where('id', 'in', idsByExpiry(filter, sorting, request));
    return listPage(connection, { query, ...sorting }, request);
  }
  const { kind, developer_id } = filter;
  if (kind !== undefined) query = query.where('kind', '=', kind);
  if (developer_id !== undefined) query = query.where('developer_id', '=', developer_id);
  return listPage(connection, { query, ...sorting }, request);
}

function idsByExpiry(
  { kind, developer_id: developer }: AccessTokenFilter,
  sorting: AccessTokenSorting,
  request: PageRequest,
): RawBuilder<string> {
  const filter = Object.entries(developer == null ? { kind } : { developer_id: developer });
  const given = filter.flatMap(([column, value]) => (value === undefined ? [] : [{ column, value }]));
  // A developer has few tokens of another kind.
  const also = developer == null || kind === undefined ? {} : { also: sql<boolean>`kind = ${kind}` };
  const leading = given.map(({ column }) => column);
  const ranges = [given.map(({ value }) => value)];
  return keysInRanges({ table: 'access_tokens', leading, ranges, ...sorting, ...also }, request);
}

/** Selects the ids of tokens that match the filter, up to a limit. */
export function someAccessTokenIds(
  filter: AccessTokenFilter,
  sorting: AccessTokenSorting,
  limit: number,
): RawBuilder<string> {
  if (sorting.order[0] === 'expires_at') return idsByExpiry(filter, sorting, { limit: limit - 1 });
  const { kind, developer_id } = filter;
  const conditions = [
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ...(developer_id === undefined ? [] : [sql`developer_id = ${developer_id}`]),
  ];
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
  return sql`select id from access_tokens ${where} limit ${limit}`;
}

interface InUse {
  kind: AccessTokenRow['kind'];
  now: number;
  usedSince: number;
  /** Ignores tokens with shorter lives. */
  lifetimeMsMin: number;
  /** Considers only this many of the newest tokens of the kind. */
  newest: number;
}

/**
 * The earliest expiry among the tokens of a kind that are in use; null when there are none. Ordered by the complete
 * index and with an upper bound, so that no engine searches all tokens for the kind.
 */
export const findSoonestExpiry = defineFind((db, { kind, now, usedSince, lifetimeMsMin, newest }: InUse) => {
  const tokens = sql`select expires_at, created_at, revoked_at, replaced_by, last_used_at from access_tokens
    where (kind, id) <= (${kind}, ${lastId}) and kind >= ${kind} order by kind desc, id desc limit ${newest}`;
  const soonest = sql<{ expires_at: number | null }>`select min(expires_at) as expires_at from (${tokens}) as newest
    where revoked_at is null and replaced_by is null and expires_at > ${now} and last_used_at >= ${usedSince} and last_used_at <= ${now}
    and expires_at - created_at >= ${lifetimeMsMin}`;
  return { compile: () => soonest.compile(db) };
});

/** Sorts after every token id. */
const lastId = 'token_~';

/** Inside a write: the unrevoked tokens of a developer, locked until the write ends. */
export const listUnrevokedTokens = defineList((db, { developerId }: { developerId: string }) =>
  db
    .selectFrom('access_tokens')
    .select('id')
    .where('developer_id', '=', developerId)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .forUpdate(),
);

interface Lookup {
  hash: string;
  now: number;
}

/** The subject of a session or code: a token of the registry, or the holder of a token of an identity provider. */
type SessionSubject =
  | ({ holder: null } & Omit<AccessTokenRow, 'hash' | 'created_at' | 'last_used_at'>)
  | { holder: string };

/** The subject of an unexpired session or code. A token of the registry may itself be expired or revoked. */
export const findSessionByHash = defineFind((db, { hash, now }: Lookup) =>
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
      'access_tokens.requests_per_minute',
      'access_tokens.suspended',
    ])
    .where('sessions.hash', '=', hash)
    .where('sessions.expires_at', '>', now)
    .$castTo<SessionSubject & { session_expires_at: number }>(),
);

/** The people whom an identity provider has signed in now, as JSON: at most as many as the limit. */
export const listSignedIn = defineList((db, { now, limit }: { now: number; limit: number }) =>
  db
    .selectFrom('sessions')
    .select('holder')
    .where('holder', 'is not', null)
    .where('expires_at', '>', now)
    .limit(limit)
    .$castTo<{ holder: string }>(),
);

export const insertSession = defineInsert('sessions');

/** Deletes all sessions and codes of a holder except so many, the newest. */
export const deleteOldSessions = defineChange((db, { holderId, retained }: { holderId: string; retained: number }) =>
  db
    .deleteFrom('sessions')
    .where(
      'hash',
      'in',
      db
        .selectFrom('sessions')
        .select('hash')
        .where('holder_id', '=', holderId)
        .orderBy('created_at', 'desc')
        .orderBy('hash')
        .limit(1_000)
        .offset(retained),
    ),
);

export const deleteSession = defineChange((db, { hash }: { hash: string }) =>
  db.deleteFrom('sessions').where('hash', '=', hash),
);

/** Deletes the sessions and codes that expired at or before a time. */
export const deleteSessionsUntil = defineChange((db, { time }: { time: number }) =>
  db.deleteFrom('sessions').where('expires_at', '<=', time),
);
