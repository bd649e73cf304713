import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { type KnownSchemas, knownSchemas } from '../../../server/src/storage/migrations/known-schemas.ts';
import { type Migration, statement } from '../../../server/src/storage/migrations/migration.ts';
import { openStorage } from '../../../server/src/storage/open-storage.ts';
import { createTable, isMigrating, requireStoredSchema, stepsOf } from '../../../server/src/storage/schema.ts';
import type { Storage } from '../../../server/src/storage/storage.ts';
import type { Engine } from '../engines/engines.ts';
import { execute, storageTest } from './storage-test.ts';

/** One step of each kind, over tables that a test has filled. Programs of the current version keep working beside it. */
const mottos: Migration = {
  usableFrom: 1,
  up: (db, { text, tableEnd }) => [
    db.schema.createIndex('installations_by_creation').on('installations').columns(['created_at', 'id']),
    statement(db, `alter table apps add column motto ${text}`),
    {
      table: 'apps',
      key: 'id',
      update: (rows) => ({
        compile: () => {
          const update = db.updateTable('apps').where(rows);
          return update.set((row) => ({ motto: row.ref('id') }) as object).compile();
        },
      }),
    },
    db.schema
      .createIndex('apps_by_motto')
      .on('apps')
      .columns(['motto' as 'name', 'id']),
    db.schema.dropIndex('reason_templates_by_title'),
    [
      statement(
        db,
        `create table support_requests (
          id ${text} not null primary key,
          app_id ${text} not null references apps (id)
        )${tableEnd}`,
      ),
      statement(db, 'create index support_requests_of_app on support_requests (app_id, id)'),
    ],
  ],
};

const supportHours: Migration = {
  usableFrom: 1,
  up: (db, { text }) => [statement(db, `alter table support_requests add column hours ${text}`)],
};

/** What a later program could know: migrations that are made up, to test how they run. */
export const laterSchemas: KnownSchemas = {
  ...knownSchemas,
  migrations: [...knownSchemas.migrations, mottos, supportHours],
  postgres: [
    ...knownSchemas.postgres,
    {
      version: knownSchemas.migrations.length + 1,
      objects: {
        'column app_id of support_requests': 'text collate C not null',
        'column id of support_requests': 'text collate C not null',
        'column motto of apps': 'text collate C',
        'constraint support_requests_app_id_fkey of support_requests': 'FOREIGN KEY (app_id) REFERENCES apps(id)',
        'constraint support_requests_pkey of support_requests': 'PRIMARY KEY (id)',
        'index apps_by_motto on apps': 'CREATE INDEX apps_by_motto ON apps USING btree (motto, id)',
        'index installations_by_creation on installations':
          'CREATE INDEX installations_by_creation ON installations USING btree (created_at, id)',
        'index support_requests_of_app on support_requests':
          'CREATE INDEX support_requests_of_app ON support_requests USING btree (app_id, id)',
        'table support_requests': 'table',
      },
      dropped: ['index reason_templates_by_title on reason_templates'],
    },
    {
      version: knownSchemas.migrations.length + 2,
      objects: { 'column hours of support_requests': 'text collate C' },
      dropped: [],
    },
  ],
};

export const laterVersion = laterSchemas.migrations.length;

/** More than two batches of a backfill. */
const appCount = 4_100;

/**
 * Declares a test with a database of the current version that has many apps, and with a storage that knows only this
 * version.
 */
export function olderDatabaseTest(
  engine: Engine,
  guarantee: string,
  check: (before: Storage, url: string) => Promise<void>,
): void {
  storageTest(engine, guarantee, async (before, url) => {
    await fill(before);
    await check(before, url);
  });
}

