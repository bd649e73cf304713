import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { on, sqlite } from '@appregistrar/testkit/engines/engines';
import { startChild } from '@appregistrar/testkit/storage/later-schemas';
import { storageTest } from '@appregistrar/testkit/storage/storage-test';
import { appRow, developerRow } from '../../../test/storage/sample-rows.ts';
import { findApp, insertApp } from '../../features/apps/app-queries.ts';
import { backupDatabase, restoreDatabase } from '../backup.ts';
import { defineInsert } from '../query.ts';
import { BackupError } from '../storage-failure.ts';

const insertDeveloper = defineInsert('developers');

/** Counts up the installations of an app, which no other write may come between. */
const countUp = `async (transaction) => {
  const app = await findAppForUpdate(transaction, { id: 'app_1' });
  await updateApp(transaction, { ...app, installation_count: app.installation_count + 1 });
}`;

storageTest(sqlite, 'other processes can write while this one has the file open', async (storage, url) => {
  await storage.write(async (transaction) => {
    await insertDeveloper(transaction, developerRow());
    await insertApp(transaction, appRow());
  });
  const queries = JSON.stringify(new URL('../../features/apps/app-queries.ts', import.meta.url).href);
  const counting = `
    const storage = await openStorage(url);
    const { findAppForUpdate, updateApp } = await import(${queries});
    for (let at = 0; at < 50; at += 1) await storage.write(${countUp});
    await storage.close();`;
  const children = [startChild(url, counting), startChild(url, counting)];
  await Promise.all(children.map(({ ended }) => ended));
  assert.equal((await findApp(storage.reader, { id: 'app_1' }))?.installation_count, 100);
});

storageTest(sqlite, 'the log does not grow forever while two processes write', async (storage, url) => {
  const child = startChild(url, writeSteadily);
  await child.nextOutput();
  let [written, size] = [0, 0];
  // Eight hundred megabytes at most: on a busy machine it may take a while until no write is in the way.
  for (let at = 0; at < 8_000 && (at < 100 || size > written / 2); at += 1) {
    const row = developerRow({ user_id: `user_${at}`, email: `${at}@example.com`, first_name: 'x'.repeat(100_000) });
    await storage.write((transaction) => insertDeveloper(transaction, row));
    written += 100_000;
    ({ size } = await stat(logOf(url)));
  }
  child.release();
  await child.ended;
  assert.ok(size <= written / 2, `it has ${size} bytes after ${written} were written`);
});

/** Writes until its standard input closes. */
const writeSteadily = `
  const storage = await openStorage(url);
  const rows = ${JSON.stringify(developerRow({ first_name: 'y'.repeat(20_000) }))};
  const { defineInsert } = await import(${JSON.stringify(new URL('../query.ts', import.meta.url).href)});
  const insertDeveloper = defineInsert('developers');
  let isReleased = false;
  process.stdin.on('end', () => (isReleased = true)).resume();
  for (let at = 0; !isReleased; at += 1) {
    const row = { ...rows, user_id: 'child_' + at, email: at + '@child.example.com' };
    await storage.write((transaction) => insertDeveloper(transaction, row));
    if (at === 0) console.log('writing');
  }
  await storage.close();`;

storageTest(sqlite, 'a backup of a database that is being written shows one moment', async (storage, url) => {
  await storage.write((transaction) => insertDeveloper(transaction, developerRow()));
  const writer = startChild(
    url,
    `const storage = await openStorage(url);
       const { sql } = await import('kysely');
       let isEnding = false;
       process.stdin.on('end', () => { isEnding = true; }).resume();
       const run = (transaction, text) => transaction.run(sql.raw(text).compile(transaction.builder));
       for (let at = 0; !isEnding; at += 1) {
         await storage.write(async (transaction) => {
           await run(transaction, "insert into developers (user_id, email, created_at, updated_at, revision_nonce) select 'user_x' || " + at + ", email, 0, 0, 'nonce_1' from developers limit 1");
           await run(transaction, "update registry_epoch set epoch = " + at);
         });
         if (at === 10) console.log('busy');
       }
       await storage.close();`,
  );
  await writer.nextOutput();
  for (let time = 0; time < 5; time += 1) {
    const file = `${fileOf(url)}-${time}`;
    await backupDatabase(url, file, new Date());
    const database = new DatabaseSync(file, { readOnly: true });
    const [counts] = database
      .prepare(
        "select (select count(*) from developers where user_id like 'user_x%') as rows, epoch from registry_epoch",
      )
      .all();
    assert.equal(Number(counts?.rows), Number(counts?.epoch) + 1);
    database.close();
  }
  writer.release();
  await writer.ended;
});

test('a backup never replaces a database that another process has open', on(sqlite), async () => {
  const { url, drop } = await sqlite.createMigratedDatabase();
  const copy = `${fileOf(url)}-copy`;
  await backupDatabase(url, copy, new Date());
  const other = startChild(
    url,
    `const storage = await openStorage(url);
    console.log('open');
    process.stdin.on('end', () => storage.close()).resume();`,
  );
  await other.nextOutput();
  await assert.rejects(restoreDatabase(url, copy, new Date()), BackupError);
  other.release();
  await other.ended;
  await restoreDatabase(url, copy, new Date());
  await drop();
});

function fileOf(url: string): string {
  return url.slice('sqlite:'.length);
}

function logOf(url: string): string {
  return `${fileOf(url)}-wal`;
}
