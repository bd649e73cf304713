import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { feedIndex } from './migrations/baseline.ts';
import { type Connection, defineChange, defineFind, defineInsert, defineStream, type Reader } from './query.ts';
import type { Storage } from './storage.ts';
import { feedPosition } from './table-columns.ts';
import { type ClockObservationRow, columns, type Tables } from './tables.ts';

export const findClockObservation = defineFind((db, { bootId }: { bootId: string }) =>
  db.selectFrom('clock_observations').select(columns.clock_observations).where('boot_id', '=', bootId),
);

/** Replaces the earlier one of the same start of a machine. */
export const replaceClockObservation = defineChange((db, { boot_id, observed_at, uptime_ms }: ClockObservationRow) =>
  db
    .insertInto('clock_observations')
    .values({ boot_id, observed_at, uptime_ms })
    .onConflict((conflict) => conflict.column('boot_id').doUpdateSet({ observed_at, uptime_ms })),
);

/** Deletes the observations of other starts up to a time. */
export const deleteOtherClockObservations = defineChange((db, { bootId, until }: { bootId: string; until: number }) =>
  db.deleteFrom('clock_observations').where('boot_id', '<>', bootId).where('observed_at', '<=', until),
);

/** Changes when a database is restored, so that nothing issued before counts as current. */
export const findEpoch = defineFind((db) => db.selectFrom('registry_epoch').select('epoch'));

/** Invalidates every earlier ETag. */
export const renewEpoch = defineChange((db, { epoch }: { epoch: string }) =>
  db.updateTable('registry_epoch').set({ epoch }),
);

interface TokenKey {
  tokenId: string;
  key: string;
}

/**
 * Inside a write: locks a token's key until the write ends. Returns false if another write holds it. SQLite runs
 * writes one at a time, so the lock is always free.
 */
