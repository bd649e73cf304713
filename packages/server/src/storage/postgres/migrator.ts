import { setTimeout as sleep } from 'node:timers/promises';
import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { KnownSchemas } from '../migrations/index.ts';
import type { Migrator, OnWait } from '../migrator.ts';
import type { Connection } from '../query.ts';
import type { Storage } from '../storage.ts';
import { invalidIndex, readPostgresSchema, wasOurs } from './catalogue.ts';
import { asStorageFailure, isLockTimeout, isLostRace, sqlState } from './failure.ts';

/** Arbitrary, but the same in every process: held by the transaction that creates a schema, and by each first step. */
const creationLock = 7_165_301;
/** Held while a process migrates a database that is in use. */
const migrationLock = 7_165_302;
/** Reads queue behind a statement that waits for an exclusive lock. */
const lockMsMin = 50;
/** For a statement that meets longer transactions each time. */
const lockMsMax = 100;
/** Minimum time between two attempts, in which others get their locks; the maximum is twice as long. */
const retryMs = 400;
const attemptsBeforeReport = 5;
const reportMs = 5_000;

interface MigratorConnections {
  write: Storage['write'];
  /** A write that lasts until all others have ended, on a connection that they do not need. */
  hold: Storage['write'];
  /** For statements outside of transactions, with the errors of PostgreSQL. */
  connection: Connection;
  schemas: KnownSchemas;
}

/**
 * Uses no state of a session, so that it works behind a pooler of transactions. The lock of a migration is held by an
 * idle transaction without a snapshot, which `create index concurrently` does not wait for. Others poll for it: a
 * waiting query has a snapshot, and the index would wait for that query.
 */
export function postgresMigrator({ write, hold, connection, schemas }: MigratorConnections): Migrator {
  return {
    lock: (transaction) => run(transaction, sql`select pg_advisory_xact_lock(${sql.lit(creationLock)})`),
    async alone(work, onWait) {
      let isReported = false;
      while (!(await hold((transaction) => runLocked(transaction, work)))) {
        if (!isReported) onWait('waiting for another process that is migrating');
        isReported = true;
        await sleep(retryMs);
      }
    },
    write: (work, onWait) =>
      retry(async (lockMs) => {
        return write(async (transaction) => {
          await limit(transaction, lockMs);
          return work(transaction);
        });
      }, onWait),
    runConcurrently: (statement, onWait) => runConcurrently({ connection, schemas }, statement.compile(), onWait),
  };
}

/** Returns false if another process migrates. */
async function runLocked(
  transaction: Connection,
  work: (stillAlone: () => Promise<void>) => Promise<void>,
): Promise<boolean> {
  await run(transaction, lockSettings);
  const lock = sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${sql.lit(migrationLock)}) as locked`;
  const [row] = await transaction.rows(lock.compile(transaction.builder));
  if (!row?.locked) return false;
  await work(() => run(transaction, sql`select 1`));
  return true;
}

/** No limit ends the idle transaction. When the machine of its process is lost, the server notices within a minute. */
const lockSettings = sql`
  select set_config(name, value, true) from pg_settings join (values
    ('idle_in_transaction_session_timeout', '0'), ('transaction_timeout', '0'),
    ('tcp_keepalives_idle', '30'), ('tcp_keepalives_interval', '10'), ('tcp_keepalives_count', '3')
  ) as wanted (name, value) using (name)`;

/** A statement that takes long, such as the check of a constraint, must not be ended by a limit for requests. */
async function limit(transaction: Connection, lockMs: number): Promise<void> {
  await run(
    transaction,
    sql`select set_config('lock_timeout', ${`${lockMs}ms`}, true), set_config('statement_timeout', '0', true)`,
  );
}

/** Retries work that did not get its lock, after a pause. */
async function retry<Result>(work: (lockMs: number) => Promise<Result>, onWait: OnWait): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(Math.min(lockMsMax, lockMsMin * attempt));
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (attempt % attemptsBeforeReport === 0) onWait('waiting for a lock: another transaction uses the table');
      await sleep(retryMs * (1 + Math.random()));
    }
  }
}

async function runConcurrently(
  { connection, schemas }: Pick<MigratorConnections, 'connection' | 'schemas'>,
  { sql: text, query }: CompiledQuery,
  onWait: OnWait,
): Promise<boolean> {
  const isDrop = query.kind === 'DropIndexNode';
  if (!isDrop && query.kind !== 'CreateIndexNode') return false;
  const [index = ''] = /"\w+"/.exec(text) ?? [];
  const reports = setInterval(() => void reportWait(connection, index, onWait), reportMs);
  try {
    await retryIndex(() => (isDrop ? dropIndex(connection, text) : createIndex({ connection, schemas }, text)));
    return true;
  } finally {
    clearInterval(reports);
  }
}

async function retryIndex(work: () => Promise<void>): Promise<void> {
  for (let wasDuplicate = false; ; ) {
    try {
      return await work();
    } catch (error) {
      // The statement of a killed process may have waited for the table too, and was first.
      const isFirstDuplicate: boolean = isDuplicate(error) && !wasDuplicate;
      wasDuplicate ||= isFirstDuplicate;
      if (!isFirstDuplicate && !isLostRace(error) && !isLockTimeout(error)) throw asStorageFailure(error);
      await sleep(retryMs);
    }
  }
}

/** For people only: without a connection nothing is reported. */
async function reportWait(connection: Connection, index: string, onWait: OnWait): Promise<void> {
  const waiting = sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and strpos(query, ${`index concurrently ${index}`}) > 0`;
  const rows = await connection.rows(waiting.compile(connection.builder)).catch(() => []);
  if (rows.length > 0) onWait(`waiting for earlier transactions: index ${index.replaceAll('"', '')}`);
}

async function dropIndex(connection: Connection, text: string): Promise<void> {
  await run(connection, sql.raw(text.replace(/^drop index/, 'drop index concurrently if exists')));
}

async function createIndex(
  { connection, schemas }: Pick<MigratorConnections, 'connection' | 'schemas'>,
  text: string,
): Promise<void> {
  const [name = '', table = ''] = /^create (?:unique )?index "(\w+)" on "(\w+)"/.exec(text)?.slice(1) ?? [];
  const object = `index ${name} on ${table}`;
  // The server continues with the statement of a process that was killed.
  while (await isBeingBuilt(connection, name)) await sleep(retryMs);
  const found = (await readPostgresSchema(connection, [table])).get(object);
  // PostgreSQL refuses to replace the index of someone else.
  if (found !== undefined && wasOurs(schemas, object, found)) return;
  if (found?.endsWith(` ${invalidIndex}`)) await dropIndex(connection, `drop index "${name}"`);
  await run(connection, sql.raw(text.replace(/^create (unique )?index/, 'create $1index concurrently')));
}

async function isBeingBuilt(connection: Connection, name: string): Promise<boolean> {
  const progress = sql`select 1 from pg_stat_progress_create_index join pg_class on oid = index_relid
    where relname = ${name} and pg_table_is_visible(oid)`;
  return (await connection.rows(progress.compile(connection.builder))).length > 0;
}

async function run(connection: Connection, statement: RawBuilder<unknown>): Promise<void> {
  await connection.rows(statement.compile(connection.builder));
}

/** duplicate_table */
function isDuplicate(error: unknown): boolean {
  return sqlState(error) === '42P07';
}
