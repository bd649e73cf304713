import type { HttpRequest } from '@appregistrar/testkit/http/http-request';
import { idOf, type RegistrySize } from '../fill-registry.ts';
import { type Bench, type Case, type Figure, type Outcome, onEachEngine, type Target } from '../harness/case.ts';
import { limitName, type Ours, sendOnce, startOurs } from '../harness/contestants.ts';
import type { Database, EngineName } from '../harness/databases.ts';
import { getApp, updatesOf } from '../harness/requests.ts';
import { byName, inRoundsWithLimit, type Measured } from '../harness/rounds.ts';
import { warmUp } from '../harness/warm-up.ts';
import { writeRequests, wrk } from '../harness/wrk.ts';

const smallSize = { apps: 1_000, installations: 10_000 };
const largeSize = { apps: 1_000_000, installations: 10_000_000 };
const quickSize = { apps: 20_000, installations: 200_000 };
const spreadMax = 100_000;

export const flatCase: Case = {
  name: 'flat',
  title: 'Database size',
  about:
    'Compares 1,000 apps and 10,000 installations with 1,000,000 apps and 10,000,000 installations on disk (quick run: ' +
    '20,000 and 200,000). Reads and updates use 1,000 apps across the whole registry, each read once before.',
  run: onEachEngine(runOn),
};

/** A registry of a million apps, created once and cached; in a quick run a smaller one. */
export function largeDatabase({ pace, databases }: Bench, engine: EngineName): Promise<Database> {
  return pace.isQuick ? databases.fresh(engine, quickSize) : databases.cached(engine, largeSize);
}

async function runOn(bench: Bench, engine: EngineName): Promise<Outcome> {
  const small = await bench.databases.fresh(engine, smallSize);
  const large = await largeDatabase(bench, engine);
  const servers: Ours[] = [];
  try {
    for (const database of [small, large]) servers.push(await startOurs(bench, database));
    const figures = [...(await measureReads(bench, servers)), ...(await measureUpdates(bench, servers))];
    return outcomeOf(
      figures,
      ['reads', 'updates'].map((what) => compared(what, { small, large })),
    );
  } finally {
    for (const server of servers) await server.stop();
    for (const database of [small, large]) await database.drop();
  }
}

/** Measures the last server also with reads of apps across the whole registry. */
async function measureReads(bench: Bench, servers: Ours[]): Promise<Figure[]> {
  const reads: Measured[] = [];
  for (const ours of servers) {
    const { port, database } = ours;
    const requests = readsOf(database, database.appIds);
    await warmUp(bench, port, requests);
    await sendEach(port, requests);
    reads.push(await measured(bench, { of: `reads, ${nameOf(database)}`, ours, requests }));
  }
  const ours = servers.at(-1) as Ours;
  const spread = readsOf(ours.database, spreadIds(ours.database.size));
  reads.push(await measured(bench, { of: `reads of all apps, ${nameOf(ours.database)}`, ours, requests: spread }));
  const limit = `${limitName} during reads, ${ours.database.engine}`;
  return inRoundsWithLimit(bench, { limit, measured: reads, unit: 'requests/s' });
}

async function measureUpdates(bench: Bench, servers: Ours[]): Promise<Figure[]> {
  const updates: Measured[] = [];
  for (const ours of servers) {
    const requests = updatesOf(ours.database, ours.database.appIds);
    // After the reads: the operating system may evict what is not used for long.
    await sendEach(ours.port, requests);
    updates.push(await measured(bench, { of: `updates, ${nameOf(ours.database)}`, ours, requests }));
  }
  const limit = `${limitName} during updates, ${servers[0]?.database.engine}`;
  return inRoundsWithLimit(bench, { limit, measured: updates, unit: 'updates/s' });
}

/** Sends each request once: data that was never read comes from disk, page by page. */
async function sendEach(port: number, requests: HttpRequest[]): Promise<void> {
  const remaining = [...requests];
  const sendRemaining = async () => {
    for (let request = remaining.pop(); request; request = remaining.pop()) await sendOnce(port, request);
  };
  await Promise.all(Array.from({ length: 32 }, sendRemaining));
}

async function measured(
  bench: Bench,
  { of, ours, requests }: { of: string; ours: Ours; requests: HttpRequest[] },
): Promise<Measured> {
  const file = await writeRequests(bench.folder, requests);
  return { of, measure: () => wrk(bench, { port: ours.port, requests: file }) };
}

interface Pair {
  engine: EngineName;
  headline: string;
  /** The names of figures. */
  small: string;
  large: string;
}

function compared(what: string, { small, large }: { small: Database; large: Database }): Pair {
  return {
    engine: large.engine,
    headline: `${capitalized(what)} with ${large.size.apps.toLocaleString('en')} apps`,
    small: `${what}, ${nameOf(small)}`,
    large: `${what}, ${nameOf(large)}`,
  };
}

function outcomeOf(figures: Figure[], pairs: Pair[]): Outcome {
  const withRatios = [...figures];
  const targets = pairs.map(({ engine, headline, small, large }): Target => {
    const value = byName(figures, large).value / byName(figures, small).value;
    withRatios[figures.indexOf(byName(figures, large))] = { ...byName(figures, large), ratio: { value, of: small } };
    const text = `${capitalized(large)}, relative to 1,000 apps`;
    return { text, headline, engine, value, unit: 'of 1,000 apps', atLeast: 0.9 };
  });
  return { figures: withRatios, targets };
}

function readsOf(database: Database, ids: string[]): HttpRequest[] {
  return ids.map((id) => getApp(database, id));
}

/** All apps but 0, whose list is long, in an order without locality. */
function spreadIds({ apps }: RegistrySize): string[] {
  const count = Math.min(apps - 1, spreadMax);
  return Array.from({ length: count }, (_, at) => idOf('app', 1 + ((at * 7_919_317) % (apps - 1))));
}

function nameOf({ engine, size }: Database): string {
  return `${engine}, ${size.apps.toLocaleString('en')} apps`;
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