async function fill(before: Storage): Promise<void> {
  const numbers = {
    sqlite: `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${appCount})`,
    postgres: `with n (i) as (select generate_series(1, ${appCount}))`,
  };
  const statements = [
    `insert into developers (user_id, email, created_at, updated_at, revision_nonce)
      values ('user_1', 'ada@example.com', 1, 1, 'nonce_1')`,
    `insert into apps (id, developer_id, name, name_key, background_color, review_status, installation_count, revision,
        revision_nonce, platform_revision, platform_revision_nonce, created_at, updated_at) ${numbers[before.engine]}
      select 'app_' || i, 'user_1', 'App ' || i, 'app ' || i, '#ffffff', 'DRAFT', 0, 1, 'nonce_1', 1, 'nonce_1', 1, i from n`,
    `insert into installations (id, app_id, workspace_id, user_id, enabled, created_at)
      values ('installation_1', 'app_1', 'workspace_1', 'user_1', 1, 1)`,
  ];
  await before.write(async (transaction) => {
    for (const statement of statements) await execute(transaction, statement);
  });
}

/** Opens a database with the program of the later versions. */
export function openLater(url: string, onMigrating: (line: string) => void = () => {}): Promise<Storage> {
  return openStorage(url, { schemas: laterSchemas, onMigrating });
}

/** Opens a database, as a process that is killed after some steps of the migration. Returns whether it needs no more. */
export async function isOpened(url: string, stepsMax = 1): Promise<boolean> {
  let lines = 0;
  const onMigrating = (line: string) => {
    if (line.startsWith('waiting')) return;
    lines += 1;
    if (lines > stepsMax) throw new Error('ended');
  };
  try {
    await (await openLater(url, onMigrating)).close();
    return true;
  } catch (error) {
    assert.match(String(error), /ended/);
    return false;
  }
}

/** Asserts that the program of the later versions finds its schema and all that it fills in. */
export async function assertMigrated(url: string): Promise<void> {
  const storage = await openLater(url);
  const expected = { version: laterVersion, isNewer: false, differences: [] };
  assert.deepEqual(await requireStoredSchema(storage), expected);
  assert.equal(await isMigrating(storage), false);
  assert.deepEqual(await execute(storage.reader, 'select id from apps where motto is null or motto <> id'), []);
  await storage.close();
}

/** What the last step of the schema creates. */
const lastObject = { sqlite: 'trigger search_by_subject_id_of_changed', postgres: 'index search_texts_by_trigram' };

/** Leaves a database as if its migration had been interrupted before the last step. */
export async function interruptMigration(url: string): Promise<void> {
  const storage = await openStorage(url);
  const version = storage.schemas.migrations.length;
  const steps = stepsOf(storage, version).length - 1;
  await storage.write(async (transaction) => {
    await execute(transaction, `drop ${lastObject[storage.engine]}`);
    await transaction.run(createTable(transaction));
    await execute(transaction, `insert into registry_migration values (${version}, ${steps}, '')`);
  });
  await storage.close();
}

interface Child {
  /** Resolves with its output when it succeeds, and rejects with its errors otherwise. */
  readonly ended: Promise<string>;
  /** Resolves at its next output. */
  nextOutput(): Promise<string>;
  /** Closes its standard input. */
  release(): void;
}

const modules = { openStorage: '../../../server/src/storage/open-storage.ts', laterSchemas: './later-schemas.ts' };

/** Runs JavaScript in a separate process, in which `openStorage`, `laterSchemas` and `url` are defined. */
export function startChild(url: string, code: string): Child {
  const imports = Object.entries(modules).map(
    ([name, path]) => `import { ${name} } from ${JSON.stringify(new URL(path, import.meta.url).href)};`,
  );
  const script = `${imports.join(' ')} const url = ${JSON.stringify(url)}; ${code}`;
  const process_ = spawn(process.execPath, ['--input-type=module', '--eval', script], { timeout: 20_000 });
  return {
    ended: ending(process_),
    nextOutput: async () => String((await once(process_.stdout, 'data'))[0]),
    release: () => process_.stdin.end(),
  };
}

async function ending(child: ChildProcessByStdio<Writable, Readable, Readable>): Promise<string> {
  let output = '';
  let complaint = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (complaint += chunk));
  const [code, signal] = await once(child, 'close');
  if (code !== 0) throw new Error(`a child process ended with ${code ?? signal}: ${complaint}`);
  return output;
}
