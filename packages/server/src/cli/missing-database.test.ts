import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { on, postgres } from '@appregistrar/testkit/engines/engines';
import { jsonOf, refusalOf, runHere } from '@appregistrar/testkit/programs/command-line';
import type { Command } from 'commander';
import pg from 'pg';
import { listCommands, nameOf } from '../../test/cli/list-commands.ts';

const creating = ['serve', 'dev', 'migrate', 'import', 'restore'];
const withoutDatabase = ['completion', 'healthcheck', 'login', 'logout'];
/** What these commands need besides their required arguments and options. */
const further: Record<string, string[]> = {
  'app reject': ['--message', 'x'],
  'app reject-change': ['--message', 'x'],
  'app revoke': ['--message', 'x'],
  'installation list': ['--app', 'x'],
};

let folder: string;
let commands: [name: string, args: string[]][];
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'missing-database-'));
  const others = (await listCommands()).filter(
    (command) => ![...creating, ...withoutDatabase].includes(nameOf(command)),
  );
  commands = others.map((command) => [nameOf(command), [...nameOf(command).split(' '), ...argumentsOf(command)]]);
  assert.ok(commands.length > 40);
});
after(() => rm(folder, { recursive: true }));

test('every command that creates no registry refuses a SQLite file that is missing, and creates nothing', async () => {
  for (const [name, args] of commands) {
    const url = `sqlite:${join(folder, 'missing', 'typo.db')}`;
    const { code, detail } = refusalOf(await runHere(...args, '--json', '--database-url', url));
    assert.equal(code, 'database_not_found', name);
    assert.match(detail, /There is no registry in .*\/missing\/typo\.db\. Nothing was created\. Check --database-url/);
    assert.deepEqual(await readdir(folder), [], name);
  }
});

test('every command that creates no registry refuses a database in memory, which ends with the command', async () => {
  for (const [name, args] of commands.filter(([name]) => name !== 'backup')) {
    const { code } = refusalOf(await runHere(...args, '--json', '--database-url', 'sqlite::memory:'));
    assert.equal(code, 'database_not_found', name);
  }
});

describe('a SQLite file without a registry is refused and left unchanged', () => {
  const table = 'create table notes (text)';
  const another = 'database_unusable';
  const all = { check: another, migrate: another, 'backup copy.db': another };
  const contents: [what: string, fill: (file: string) => Promise<void> | void, commands: Record<string, string>][] = [
    ['the database of another program', (file) => execute(file, table), all],
    ['one with a write-ahead log', (file) => execute(file, `pragma journal_mode = wal; ${table}`), all],
    [
      'the registry of an unreleased build',
      (file) =>
        execute(file, 'pragma journal_mode = wal; create table schema_version (version); create table apps (id)'),
      all,
    ],
    [
      'one in which another object has the name of our table',
      (file) => execute(file, `${table}; create index registry_schema on notes (text)`),
      all,
    ],
    [
      'one whose table of that name has other columns',
      (file) => execute(file, 'create table registry_schema (version)'),
      all,
    ],
    ['an empty file', (file) => writeFile(file, ''), { check: 'database_not_found' }],
  ];
  for (const [what, fill, codes] of contents) {
    test(what, async () => {
      const own = await mkdtemp(join(folder, 'own-'));
      const file = join(own, 'notes.db');
      await fill(file);
      const bytes = await readFile(file);
      for (const [command, code] of Object.entries(codes)) {
        const refusal = refusalOf(await runHere(...command.split(' '), '--json', '--database-url', `sqlite:${file}`));
        assert.equal(refusal.code, code);
        assert.deepEqual(await readFile(file), bytes);
        assert.deepEqual(await readdir(own), ['notes.db']);
      }
      await rm(own, { recursive: true });
    });
  }
});

