import assert from 'node:assert/strict';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import type { Connection } from '../../src/storage/query.ts';
import type { Storage } from '../../src/storage/storage.ts';

/** Makes each commit that has changed rows of a table take some seconds. */
export async function delayCommits(storage: Storage, table: 'apps' | 'developers', seconds: number): Promise<void> {
  const body = `begin perform pg_sleep(${seconds}); return null; end`;
  for (const statement of [
    `create function linger() returns trigger language plpgsql as $$ ${body} $$`,
    `create constraint trigger linger after insert or update on ${table}
      deferrable initially deferred for each row execute function linger()`,
  ]) {
    await execute(storage.reader, statement);
  }
}

/** The process of the server that serves a connection. */
export async function backendOf(connection: Connection): Promise<number> {
  const [row] = await execute<{ pid: number }>(connection, 'select pg_backend_pid() as pid');
  assert.ok(row);
  return row.pid;
}

/** Ends a process of the server, as a crash or an administrator does. */
export async function terminate(storage: Storage, backend: number): Promise<void> {
  const rows = await execute(storage.reader, `select pg_terminate_backend(${backend}, 5000) as terminated`);
  assert.deepEqual(rows, [{ terminated: true }]);
}

/** The same once it executes a commit that is delayed. */
export async function terminateInCommit(storage: Storage, backend: number): Promise<void> {
  const committing = `select 1 from pg_stat_activity where pid = ${backend} and query = 'commit' and wait_event = 'PgSleep'`;
  while ((await execute(storage.reader, committing)).length === 0);
  await terminate(storage, backend);
}

/** Makes a statement fail with an SQLSTATE. */
export async function raise(connection: Connection, sqlState: string): Promise<void> {
  await execute(connection, `do $$ begin raise exception 'lost' using errcode = '${sqlState}'; end $$`);
}
