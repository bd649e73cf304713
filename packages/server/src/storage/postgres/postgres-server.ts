import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Connection, Reader } from '../query.ts';
import type { TimelineChange } from '../storage.ts';
import { reasonOf, StorageUnavailable, UnusableDatabase } from '../storage-failure.ts';
import { columns } from '../tables.ts';
import { sqlState } from './postgres-failure.ts';

/**
 * Null on a primary. On a standby PostgreSQL refuses to execute it: what a standby has may be older than what was
 * acknowledged, so nothing may be read there and no refusal based on it.
 *
 * A server never turns from a primary into a standby without closing its connections. So a check of each new connection
 * would be enough, if a pooler could not give each transaction another server. Hence each batch of lookups, each write
 * and each snapshot checks too, within a statement that it sends anyway: it takes 2 µs at most. Only
 * other reads would need a transaction for it, and get one only behind a pooler.
 */
export const refuseStandby = 'case when pg_is_in_recovery() then pg_current_wal_lsn() end';

/** Returns no row on a primary. */
export const refusingStandby = `select null where ${refuseStandby} = '0/0'`;

/**
 * PostgreSQL begins another timeline at each promotion of a standby and at each recovery to a point in time, so another
 * number means another history of the database, which may lack the last changes of the earlier one. Any role may execute
 * these functions, unless a superuser has revoked it.
 */
const timelineExpression = "('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int";

interface Inspected {
  pid: number;
  timeline: number | null;
}

/** What connections reveal about the server, and about a pooler in between. */
export class Server {
  /** Called when a timeline is seen for the first time, except the first of all. Must not throw. */
  onTimelineChanged: (change: TimelineChange) => void = () => {};
  readonly #timeoutMs: number;
  readonly #timelines = new Set<number>();
  /** The one that was seen last. */
  #timeline: number | null = null;
  #isPooled = false;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Whether a pooler may give each transaction another connection, to another server even. */
  get isPooled(): boolean {
    return this.#isPooled;
  }

  /** For a new connection of a pool. Rejects a standby, so that a later attempt may find it promoted. */
  readonly inspectConnection = async (client: pg.ClientBase): Promise<void> => {
    const pid = await this.inspect(client);
    // A pooler gives clients a number of its own: its connections to servers come and go.
    this.#isPooled = pid !== Reflect.get(client, 'processID');
  };

  /** A server begins another timeline with new connections, but a pooler hides them. Returns the process of the server. */
  async inspect(client: Pick<pg.ClientBase, 'query'>): Promise<number> {
    const { pid, timeline } = await this.#query(client, timelineExpression).catch((error: unknown) => {
      if (!lacksTimelines(error)) throw error;
      return this.#query(client, 'null::int');
    });
    if (timeline !== null) this.#observeTimeline(timeline);
    return pid;
  }

  #observeTimeline(timeline: number): void {
    const from = this.#timeline;
    this.#timeline = timeline;
    // An old primary that still runs beside the new one is not a change each time that it responds.
    if (this.#timelines.has(timeline)) return;
    this.#timelines.add(timeline);
    if (from !== null) this.onTimelineChanged({ from, to: timeline });
  }

  async #query(client: Pick<pg.ClientBase, 'query'>, timeline: string): Promise<Inspected> {
    const query: pg.QueryConfig & pg.ClientConfig = {
      text: `select pg_backend_pid() as pid, ${timeline} as timeline where ${refuseStandby} is null`,
      query_timeout: this.#timeoutMs,
    };
    const { rows } = await client.query<Inspected>(query);
    return rows[0] ?? { pid: 0, timeline: null };
  }
}

/** insufficient_privilege, undefined_function and feature_not_supported: a compatible server, or a revoked privilege. */
function lacksTimelines(error: unknown): boolean {
  return /^(?:42501|42883|0A000)$/.test(sqlState(error) ?? '');
}

const versionMin = 150_000;

interface ServerSettings {
  version: number;
  encoding: string;
  /** Null where a service has no such setting, here and below. */
  fsync: string | null;
  full_page_writes: string | null;
}

/** Throws `UnusableDatabase` if the server or the database cannot hold a registry. */
export async function assertUsable(reader: Reader): Promise<void> {
  const { version, encoding } = await readSettings(reader);
  if (version < versionMin) {
    throw new UnusableDatabase(
      `This server is PostgreSQL ${Math.floor(version / 10_000)}, or reports to be; app-registry needs 15 or newer.`,
    );
  }
  if (encoding !== 'UTF8') {
    throw new UnusableDatabase(
      `The database has the encoding ${encoding}, which cannot hold every text; app-registry needs UTF8. Create another one: createdb --encoding=UTF8 --template=template0 NAME`,
    );
  }
}

/** Settings that can lose an acknowledged write although every transaction requests a sync. */
export async function durabilityWarnings(reader: Reader): Promise<string[]> {
  const { fsync, full_page_writes: fullPageWrites } = await readSettings(reader);
  return [
    ...(fsync === 'off'
      ? ['PostgreSQL runs with fsync = off: a power failure can lose or destroy everything. Turn it on.']
      : []),
    ...(fullPageWrites === 'off'
      ? [
          'PostgreSQL runs with full_page_writes = off: a power failure can destroy pages, unless the file system writes each page completely or not at all. Turn it on.',
        ]
      : []),
  ];
}

