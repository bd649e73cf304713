import { idOf, type RegistrySize } from '../fill-registry.ts';
import { type Bench, type Case, type Figure, type Outcome, onEachEngine, type Target } from '../frame/case.ts';
import { answerTo, type Ours, startOurs } from '../frame/contestants.ts';
import type { Database, EngineName } from '../frame/databases.ts';
import { getApp, updatesOf } from '../frame/requests.ts';
import { byName, inRounds, type Measured } from '../frame/rounds.ts';
import { warmUp } from '../frame/warm-up.ts';
import { writeAsks, wrk } from '../frame/wrk.ts';
import type { Ask } from '../load/http-request.ts';

const smallSize = { apps: 1_000, installations: 10_000 };
const largeSize = { apps: 1_000_000, installations: 10_000_000 };
const quickSize = { apps: 20_000, installations: 200_000 };
const spreadMax = 100_000;

export const flatCase: Case = {
  name: 'flat',
  title: 'A registry that grows a thousandfold',
  about:
    'From 1,000 apps and 10,000 installations to 1,000,000 apps and 10,000,000 installations on the disk; in a quick ' +
    'run to 20,000 and 200,000. Reads and updates go to 1,000 apps that are spread over all of it, and that were asked for before.',
  run: onEachEngine(runOn),
};

/** A registry of a million apps, which is made once; in a quick run a smaller one. */
export function largeDatabase({ pace, databases }: Bench, engine: EngineName): Promise<Database> {
  return pace.isQuick ? databases.fresh(engine, quickSize) : databases.kept(engine, largeSize);
}

async function runOn(bench: Bench, engine: EngineName): Promise<Outcome> {
  const small = await bench.databases.fresh(engine, smallSize);
  const large = await largeDatabase(bench, engine);
  const servers: Ours[] = [];
  try {
    for (const database of [small, large]) servers.push(await startOurs(bench, database));
    const figures = [...(await measureReads(bench, servers)), ...(await measureUpdates(bench, servers))];
    return judge(
      figures,
      ['reads', 'updates'].map((what) => servers.map(({ database }) => `${what}, ${nameOf(database)}`)),
    );
  } finally {
    for (const server of servers) await server.stop();
    for (const database of [small, large]) await database.drop();
  }
}

/** Of the last server also reads all over it. */
async function measureReads(bench: Bench, servers: Ours[]): Promise<Figure[]> {
  const reads: Measured[] = [];
  for (const ours of servers) {
    const { port, database } = ours;
    const asks = readsOf(database, database.appIds);
    await warmUp(bench, port, asks);
    await askEach(port, asks);
    reads.push(await measured(bench, { of: `reads, ${nameOf(database)}`, ours, asks }));
  }
  const ours = servers.at(-1) as Ours;
  const spread = readsOf(ours.database, spreadIds(ours.database.size));
  reads.push(await measured(bench, { of: `reads all over it, ${nameOf(ours.database)}`, ours, asks: spread }));
  return inRounds(reads, { ...bench.pace, unit: 'requests/s' });
}

async function measureUpdates(bench: Bench, servers: Ours[]): Promise<Figure[]> {
  const updates: Measured[] = [];
  for (const ours of servers) {
    const asks = updatesOf(ours.database, ours.database.appIds);
    // Not before the reads: of what is not used for long, a system may keep nothing in memory.
    await askEach(ours.port, asks);
    updates.push(await measured(bench, { of: `updates, ${nameOf(ours.database)}`, ours, asks }));
  }
  return inRounds(updates, { ...bench.pace, unit: 'updates/s' });
}

/** Once, however long it takes: what was never read comes from the disk, page by page. */
async function askEach(port: number, asks: Ask[]): Promise<void> {
  const left = [...asks];
  const askNext = async () => {
    for (let ask = left.pop(); ask; ask = left.pop()) await answerTo(port, ask);
  };
  await Promise.all(Array.from({ length: 32 }, askNext));
}

async function measured(bench: Bench, { of, ours, asks }: { of: string; ours: Ours; asks: Ask[] }): Promise<Measured> {
  const file = await writeAsks(bench.folder, asks);
  return { of, measure: () => wrk(bench, { port: ours.port, asks: file }) };
}

function judge(figures: Figure[], pairs: string[][]): Outcome {
  const told = [...figures];
  const targets = pairs.map(([small = '', large = '']): Target => {
    const value = byName(figures, large).value / byName(figures, small).value;
    told[figures.indexOf(byName(figures, large))] = { ...byName(figures, large), ratio: { value, of: small } };
    return { text: `${capital(large)}, of those of the small one`, value, unit: 'of it', atLeast: 0.9 };
  });
  return { figures: told, targets };
}

function readsOf(database: Database, ids: string[]): Ask[] {
  return ids.map((id) => getApp(database, id));
}

/** All but the app 0, whose list is long, in an order that no cache expects. */
function spreadIds({ apps }: RegistrySize): string[] {
  const count = Math.min(apps - 1, spreadMax);
  return Array.from({ length: count }, (_, at) => idOf('app', 1 + ((at * 7_919_317) % (apps - 1))));
}

function nameOf({ engine, size }: Database): string {
  return `${engine}, ${size.apps.toLocaleString('en')} apps`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
