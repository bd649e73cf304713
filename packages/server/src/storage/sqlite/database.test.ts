import assert from 'node:assert/strict';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { openSqliteDatabase } from './sqlite-database.ts';

const gigabytePages = 262_144;

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'app-registry-'));
});
after(() => rm(folder, { recursive: true }));

const short = { cache_size: -16_384, wal_autocheckpoint: 1_000, journal_size_limit: 16_777_216 };
const long = { cache_size: -65_536, wal_autocheckpoint: 16_000, journal_size_limit: 100_663_296 };

for (const [pages, settings] of [
  [gigabytePages, short],
  [gigabytePages + 1, long],
] as const) {
  test(`the writer of ${pages} pages has the cache and the log of a ${settings === long ? 'long' : 'short'} database`, async () => {
    const file = join(folder, `${pages}.db`);
    await makeFile(file, pages);
    const database = openSqliteDatabase(file, { readOnly: false });
    const found = Object.keys(settings).map((name) => [
      name,
      ...Object.values(database.prepare(`pragma ${name}`).get() ?? {}),
    ]);
    database.close();
    assert.deepEqual(Object.fromEntries(found), settings);
  });
}

test('a database file is treated as data: its triggers cannot call our functions, and its catalogue cannot be written', async () => {
  const file = join(folder, 'prepared.db');
  const prepared = new DatabaseSync(file);
  prepared.exec(`create table t (a); create trigger r after insert on t begin select our_function(new.a); end`);
  prepared.close();
  const database = openSqliteDatabase(file, { readOnly: false });
  database.function('our_function', (value) => assert.fail(`called by the file with ${value}`));
  assert.throws(() => database.exec('insert into t values (1)'), /unsafe use of our_function/);
  const writing = `pragma writable_schema = on; update sqlite_master set sql = replace(sql, 'a', 'b')`;
  assert.throws(() => database.exec(writing), /may not be modified/);
  database.close();
});

/** A sparse file, which takes no disk space. */
async function makeFile(file: string, pages: number): Promise<void> {
  const database = new DatabaseSync(file);
  database.exec('create table anything (id integer)');
  database.close();
  const handle = await open(file, 'r+');
  const count = Buffer.alloc(4);
  count.writeUInt32BE(pages);
  // The offset of the number of pages in the header of a database.
  await handle.write(count, 0, 4, 28);
  await handle.truncate(pages * 4_096);
  await handle.close();
}
