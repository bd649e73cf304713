import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Bench } from './case.ts';
import type { Database } from './databases.ts';
import { onCore } from './machine.ts';
import { measuredNumbers } from './measured-apps.ts';
import type { SentStatement } from './statement-recorder.ts';

/** A pgbench script with its constants. */
export interface PgbenchScript {
  file: string;
  constants: Record<string, string>;
  /** Tables in which each transaction changes a row. */
  changes: string[];
}

export interface ScriptOptions {
  name: string;
  /** The app of the recorded statements. */
  appId: string;
  /** Whether each transaction uses a random measured app instead. */
  isSpread: boolean;
  changes: string[];
}

/** pgbench opens all of its connections first. */
const secondsMin = 2;

/** PostgreSQL counts the changes of a connection once it has closed, after the end of pgbench. */
const countedMsMax = 5_000;

/** Ids that each transaction creates. */
const newId = /^(event|installation|workspace|delivery)_[0-7][0-9a-z]{25}$/;

/**
 * Writes the recorded statements as a script. It keeps the recorded values, except for the ids that every request
 * creates and, if it is spread, every value that contains the id of the app.
 */
export async function writeScript(
  bench: Bench,
  statements: SentStatement[],
  { database, ...options }: ScriptOptions & { database: Database },
): Promise<PgbenchScript> {
  const constants: Record<string, string> = {};
  const lines = statements.map(({ sql, values }) => {
    const text = sql.replaceAll(/\s+/g, ' ').trim().replace(/;$/, '');
    return `${text.replaceAll(/\$(\d+)/g, (_, at) => expressionOf(values[Number(at) - 1] ?? null, options, constants))};`;
  });
  const { first, step, count } = measuredNumbers(database.size);
  const choice = options.isSpread ? [`\\set app ${first} + ${step} * random(0, ${count - 1})`] : [];
  const file = join(bench.folder, `${options.name}.pgbench`);
  await writeFile(file, `${[...choice, ...lines].join('\n')}\n`);
  return { file, constants, changes: options.changes };
}

/** Transactions per second, over as many connections as the other contestants have. */
export async function pgbench(
  bench: Bench,
  database: Database,
  {
    script,
    seconds = Math.max(secondsMin, Math.ceil(bench.pace.seconds)),
  }: { script: PgbenchScript; seconds?: number },
): Promise<number> {
  const { host, port, name } = connectionOf(database.url);
  const connections = String(bench.pace.connections);
  const words = ['-n', '-M', 'prepared', '-c', connections, '-j', '1', '-T', String(seconds)];
  const constants = Object.entries(script.constants).flatMap(([variable, value]) => ['-D', `${variable}=${value}`]);
  const target = ['-h', host, '-p', port, '-U', 'postgres', name];
  const command = [...onCore(bench.cores?.load), 'pgbench', ...words, ...constants, '-f', script.file, ...target];
  const before = await changedRows(database.url, script.changes);
  const { stdout } = await promisify(execFile)(command[0] as string, command.slice(1));
  const transactions = Number(/transactions actually processed: (\d+)/.exec(stdout)?.[1]);
  await requireChanges(
    database,
    script,
    before.map((rows) => rows + transactions),
  );
  const perSecond = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]);
  if (!(perSecond > 0)) throw new Error(`pgbench completed no transaction in ${seconds} s:\n${stdout}`);
  return perSecond;
}

function expressionOf(
  value: string | null,
  { appId, isSpread }: ScriptOptions,
  constants: Record<string, string>,
): string {
  if (value === null) return 'null';
  const [, prefix] = newId.exec(value) ?? [];
  // In a subquery, a new id is one value that an index can find, and not one for each row that is compared.
  if (prefix) return `(select '${prefix}_' || replace(gen_random_uuid()::text, '-', ''))`;
  if (isSpread && value.includes(appId)) {
    const app = `'${appId.slice(0, -16)}' || lpad(:app::text, 16, '0')`;
    const [before = '', ...after] = value
      .split(appId)
      .map((part) => (part === '' ? '' : `'${part.replaceAll("'", "''")}'`));
    const parts = [before, ...after.flatMap((part) => [app, part])].filter((part) => part !== '');
    return `(${parts.join(' || ')})`;
  }
  const variable = `value${Object.keys(constants).length}`;
  constants[variable] = value;
  return `:${variable}`;
}

/** A script that changes nothing would be fast. Asserts that each transaction has changed a row in each of its tables. */
async function requireChanges(database: Database, { changes }: PgbenchScript, expected: number[]): Promise<void> {
  const deadline = performance.now() + countedMsMax;
  for (;;) {
    const rows = await changedRows(database.url, changes);
    const fewer = changes.find((_, at) => (rows[at] ?? 0) < (expected[at] ?? 0));
    if (fewer === undefined) return;
    if (performance.now() > deadline) throw new Error(`pgbench did not change ${fewer} as the registry does`);
    await sleep(100);
  }
}

async function changedRows(url: string, tables: string[]): Promise<number[]> {
  if (tables.length === 0) return [];
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query(
      `select relname, n_tup_upd + n_tup_ins as changed from pg_stat_user_tables where relname = any($1)`,
      [tables],
    );
    return tables.map((table) => Number(rows.find(({ relname }) => relname === table)?.changed ?? 0));
  } finally {
    await client.end();
  }
}

function connectionOf(url: string): { host: string; port: string; name: string } {
  const { searchParams, pathname } = new URL(url);
  return { host: searchParams.get('host') ?? '', port: searchParams.get('port') ?? '5432', name: pathname.slice(1) };
}