async function readSettings(reader: Reader): Promise<ServerSettings> {
  const query = sql<ServerSettings>`
    select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
      current_setting('fsync', true) as fsync, current_setting('full_page_writes', true) as full_page_writes`;
  const [settings] = await reader.rows(query.compile(reader.builder));
  if (!settings) throw new Error('a select without a table returned no row');
  return settings;
}

/** A random key differs from those of other processes that start now. */
const keyMax = 2 ** 47;

interface Capabilities {
  write<Result>(work: (transaction: Connection) => Promise<Result>): Promise<Result>;
  /** On another connection, with a time limit. */
  lookups: Connection;
}

/**
 * Tests features that some servers accept without implementing them, or implement under another name, and throws
 * `UnusableDatabase` if this server is one of them: advisory locks, which let one process migrate and one request use
 * an `Idempotency-Key`, and the isolation level, under which a statement sees what the lock it waited for has
 * protected.
 */
export async function assertCapabilities({ write, lookups }: Capabilities): Promise<void> {
  const key = randomInt(keyMax);
  const { isolation, isFree } = await write(async (transaction) => {
    await lock(transaction, key);
    return { isolation: await isolationOf(transaction), isFree: await isLockFree(lookups, key) };
  });
  if (isFree) {
    throw new UnusableDatabase(
      'The advisory locks of this server do not exclude each other, so two processes could do the work of one at the same time. Use PostgreSQL, or enable advisory locks on the server.',
    );
  }
  if (isolation !== 'read committed') {
    throw new UnusableDatabase(
      `This server runs READ COMMITTED transactions as ${isolation.toUpperCase()}, in which writes that wait for each other fail. Use PostgreSQL, or enable READ COMMITTED on the server.`,
    );
  }
}

interface ChangeAttempt extends Capabilities {
  timeoutMs: number;
}

/**
 * Throws `StorageUnavailable` unless the registry may change every table, and an event can be committed and the newest one
 * read. No one sees the event, which the same transaction deletes.
 */
export async function assertChangeable({ write, lookups, timeoutMs }: ChangeAttempt): Promise<void> {
  const refused = sql<{ table: string }>`select name as "table" from unnest(${Object.keys(columns)}::text[]) as name
    where not (has_table_privilege(name, 'select') and has_table_privilege(name, 'insert')
      and has_table_privilege(name, 'update') and has_table_privilege(name, 'delete'))`;
  const [first] = await lookups.rows(refused.compile(lookups.builder));
  if (first) throw new StorageUnavailable(`this role may not read and change the table ${first.table}`);
  const late = new AbortController();
  const timeout = sleep(timeoutMs, undefined, { signal: late.signal, ref: false }).then(() => {
    throw new StorageUnavailable('the server does not respond');
  });
  await Promise.race([write(writeAndReadEvent), timeout])
    .catch((error: unknown) => {
      if (error instanceof StorageUnavailable) throw error;
      throw new StorageUnavailable(`a change failed: ${reasonOf(error)}`, { cause: error });
    })
    .finally(() => late.abort());
}

async function writeAndReadEvent(transaction: Connection): Promise<void> {
  const { builder } = transaction;
  const event = {
    ...{ id: `probe_${randomUUID()}`, type: 'probe', occurred_at: 0, subject_id: '', actor: '' },
    ...{ app_id: null, request_id: null, traceparent: null, before: null, details: null },
    // As long as it can be in a page: a full disk has room for shorter ones when it has none for those of changes.
    ...{ after: 'x'.repeat(1_800), effective: null, reason: null },
  };
  await transaction.rows(builder.selectFrom('events').selectAll().orderBy('id', 'desc').limit(1).compile());
  await transaction.insertAll('events', [event]);
  await transaction.run(builder.deleteFrom('events').where('id', '=', event.id).compile());
}

async function lock(transaction: Connection, key: number): Promise<void> {
  try {
    await transaction.rows(sql`select pg_advisory_xact_lock(${String(key)}::bigint)`.compile(transaction.builder));
  } catch (error) {
    // undefined_function, feature_not_supported
    if (!/^(?:42883|0A000)$/.test(sqlState(error) ?? '')) throw error;
    throw new UnusableDatabase(`This server has no advisory locks (${reasonOf(error)}). Use PostgreSQL.`);
  }
}

/** YugabyteDB reports the requested level, and the one that it uses under a name of its own. */
async function isolationOf(transaction: Connection): Promise<string> {
  const query = sql<{ isolation: string }>`
    select coalesce(
      nullif(current_setting('yb_effective_transaction_isolation_level', true), ''),
      current_setting('transaction_isolation')
    ) as isolation`;
  const [level] = await transaction.rows(query.compile(transaction.builder));
  return level?.isolation.toLowerCase() ?? '';
}

/** Also false if there is no second connection, as behind a pooler with a single one. */
async function isLockFree(lookups: Connection, key: number): Promise<boolean> {
  const query = sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(${String(key)}::bigint) as taken`;
  try {
    const [lockResult] = await lookups.rows(query.compile(lookups.builder));
    return lockResult?.taken === true;
  } catch (error) {
    if (error instanceof StorageUnavailable) return false;
    throw error;
  }
}
