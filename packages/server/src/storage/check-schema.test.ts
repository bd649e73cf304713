import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Engine, forEachEngine, on, postgres, sqlite } from '@appregistrar/testkit/engines/engines';
import { laterSchemas } from '@appregistrar/testkit/storage/later-schemas';
import { promotingTrigger, schemaHistory } from '@appregistrar/testkit/storage/schema-objects';
import { changeSchema, execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { knownSchemas } from './migrations/known-schemas.ts';
import { openStorage } from './open-storage.ts';
import { type CheckedSchema, checkSchema, requireStoredSchema } from './schema.ts';
import { UnusableDatabase } from './storage-failure.ts';

forEachEngine((engine) => {
  storageTest(engine, 'a new database has the expected schema, to which indexes may be added', async (storage) => {
    const expected = { version: knownSchemas.migrations.length, isNewer: false, differences: [] };
    assert.deepEqual(await requireStoredSchema(storage), expected);
    await storage.write(async (transaction) => {
      await execute(transaction, 'create index ours_by_time on apps (created_at desc, id)');
      await execute(transaction, 'analyze apps');
    });
    assert.deepEqual(await requireStoredSchema(storage), expected);
  });

  storageTest(engine, 'a foreign trigger prevents a migration, which changes nothing', async (storage, url) => {
    await changeSchema(url, promotingTrigger[storage.engine]);
    await assert.rejects(
      openStorage(url, { schemas: laterSchemas }),
      isForeign(/differs from version 1.*The trigger promote on access_tokens/),
    );
    assert.deepEqual(await execute(storage.reader, 'select version from registry_schema'), [{ version: 1 }]);
  });

  storageTest(engine, 'a newer schema is not compared', async (storage) => {
    await storage.write((transaction) => execute(transaction, 'update registry_schema set version = 900'));
    assert.deepEqual(await requireStoredSchema(storage), { version: 900, isNewer: true, differences: [] });
  });

  storageTest(engine, 'a message lists the first ten differences, without control characters', async (storage, url) => {
    const names = Array.from({ length: 11 }, (_, at) => `evil\u001b[2J\n${String(at).padStart(2, '0')}`);
    const statements = names.map((name) => `create unique index "${name}" on apps (id)`);
    await changeSchema(url, statements);
    await assert.rejects(requireStoredSchema(storage), (error) => {
      assert.ok(error instanceof UnusableDatabase);
      assert.equal(error.message.match(/is not part of app-registry/g)?.length, 10);
      assert.match(error.message, /The index evil\\u\{1b\}\[2J 00 on apps is not part .* And 1 more\. /);
      assert.doesNotMatch(error.message, /\p{Cc}/u);
      return true;
    });
  });
});

/** A change that makes a schema foreign, and an object that is then reported with how it differs. */
type Foreign = [what: string, statements: string[], reported: string];

/** Everything that can be done to a table of ours with statements of both engines. */
const onBoth: Foreign[] = [
  [
    'an index that refuses rows',
    ['create unique index one_app on apps (developer_id)'],
    'unexpected_object index one_app on apps',
  ],
  [
    'an index over an expression',
    ['create index lower_names on apps (lower(name))'],
    'unexpected_object index lower_names on apps',
  ],
  [
    'an index with a condition',
    ['create index drafts on apps (id) where length(name) > 3'],
    'unexpected_object index drafts on apps',
  ],
  ['an index that is missing', ['drop index apps_by_name'], 'missing_object index apps_by_name on apps'],
  [
    'an index that no longer keeps installations unique',
    [
      'drop index installations_workspace_id_app_id',
      'create index installations_workspace_id_app_id on installations (workspace_id, app_id)',
    ],
    'different_object index installations_workspace_id_app_id on installations',
  ],
];

/** SQLite compares the statements that made the objects. The last changes are in the file, as its author can make them. */
const onSqlite: Foreign[] = [
  ['a trigger that promotes tokens', promotingTrigger.sqlite, 'unexpected_object trigger promote on access_tokens'],
  [
    'a trigger that has the name of one of ours',
    [
      'drop trigger apps_inserted',
      `create trigger apps_inserted after insert on apps begin update access_tokens set kind = 'operator'; end`,
    ],
    'different_object trigger apps_inserted on apps',
  ],
  [
    'a view in place of a table',
    [
      'pragma foreign_keys = off',
      'pragma legacy_alter_table = on',
      'alter table sessions rename to real_sessions',
      'create view sessions as select hash, token_id, holder, created_at, 9e15 as expires_at from real_sessions',
    ],
    'unexpected_object view sessions',
  ],
  ['a column that is not ours', ['alter table apps add column note text'], 'different_object table apps'],
  forged('a constraint that lets in only what it wants', 'kind text not null', `kind text not null check (kind <> '')`),
  forged('a type that stores other values', 'expires_at integer', 'expires_at any'),
  forged('a collation by which other hashes match', 'hash text not null', 'hash text collate nocase not null'),
];

function forged(what: string, find: string, replace: string): Foreign {
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const change = `sql = replace(sql, ${quoted(find)}, ${quoted(replace)})`;
  const update = `update sqlite_master set ${change} where name = 'access_tokens'`;
  return [what, ['pragma writable_schema = on', update], 'different_object table access_tokens'];
}

/** PostgreSQL lists the properties of objects: each kind of them, and each of its properties that a row depends on. */
const onPostgres: Foreign[] = [
  ['a trigger that promotes tokens', promotingTrigger.postgres, 'unexpected_object trigger promote on access_tokens'],
  [
    'a rule',
    ['create rule forget as on delete to access_tokens do instead nothing'],
    'unexpected_object rule forget on access_tokens',
  ],
  [
    'a policy for rows',
    ['create policy hide on access_tokens using (revoked_at is null)'],
    'unexpected_object policy hide on access_tokens',
  ],
  [
    'security for rows',
    ['alter table access_tokens enable row level security'],
    'different_object table access_tokens',
  ],
  [
    'a view in place of a table',
    ['alter table daily_counts rename to real_counts', 'create view daily_counts as select * from real_counts'],
    'different_object table daily_counts',
  ],
  [
    'a table that others add rows to',
    ['create table more_tokens () inherits (access_tokens)'],
    'different_object table access_tokens',
  ],
  ['a table that a crash empties', ['alter table daily_counts set unlogged'], 'different_object table daily_counts'],
  [
    'a default',
    [`alter table access_tokens alter column scopes set default 'settings:write'`],
    'different_object column scopes of access_tokens',
  ],
  [
    'a type that stores other values',
    ['alter table access_tokens alter column expires_at type numeric'],
    'different_object column expires_at of access_tokens',
  ],
  [
    'a collation in which ids have another order',
    ['alter table sessions alter column holder type text collate "default"'],
    'different_object column holder of sessions',
  ],
  [
    'a generated column in place of a stored one',
    [
      'alter table access_tokens rename column name to stored_name',
      `alter table access_tokens add column name text collate "C" generated always as (upper(stored_name)) stored`,
    ],
    'different_object column name of access_tokens',
  ],
  [
    'a constraint that lets in only what it wants',
    [`alter table access_tokens add constraint no_operators check (kind <> 'operator')`],
    'unexpected_object constraint no_operators of access_tokens',
  ],
  [
    'a reference that is gone',
    ['alter table sessions drop constraint sessions_token_id_fkey'],
    'missing_object constraint sessions_token_id_fkey of sessions',
  ],
];

describe('a foreign schema is reported', () => {
  const all: [Engine, Foreign[]][] = [
    [sqlite, [...onBoth, ...onSqlite]],
    [postgres, [...onBoth, ...onPostgres]],
  ];
  for (const [engine, schemas] of all) {
    for (const [what, statements, reported] of schemas) {
      storageTest(engine, `${engine.name}: ${what}`, async (_, url) => {
        await changeSchema(url, statements);
        const storage = await openStorage(url);
        await assert.rejects(requireStoredSchema(storage), isForeign(/differs from version/));
        const found = reportedOf(await checkSchema(storage, storage.reader));
        assert.ok(found.includes(reported), `${reported} is not among: ${found.join(', ')}`);
        await storage.close();
      });
    }
  }

  test('sqlite: texts of another encoding', on(sqlite), async () => {
    const { url, drop } = await sqlite.createDatabase();
    await changeSchema(url, [`pragma encoding = 'UTF-16'`, 'create table t (a)', 'drop table t']);
    const why = isForeign(/encoding of the database.*"UTF-16le" instead of "UTF-8"/);
    await assert.rejects(openStorage(url, { create: true }), why);
    await drop();
  });

  storageTest(postgres, 'postgres: a reference that is not enforced', async (storage, url) => {
    await changeSchema(url, ['alter table sessions disable trigger all']);
    const why = isForeign(/trigger RI_\w+ on sessions is not part of app-registry: "disabled /);
    await assert.rejects(requireStoredSchema(storage), why);
  });
});

storageTest(
  postgres,
  'foreign tables and views are not reported, even when they refer to ours',
  async (storage, url) => {
    await changeSchema(url, [
      'create table reports (app_id text collate "C" references apps, seen text unique check (seen <> $$$$))',
      'create view app_names as select name from apps',
      'create schema other',
      'create table other.apps (id text unique)',
    ]);
    assert.deepEqual(reportedOf(await requireStoredSchema(storage)), []);
  },
);

test('the description of the schema on PostgreSQL is what the migrations create', on(postgres), async () => {
  const { url, drop } = await postgres.createDatabase();
  assert.deepEqual(await schemaHistory(url, laterSchemas), laterSchemas.postgres, 'to write it: npm run schema');
  await drop();
});

function reportedOf({ differences }: CheckedSchema): string[] {
  return differences.map(({ code, object }) => `${code} ${object}`);
}

function isForeign(why: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof UnusableDatabase, String(error));
    assert.match(error.message, why);
    return true;
  };
}
