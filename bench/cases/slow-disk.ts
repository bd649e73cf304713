import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpRequest } from '@appregistrar/testkit/http/http-request';
import { idOf } from '../fill-registry.ts';
import type { Bench, Case, Figure, Outcome, Target } from '../frame/case.ts';
import { tenThousandApps } from '../frame/compare-servers.ts';
import { limitName, type Ours, startOurs, stopAll } from '../frame/contestants.ts';
import type { Database } from '../frame/databases.ts';
import { getApp, updateApp, updatesOf } from '../frame/requests.ts';
import { figure, withLimit } from '../frame/rounds.ts';
import { warmUp } from '../frame/warm-up.ts';
import { writeRequests, wrk, wrkSeconds } from '../frame/wrk.ts';
import { constantRate } from '../load/constant-rate.ts';
import { bytesOf, inTurn, type LoadRequest, once } from '../load/load.ts';
import { compilers, SlowDisk } from '../slow-disk/slow-disk.ts';

/** The measured apps that are read. The others are updated. */
const readApps = 100;
const readsPerSecond = 1_000;

export const slowDiskCase: Case = {
  name: 'slow-disk',
  title: 'Slow disk',
  about:
    'SQLite on a disk whose syncs each take 20 ms longer. 100 apps are read at full speed by wrk, and then ' +
    `${readsPerSecond.toLocaleString('en')} times a second, beside 100 updates a second of other apps. The baseline has 100 ` +
    'more reads a second instead of the updates; these need no disk. In the second part the first read of each database page ' +
    'also takes 20 ms longer, beside 50 reads and 50 updates a second of apps that were never used before.',
  programs: compilers,
  run,
};

/** A server, and the requests that disturb its reads. */
interface Setting {
  name: string;
  /** The target of 99 % of the reads beside the others. */
  p99MsMax: number | null;
  ours: Ours;
  others: Others[];
}

interface Others {
  perSecond: number;
  next: () => LoadRequest;
  /** Of the updates among them. */
  acknowledged: number;
}

/** One value a round. */
interface Rounds {
  alone: number[];
  beside: number[];
  p99Ms: number[];
  updates: number[];
}

async function run(bench: Bench): Promise<Outcome> {
  const disk = new SlowDisk(bench.folder);
  const settings: Setting[] = [];
  try {
    settings.push(await slowSyncs(bench, disk), await slowReads(bench, disk));
    for (const { ours } of settings) await warmUp(bench, ours.port, readsOf(ours.database));
    disk.begin();
    // Every page that these reads need has been read before the first round.
    for (const { ours } of settings) await warmUp(bench, ours.port, readsOf(ours.database));
    return outcomeOf(await measureRounds(bench, settings), settings);
  } finally {
    disk.end();
    await stopAll(settings.map(({ ours }) => ours));
    for (const { ours } of settings) await ours.database.drop();
  }
}

async function slowSyncs(bench: Bench, disk: SlowDisk): Promise<Setting> {
  const database = await bench.databases.fresh('SQLite', tenThousandApps);
  const updates = updatesOf(database, database.appIds.slice(readApps)).map(bytesOf);
  return {
    name: 'slow syncs',
    p99MsMax: 5,
    ours: await startOurs(bench, database, { env: disk.environment() }),
    others: [updating(100, inTurn(updates))],
  };
}

async function slowReads(bench: Bench, disk: SlowDisk): Promise<Setting> {
  const database = await bench.databases.fresh('SQLite', tenThousandApps);
  const { read, updated } = unusedApps(database);
  const reads = read.map((id) => bytesOf(getApp(database, id)));
  const updates = updated.map((id) => bytesOf(updateApp(database, id, { number: 1 })));
  return {
    name: 'slow syncs and slow first reads',
    p99MsMax: null,
    ours: await startOurs(bench, database, {
      env: disk.environment({ readsOf: database.url.slice('sqlite:'.length) }),
    }),
    others: [{ perSecond: 50, next: once(reads), acknowledged: 0 }, updating(50, once(updates))],
  };
}

function updating(perSecond: number, next: () => LoadRequest): Others {
  const others: Others = {
    perSecond,
    next: () => {
      const { bytes, onResponse } = next();
      return {
        bytes,
        onResponse: (response) => {
          onResponse(response);
          others.acknowledged += 1;
        },
      };
    },
    acknowledged: 0,
  };
  return others;
}

function acknowledged(others: Others[]): number {
  return others.reduce((sum, one) => sum + one.acknowledged, 0);
}

function readsOf(database: Database): HttpRequest[] {
  return database.appIds.slice(0, readApps).map((id) => getApp(database, id));
}

