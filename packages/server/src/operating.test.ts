import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { environment } from './config/env.ts';
import { runHere } from './testing/command-line.ts';
import { type Engine, forEachEngine, postgres, type TestDatabase } from './testing/engines.ts';
import { freePort, linkedLauncher, Program } from './testing/program.ts';

const ids = {
  APP: 'app_01jq3v9y6ae0xv5m6b7k8c9d0e',
  DEVELOPER: 'user_01jq3v8nbtf4mrk6d2m3wz5x7c',
  SUCCESSOR: 'user_01jq3w2x9ge6ab5m6b7k8c9d0e',
  WORKSPACE: 'workspace_01jq3w2r5sfh8tn4m6b7k8c9d0',
};
const createdAt = '2026-03-01T09:30:00.000Z';
const registry = [
  { type: 'developer', userId: ids.DEVELOPER, email: 'ada@example.com' },
  { type: 'developer', userId: ids.SUCCESSOR, email: 'bob@example.com' },
  { type: 'app', id: ids.APP, developerId: ids.DEVELOPER, name: 'Invoice Sync', createdAt, reviewStatus: 'APPROVED' },
  { type: 'installation', appId: ids.APP, workspaceId: ids.WORKSPACE, userId: ids.SUCCESSOR, createdAt },
];
const rows = `
  insert into users values ('00000000-0000-0000-0000-000000000001', 'eve@example.com');
  insert into apps values ('00000000-0000-0000-0000-000000000002', '00000000-0000-0000-0000-000000000001', 'Old', null, '${createdAt}');
  insert into installs values ('00000000-0000-0000-0000-000000000002', '00000000-0000-0000-0000-000000000003',
    '00000000-0000-0000-0000-000000000001', '${createdAt}');`;

const page = await readFile(new URL('../../../docs/operating.md', import.meta.url), 'utf8');
const sections = page
  .split(/^## /m)
  .slice(1)
  .map((text) => ({ title: text.split('\n', 1)[0] ?? '', commands: blocks(text, 'sh'), sql: blocks(text, 'sql') }));
const executed = sections.filter(({ commands }) => commands.length > 0);

function blocks(text: string, language: string): string[] {
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, of]) => of === language)
    .map(([, , block = '']) => block);
}

forEachEngine((engine) => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'operating-'));
  });
  after(() => rm(folder, { recursive: true }));

  for (const { title, commands, sql } of executed) {
    if (/SQLite$/.test(title) && engine.name === 'postgres') continue;

    test(`${title}: the commands do what the page says`, async () => {
      const database = await engine.createDatabase();
      const cwd = await mkdtemp(join(folder, 'section-'));
      try {
        await fill(database, cwd);
        if (sql.length > 0) await writeFile(join(cwd, 'registry.jsonl'), await linesOfTables(engine, sql));
        const said = await runSection(commands, { database, cwd });
        assert.equal(said.status, 0, said.stdout + said.stderr);
        assert.equal(await outcome(title, database), outcomes[title]);
      } finally {
        await database.drop();
      }
    });
  }
});

test('the page tells every variable of the configuration', async () => {
  const files = ['config.ts', 'variable-reader.ts'].map((file) => new URL(`config/${file}`, import.meta.url));
  const source = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('');
  const variables = [...source.matchAll(/(?:reader\.\w+|#value)\('([A-Z_]+)'/g)].map(([, name]) => name);
  const told = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name);
  assert.deepEqual(told.toSorted(), [...new Set(variables)].toSorted());
});

async function fill(database: TestDatabase, cwd: string): Promise<void> {
  const file = join(cwd, 'filled.jsonl');
  await writeFile(file, registry.map((record) => `${JSON.stringify(record)}\n`).join(''));
  assert.equal((await runHere('import', file, '--database-url', database.url)).status, 0);
}

/** One shell for all blocks of a section, which are as they stand but for the ports. */
async function runSection(commands: string[], { database, cwd }: { database: TestDatabase; cwd: string }) {
  const [publicPort, operatorPort] = [await freePort(), await freePort()];
  const script = commands.join('').replaceAll(':8080/', `:${publicPort}/`).replaceAll(':8081/', `:${operatorPort}/`);
  const endJobs = "trap 'jobs -p | xargs -r kill' EXIT\n";
  const env = {
    ...ids,
    PATH: [dirname(linkedLauncher), environment.PATH].join(delimiter),
    DATABASE_URL: database.url,
    PUBLIC_ADDRESS: `127.0.0.1:${publicPort}`,
    OPERATOR_ADDRESS: `127.0.0.1:${operatorPort}`,
  };
  return Program.run(['bash', '-mxeuo', 'pipefail', '-c', endJobs + script], { env, cwd });
}

/** The tables of the page with a row each, and the lines that its statements for this engine make of them. */
async function linesOfTables(engine: Engine, [tables = '', forPostgres = '', forSqlite = '']: string[]) {
  if (engine.name === 'postgres') return linesOfPostgres(tables + rows, forPostgres);
  const old = new DatabaseSync(':memory:');
  old.exec(tables + rows);
  const lines = statements(forSqlite).flatMap((statement) => old.prepare(statement).all());
  old.close();
  return lines.map((row) => `${Object.values(row)[0]}\n`).join('');
}

async function linesOfPostgres(tables: string, select: string): Promise<string> {
  const database = await postgres.createDatabase();
  const client = new pg.Client(database.url);
  try {
    await client.connect();
    await client.query(tables);
    let lines = '';
    for (const statement of statements(select)) {
      for (const row of (await client.query(statement)).rows) lines += `${JSON.stringify(Object.values(row)[0])}\n`;
    }
    return lines;
  } finally {
    await client.end();
    await database.drop();
  }
}

function statements(sql: string): string[] {
  return sql.split(';').filter((statement) => statement.trim() !== '');
}

/** What an export holds after a section that changes the registry. */
const outcomes: Record<string, string> = {
  'Migrate from a table of apps': '3 developers, 2 apps of Ada or Eve, 2 installations',
  'Stop a malicious app': '2 developers, 0 apps of Ada or Eve, 0 installations',
  'Offboard a workspace': '2 developers, 1 apps of Ada or Eve, 0 installations',
  'Erase a developer': '2 developers, 0 apps of Ada or Eve, 1 installations',
};
const unchanged = '2 developers, 1 apps of Ada or Eve, 1 installations';
for (const { title } of executed) outcomes[title] ??= unchanged;

async function outcome(title: string, database: TestDatabase): Promise<string> {
  const { status, stdout } = await runHere('export', '--database-url', database.url);
  assert.equal(status, 0, title);
  const records = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  if (title === 'Erase a developer') assert.doesNotMatch(stdout, /ada@example\.com/);
  const count = (type: string) => records.filter((record) => record.type === type).length;
  const apps = records.filter(({ type, developerId }) => type === 'app' && developerId !== ids.SUCCESSOR);
  return `${count('developer')} developers, ${apps.length} apps of Ada or Eve, ${count('installation')} installations`;
}