test('a refused SQLite file keeps the log that a killed process of another program has left', async () => {
  const own = await mkdtemp(join(folder, 'own-'));
  const file = join(own, 'notes.db');
  const script = `const { DatabaseSync } = require('node:sqlite');
    const database = new DatabaseSync(${JSON.stringify(file)});
    database.exec('pragma journal_mode = wal; create table notes (text); insert into notes values (1)');
    process.kill(process.pid, 'SIGKILL');`;
  spawnSync(process.execPath, ['--eval', script]);
  const contents = () => Promise.all(['', '-wal'].map((end) => readFile(file + end)));
  const before = await contents();
  for (const command of ['check', 'migrate']) {
    const refusal = refusalOf(await runHere(command, '--json', '--database-url', `sqlite:${file}`));
    assert.equal(refusal.code, 'database_unusable');
    assert.deepEqual(await contents(), before);
  }
  await rm(own, { recursive: true });
});

test('a table of another program with the name of the progress stays, and changes nothing', on(postgres), async () => {
  const { url, drop } = await postgres.createMigratedDatabase();
  const client = new pg.Client(url);
  await client.connect();
  await client.query('create table registry_migration (version bigint, steps bigint, position text)');
  await client.query(`insert into registry_migration values (5, 1, 'theirs')`);
  jsonOf(await runHere('migrate', '--json', '--database-url', url));
  jsonOf(await runHere('check', '--json', '--database-url', url));
  const { rows } = await client.query('select r.position, s.version from registry_migration r, registry_schema s');
  assert.deepEqual(rows, [{ position: 'theirs', version: '1' }]);
  await client.end();
  await drop();
});

test('a command that creates no registry refuses an empty PostgreSQL database', on(postgres), async () => {
  const { url, drop } = await postgres.createDatabase();
  for (const name of ['check', 'export', 'overview get']) {
    const { code, detail } = refusalOf(await runHere(...name.split(' '), '--json', '--database-url', url));
    assert.equal(code, 'database_not_found', name);
    assert.match(detail, /There is no registry in the PostgreSQL database test_/);
  }
  assert.equal(await countTables(url), 0);
  await drop();
});

test('a PostgreSQL database that does not exist is refused by every kind of command', on(postgres), async () => {
  const { url, drop } = await postgres.createDatabase();
  await drop();
  for (const command of ['check', 'migrate', 'serve']) {
    const { code, detail } = refusalOf(await runHere(command, '--json', '--database-url', url));
    assert.equal(code, 'database_not_found');
    assert.match(detail, /database "test_.*" does not exist\. Create the database, or use another/);
  }
});

test('migrate, import and restore create a registry, and the folder for it', async () => {
  const [source, file, copy] = ['source.db', 'empty.jsonl', 'copy.db'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(file, '');
  jsonOf(await runHere('migrate', '--json', '--database-url', `sqlite:${source}`));
  jsonOf(await runHere('backup', copy, '--json', '--database-url', `sqlite:${source}`));
  for (const args of [['migrate'], ['import', file], ['restore', copy]]) {
    const url = `sqlite:${join(folder, `new-${args[0]}`, 'registry.db')}`;
    jsonOf(await runHere(...args, '--json', '--database-url', url));
    assert.equal(jsonOf<{ apps: number }>(await runHere('check', '--json', '--database-url', url)).apps, 0);
  }
});

/** Values for what the command requires. */
function argumentsOf(command: Command): string[] {
  const required = command.registeredArguments.filter((argument) => argument.required);
  const options = command.options.filter(({ mandatory }) => mandatory);
  return [
    ...required.map(({ argChoices }) => argChoices?.[0] ?? join(folder, 'missing', 'x')),
    ...options.flatMap(({ long, flags, argChoices }) => [long ?? '', argChoices?.[0] ?? sampleOf(flags)]),
    ...(further[nameOf(command)] ?? []),
  ];
}

function sampleOf(flags: string): string {
  return flags.endsWith('<url>') ? 'http://localhost/' : 'x';
}

function execute(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

async function countTables(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ count: number }>(
    "select count(*)::int as count from pg_class where relnamespace = 'public'::regnamespace",
  );
  await client.end();
  return rows[0]?.count ?? 0;
}