/** Apps beside those of `readsOf`, without locality. The developer of the measured apps has those that are updated. */
function unusedApps({ appIds, size: { apps } }: Database): { read: string[]; updated: string[] } {
  const measured = new Set(appIds);
  // App 0 has a long list.
  const others = Array.from({ length: apps - 1 }, (_, at) => 1 + ((at * 7_919) % (apps - 1)));
  const unmeasured = others.filter((number) => !measured.has(idOf('app', number)));
  const idsOf = (numbers: number[]) => numbers.map((number) => idOf('app', number));
  return {
    read: idsOf(unmeasured.filter((number) => number % 10 !== 0)),
    updated: [...idsOf(unmeasured.filter((number) => number % 10 === 0)), ...appIds.slice(readApps)],
  };
}

async function measureRounds(bench: Bench, settings: Setting[]): Promise<{ limits: number[]; rounds: Rounds[] }> {
  const limits: number[] = [];
  const rounds = settings.map((): Rounds => ({ alone: [], beside: [], p99Ms: [], updates: [] }));
  for (let round = 0; round < bench.pace.rounds; round += 1) {
    limits.push(await bench.measureLimit());
    for (const [at, setting] of settings.entries()) await measureRound(bench, setting, rounds[at] as Rounds);
  }
  return { limits, rounds };
}

async function measureRound(bench: Bench, { ours, others }: Setting, rounds: Rounds): Promise<void> {
  const { port, database } = ours;
  const reads = readsOf(database);
  const requests = await writeRequests(bench.folder, reads);
  const measure = () => wrk(bench, { port, requests });
  const seconds = wrkSeconds(bench.pace);
  // The generator of the others takes the core of wrk, and its connections take turns of the server for any request.
  const alike = others.map(({ perSecond }) => ({ perSecond, next: inTurn(reads.map(bytesOf)), acknowledged: 0 }));
  rounds.alone.push(await beside(alike, { port, seconds }, measure));
  const updatesBefore = acknowledged(others);
  rounds.beside.push(await beside(others, { port, seconds }, measure));
  rounds.updates.push((acknowledged(others) - updatesBefore) / seconds);
  const latencies = await beside(others, { port, seconds }, () =>
    constantRate({
      ports: [port],
      connections: bench.pace.connections,
      seconds: bench.pace.seconds,
      warmUpSeconds: 0.3,
      next: inTurn(reads.map(bytesOf)),
      perSecond: readsPerSecond,
      signal: AbortSignal.timeout(2_000 * seconds),
    }),
  );
  rounds.p99Ms.push(latencies.at(0.99));
}

/** Does the work while the others are sent. */
async function beside<Result>(
  others: Others[],
  { port, seconds }: { port: number; seconds: number },
  work: () => Promise<Result>,
): Promise<Result> {
  const end = new AbortController();
  // Longer than the work takes.
  const load = { ports: [port], connections: 8, seconds: seconds * 10, warmUpSeconds: 0, signal: end.signal };
  const loads = Promise.all(others.map((one) => constantRate({ ...load, ...one, sharesCore: true })));
  try {
    const early = loads.then(() => Promise.reject(new Error('the other requests have ended before the work')));
    return await Promise.race([work(), early]);
  } finally {
    end.abort();
    // The server finishes what it has received.
    await sleep(300);
  }
}

function outcomeOf({ limits, rounds }: { limits: number[]; rounds: Rounds[] }, settings: Setting[]): Outcome {
  const outcomes = settings.map((setting, at) => outcomeOfSetting(setting, rounds[at] as Rounds));
  const figures = outcomes.flatMap((one) => one.figures);
  return {
    figures: withLimit(figure(limitName, limits, 'requests/s'), figures),
    targets: outcomes.flatMap(({ targets }) => targets),
  };
}

function outcomeOfSetting({ name, p99MsMax }: Setting, rounds: Rounds): Outcome {
  const alone = figure(`${name}: reads, baseline`, rounds.alone, 'requests/s');
  const beside = figure(`${name}: reads beside updates`, rounds.beside, 'requests/s');
  const p99 = figure(`${name}: p99 of reads beside updates`, rounds.p99Ms, 'ms');
  const share = beside.value / alone.value;
  const text = `Reads, SQLite, with ${name}, relative to the baseline`;
  const targets: Target[] = [
    {
      text,
      headline: `Reads with ${name}`,
      engine: 'SQLite',
      value: share,
      unit: 'of the baseline',
      atLeast: 0.9,
    },
  ];
  if (p99MsMax !== null) {
    const what = `p99 of reads with ${name}`;
    targets.push({
      text: `${what}, SQLite`,
      headline: what,
      engine: 'SQLite',
      value: p99.value,
      unit: 'ms',
      atMost: p99MsMax,
    });
  }
  const figures: Figure[] = [
    alone,
    { ...beside, ratio: { value: share, of: alone.of } },
    figure(`${name}: updates`, rounds.updates, 'updates/s'),
    p99,
  ];
  return { figures, targets };
}
