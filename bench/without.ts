import { median } from '@appregistrar/testkit/statistics';
import type { Bench } from './harness/case.ts';
import { tenThousandApps } from './harness/compare-servers.ts';
import { type Ours, startOurs } from './harness/contestants.ts';
import { type Database, type EngineName, engines } from './harness/databases.ts';
import { type HeadlineRow, headlineRows } from './harness/headline-rows.ts';
import type { Mechanism } from './harness/speed.ts';

/** A mechanism that gains less on every row has to protect something else to stay. */
const gainMin = 1.5;

/**
 * Measures each row of the headline table with all mechanisms and without each of these, in alternating rounds, and prints
 * a table. bench/experiments.md has what was decided.
 */
export async function measureWithout(bench: Bench, mechanisms: Mechanism[]): Promise<void> {
  for (const { name, what } of mechanisms) bench.log(`${name}: ${what}`);
  for (const engine of engines) {
    const measured = mechanisms.filter((one) => (one.engine ?? engine) === engine);
    bench.log(`\n| ${[engine, 'with all', ...measured.map(({ name }) => `without ${name}`)].join(' | ')} |`);
    bench.log(`|${'---|'.repeat(measured.length + 2)}`);
    await measureOn(bench, { engine, mechanisms: measured });
  }
}

async function measureOn(
  bench: Bench,
  { engine, mechanisms }: { engine: EngineName; mechanisms: Mechanism[] },
): Promise<void> {
  const servers: Ours[] = [];
  const databases: Database[] = [];
  try {
    for (const without of [undefined, ...mechanisms]) {
      const database = await bench.databases.fresh(engine, tenThousandApps);
      databases.push(database);
      servers.push(await startOurs(bench, database, without ? { without } : {}));
    }
    for (const row of headlineRows) bench.log(await lineOf(bench, row, servers));
  } finally {
    for (const server of servers) await server.stop();
    for (const database of databases) await database.drop();
  }
}

/** Each value without a mechanism, and in parentheses how many times better the value with all of them is. */
async function lineOf(bench: Bench, row: HeadlineRow, servers: Ours[]): Promise<string> {
  const measures: (() => Promise<number>)[] = [];
  for (const server of servers) measures.push(await row.prepare(bench, server));
  const values = measures.map((): number[] => []);
  // The code of a server is compiled by then.
  for (const measure of measures) await measure();
  for (let round = 0; round < bench.pace.rounds; round += 1) {
    for (const [at, measure] of measures.entries()) values[at]?.push(await measure());
  }
  const [all = 0, ...others] = values.map(median);
  const cells = others.map((without) => {
    const gain = row.unit === 'ms' ? without / all : all / without;
    const text = `${numberText(without)} (${gain.toFixed(2)})`;
    return gain >= gainMin ? `**${text}**` : text;
  });
  return `| ${[`${row.name}, ${row.unit}`, numberText(all), ...cells].join(' | ')} |`;
}

function numberText(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}
