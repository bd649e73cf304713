import { median } from '@appregistrar/testkit/statistics';
import type { Bench } from './frame/case.ts';
import { tenThousandApps } from './frame/compare-servers.ts';
import { type Ours, startOurs } from './frame/contestants.ts';
import { type EngineName, engines } from './frame/databases.ts';
import { type HeadlineRow, headlineRows } from './frame/headline-rows.ts';
import type { Mechanism } from './frame/speed.ts';

/** A mechanism that gains less on every row has to protect something else to stay. */
const gainMin = 1.5;

/** Measures each row of the headline table with and without a mechanism, in alternating rounds. */
export async function measureWithout(bench: Bench, mechanism: Mechanism): Promise<void> {
  bench.log(`Without ${mechanism.name}: ${mechanism.what}.`);
  for (const engine of engines) {
    bench.log(`\n${engine.padEnd(56)} ${['with', 'without', 'gain'].map((word) => word.padStart(10)).join(' ')}`);
    for (const row of headlineRows) bench.log(await lineOf(bench, { engine, row, mechanism }));
  }
}

async function lineOf(
  bench: Bench,
  { engine, row, mechanism }: { engine: EngineName; row: HeadlineRow; mechanism: Mechanism },
): Promise<string> {
  const databases = [
    await bench.databases.fresh(engine, tenThousandApps),
    await bench.databases.fresh(engine, tenThousandApps),
  ];
  const servers: Ours[] = [];
  try {
    const measures: (() => Promise<number>)[] = [];
    for (const [at, database] of databases.entries()) {
      const ours = await startOurs(bench, database, at === 0 ? {} : { without: mechanism });
      servers.push(ours);
      measures.push(await row.prepare(bench, ours));
    }
    const values: number[][] = [[], []];
    for (let round = 0; round < bench.pace.rounds; round += 1) {
      for (const [at, measure] of measures.entries()) values[at]?.push(await measure());
    }
    const [withIt = 0, without = 0] = values.map(median);
    const gain = row.unit === 'ms' ? without / withIt : withIt / without;
    const cells = [withIt.toFixed(1), without.toFixed(1), gain.toFixed(2)].map((cell) => cell.padStart(10));
    return `${`${row.name}, ${row.unit}`.padEnd(56)} ${cells.join(' ')}${gain >= gainMin ? '  pays' : ''}`;
  } finally {
    for (const server of servers) await server.stop();
    for (const database of databases) await database.drop();
  }
}
