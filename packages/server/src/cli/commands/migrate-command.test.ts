import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { forEachEngine, onSqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine, jsonOf, refusalOf, runHere, withVariables } from '@appregistrar/testkit/programs/command-line';
import { interruptMigration } from '@appregistrar/testkit/storage/later-schemas';
import { knownSchemas } from '../../storage/migrations/known-schemas.ts';
import { openStorage } from '../../storage/open-storage.ts';

forEachEngine((engine) => {
  test('migrate prints the engine and the schema version, and is idempotent', async () => {
    const cli = await CommandLine.open(engine);
    const expected = { engine: engine.name, schemaVersion: knownSchemas.migrations.length };
    assert.deepEqual(await cli.done('migrate'), expected);
    assert.deepEqual(await cli.done('migrate'), expected);
    await cli.close();
  });
});

onSqlite((engine) => {
  test('migrate shows each step of a migration, apart from its result', async () => {
    const steps = /^migrating the database: schema \d+, step (\d+) of \1: create \w+[^\n]*\n$/;
    for (const [args, lines] of [
      [['migrate'], steps],
      [['migrate', '--json'], /^$/],
      [['overview', 'get'], /^$/],
    ] as const) {
      const { url, drop } = await engine.createMigratedDatabase();
      await interruptMigration(url);
      const { status, stderr } = await runHere(...args, '--database-url', url);
      assert.equal(status, 0);
      assert.match(stderr, lines);
      await drop();
    }
  });

  test('migrate refuses a schema that is too new, and does not change it', async () => {
    const cli = await CommandLine.open(engine);
    await cli.done('migrate');
    await pretendNewer(cli.databaseUrl);
    for (const command of [['migrate'], ['app', 'get', 'app_01jq3v9y6ae0xv5m6b7k8c9d0e'], ['serve']]) {
      const refusal = await cli.refused(...command);
      assert.equal(refusal.code, 'database_unusable');
      assert.match(refusal.detail, /schema version 999.*Nothing was changed/);
    }
    await cli.close();
  });
});

test('--database-url is preferred to DATABASE_URL', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'migrate-'));
  const urlOf = (name: string) => `sqlite:${join(folder, name)}`;
  await withVariables({ DATABASE_URL: urlOf('environment.db') }, async () => {
    jsonOf(await runHere('migrate', '--json', '--database-url', urlOf('named.db')));
    assert.deepEqual(await readdir(folder), ['named.db']);
    jsonOf(await runHere('migrate', '--json'));
    assert.deepEqual((await readdir(folder)).toSorted(), ['environment.db', 'named.db']);
  });
  await rm(folder, { recursive: true });
});

describe('a database that cannot be opened is reported in one message', () => {
  const cases: [why: string, url: string, message: RegExp][] = [
    ['an unreachable PostgreSQL', 'postgres://ada:secret@127.0.0.1:1/registry', /cannot be reached.*ECONNREFUSED/],
    ['a folder instead of a file', `sqlite:${tmpdir()}`, /cannot be opened: unable to open database file/],
  ];
  for (const [why, url, message] of cases) {
    test(why, async () => {
      const result = await runHere('migrate', '--database-url', url);
      assert.deepEqual({ status: result.status, stdout: result.stdout }, { status: 1, stdout: '' });
      assert.match(result.stderr, /^app-registry: .*\n$/);
      assert.match(result.stderr, message);
      assert.doesNotMatch(result.stderr, /secret/);
      assert.equal(refusalOf(await runHere('migrate', '--database-url', url, '--json')).code, 'database_unusable');
    });
  }

  test('a file that is not a database, which is not changed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'migrate-'));
    const file = join(folder, 'letter.txt');
    await writeFile(file, 'Dear Ada, '.repeat(1000));
    const refusal = refusalOf(await runHere('migrate', '--json', '--database-url', `sqlite:${file}`));
    assert.equal(refusal.code, 'database_unusable');
    assert.match(refusal.detail, /is not a database/);
    assert.deepEqual(await readdir(folder), ['letter.txt']);
    await rm(folder, { recursive: true });
  });
});

/** Marks a database as migrated by a much newer program. */
async function pretendNewer(url: string): Promise<void> {
  const storage = await openStorage(url);
  await storage.write(async (transaction) => {
    const versions = transaction.builder.updateTable('registry_schema').set({ version: 999, usable_from: 999 });
    await transaction.run(versions.compile());
  });
  await storage.close();
}