export async function lockIdempotencyKey(
  transaction: Connection,
  engine: Storage['engine'],
  { tokenId, key }: TokenKey,
): Promise<boolean> {
  if (engine === 'sqlite') return true;
  const id = createHash('sha256').update(`${tokenId} ${key}`).digest().readBigInt64BE();
  const query = sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${String(id)}::bigint) as locked`;
  const [result] = await transaction.rows(query.compile(transaction.builder));
  return result?.locked === true;
}

export const findIdempotencyKey = defineFind((db, { tokenId, key }: TokenKey) =>
  db
    .selectFrom('idempotency_keys')
    .select(columns.idempotency_keys)
    .where('token_id', '=', tokenId)
    .where('key', '=', key),
);

export const insertIdempotencyKey = defineInsert('idempotency_keys');

export const deleteIdempotencyKey = defineChange((db, { tokenId, key }: TokenKey) =>
  db.deleteFrom('idempotency_keys').where('token_id', '=', tokenId).where('key', '=', key),
);

/** Deletes the keys stored at or before a time. */
export const deleteIdempotencyKeysUntil = defineChange((db, { time }: { time: number }) =>
  db.deleteFrom('idempotency_keys').where('created_at', '<=', time),
);

/** A query for the ids of a list. */
export type ListedIds = RawBuilder<unknown>;

/** The number of rows that a query for ids selects, which reads no more than its limit. */
export async function countRows(reader: Reader, ids: ListedIds): Promise<number> {
  const query = sql<{ count: number }>`select count(*) as count from (${ids}) as counted`;
  const [row] = await reader.rows(query.compile(reader.builder));
  return row?.count ?? 0;
}

/** About how many rows a table has, without reading them: on SQLite, deleted ones between the first and the last count. */
export async function estimateRows(
  { reader, engine }: Pick<Storage, 'reader' | 'engine'>,
  table: keyof Tables,
): Promise<number> {
  const from = sql.table(table);
  const query =
    engine === 'sqlite'
      ? sql<{ rows: number }>`select (select max(rowid) from ${from}) - (select min(rowid) from ${from}) + 1 as rows`
      : sql<{ rows: number }>`select reltuples::bigint as rows from pg_class where oid = ${table}::regclass`;
  const [row] = await reader.rows(query.compile(reader.builder));
  return row?.rows ?? 0;
}

export const streamDevelopers = defineStream((db) =>
  db.selectFrom('developers').select(columns.developers).orderBy('user_id'),
);

/** Few at a time: images are large. */
export const streamLogos = defineStream((db) => db.selectFrom('logos').select(columns.logos).orderBy('id'), {
  rowsMax: 8,
});

export const streamApps = defineStream((db) => db.selectFrom('apps').select(columns.apps).orderBy('id'));

/**
 * Puts all events at the start of the feed, in the order of their ids, if the positions of some are those of another
 * server: restoring a dump numbers transactions anew. Earlier cursors are then refused. Reads of events wait while an
 * index is built. Returns whether it was necessary.
 */
export async function renumberFeed(storage: Storage): Promise<boolean> {
  if (!(await isForeign(storage, storage.reader))) return false;
  return storage.write(async (transaction) => {
    const { builder } = transaction;
    await transaction.run(sql`lock table events in access exclusive mode`.compile(builder));
    // Another process may have done it.
    if (!(await isForeign(storage, transaction))) return false;
    // An update of all rows would take minutes.
    for (const statement of [
      'alter table events drop column position',
      // A constant first, which existing rows get without being written.
      'alter table events add column position bigint not null default 0',
      `alter table events alter column position set default ${feedPosition}`,
      feedIndex,
    ]) {
      await transaction.run(sql.raw(statement).compile(builder));
    }
    return true;
  });
}

/** Looks at the end of an index. */
async function isForeign({ feedOrder }: Storage, connection: Connection): Promise<boolean> {
  if (!feedOrder.isForeign) return false;
  let query = connection.builder.selectFrom('events').select('id').where(feedOrder.isForeign).limit(sql.lit(1));
  for (const column of feedOrder.columns) query = query.orderBy(sql.ref(column), 'desc');
  return (await connection.rows(query.compile())).length > 0;
}

/**
 * Inside a write that creates, changes or deletes an app or developer: marks it, so that its projections are made again.
 * It has one row however often it changes.
 */
export const markForProjection = defineChange((db, { subjectId }: { subjectId: string }) =>
  db
    .insertInto('pending_projections')
    .values({ subject_id: subjectId, version: 1 })
    .onConflict((conflict) =>
      conflict.column('subject_id').doUpdateSet({ version: sql<number>`pending_projections.version + 1` }),
    ),
);

/** The scope of an operation: an app, everything of a developer, an installation, a workspace, or a token. */
export type AffectedScope =
  | { appId: string }
  | { developerId: string; now: number }
  | { installationId: string }
  | { workspaceId: string }
  | { tokenId: string };

export interface AffectedIds {
  count: number;
  /** The first ones, in order. */
  ids: string[];
}

/**
 * The number of different ids that a query has as `id`, and the first of them. Materialised, so that no engine searches a
 * whole table in the order of its ids.
 */
export async function countAffected(
  connection: Connection,
  { rows, limit }: { rows: RawBuilder<unknown>; limit: number },
): Promise<AffectedIds> {
  const count = sql<{
    count: number;
  }>`with affected as materialized (${rows}) select count(distinct id) as count from affected`;
  const ids = sql<{ id: string }>`with affected as materialized (${rows})
    select distinct id from affected order by id limit ${limit}`;
  const [counted] = await connection.rows(count.compile(connection.builder));
  const listed = await connection.rows(ids.compile(connection.builder));
  return { count: counted?.count ?? 0, ids: listed.map(({ id }) => id) };
}

const nothing = sql`select null as id where 1 = 0`;

/** The queries for what a scope contains. */
export function affectedRows(
  scope: AffectedScope,
): Record<'apps' | 'installations' | 'workspaces' | 'tokens', RawBuilder<unknown>> {
  if ('tokenId' in scope) {
    const apps = sql`select apps.id from access_tokens join apps on apps.developer_id = access_tokens.developer_id
      where access_tokens.id = ${scope.tokenId}`;
    const tokens = sql`select id from access_tokens where id = ${scope.tokenId}`;
    return { apps, installations: nothing, workspaces: nothing, tokens };
  }
  const installed = installationsIn(scope);
  return {
    apps: appsIn(scope),
    installations: sql`select installations.id ${installed}`,
    workspaces: sql`select installations.workspace_id as id ${installed}`,
    tokens: 'developerId' in scope ? tokensOf(scope) : nothing,
  };
}

function appsIn(scope: Exclude<AffectedScope, { tokenId: string }>): RawBuilder<unknown> {
  if ('appId' in scope) return sql`select id from apps where id = ${scope.appId}`;
  if ('developerId' in scope) return sql`select id from apps where developer_id = ${scope.developerId}`;
  return sql`select app_id as id ${installationsIn(scope)}`;
}

function installationsIn(scope: Exclude<AffectedScope, { tokenId: string }>): RawBuilder<unknown> {
  if ('appId' in scope) return sql`from installations where app_id = ${scope.appId}`;
  if ('installationId' in scope) return sql`from installations where id = ${scope.installationId}`;
  if ('workspaceId' in scope) return sql`from installations where workspace_id = ${scope.workspaceId}`;
  return sql`from apps join installations on installations.app_id = apps.id where developer_id = ${scope.developerId}`;
}

/** Tokens that are refused already do not count. */
function tokensOf({ developerId, now }: { developerId: string; now: number }): RawBuilder<unknown> {
  return sql`select id from access_tokens where developer_id = ${developerId} and revoked_at is null and expires_at > ${now}`;
}
