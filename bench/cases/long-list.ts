import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '@appregistrar/testkit/statistics';
import { residentMib } from '@appregistrar/testkit/system/process-usage';
import type { StartedProcess } from '@appregistrar/testkit/system/started-process';
import { openBulkConnection } from '../bulk-connection.ts';
import { type Bench, type Case, type Figure, type Outcome, onEachEngine, type Target } from '../harness/case.ts';
import { tenThousandApps } from '../harness/compare-servers.ts';
import { limitName, requireRunning, startOurs } from '../harness/contestants.ts';
import type { Database, EngineName } from '../harness/databases.ts';
import { addInstallations } from '../harness/measured-apps.ts';
import { getApp } from '../harness/requests.ts';
import { figure, withLimit } from '../harness/rounds.ts';
import { constantRate } from '../load/constant-rate.ts';
import { always, bytesOf } from '../load/load.ts';
import { type ReadList, readList } from '../load/read-list.ts';

const othersPerSecond = 500;
const sampleMs = 20;

export const longListCase: Case = {
  name: 'long-list',
  title: 'List of 1,000,000 installations',
  about:
    'Reads a complete list (quick run: 100,000), first alone and then repeatedly while another app is ' +
    `read ${othersPerSecond} times a second. 1 MB is 1,000,000 bytes of the body. Memory is the peak resident size.`,
  run: onEachEngine(runOn),
};

async function runOn(bench: Bench, engine: EngineName): Promise<Outcome> {
  const measurements = await measure(bench, engine);
  return { figures: figuresOf(engine, measurements), targets: targetsOf(engine, measurements) };
}

interface Measurements {
  limits: number[];
  alone: ReadList[];
  aboveIdleMib: number;
  othersP99Ms: number;
  othersAlwaysP99Ms: number;
}

async function measure(bench: Bench, engine: EngineName): Promise<Measurements> {
  const database = await bench.databases.fresh(engine, tenThousandApps);
  const [longId = '', otherId = ''] = database.appIds;
  await addMany(database, longId, bench.pace.isQuick ? 100_000 : 1_000_000);
  const ours = await startOurs(bench, database);
  try {
    const { rounds, seconds, connections } = bench.pace;
    const other = always(bytesOf(getApp(database, otherId)));
    const load = {
      ports: [ours.port],
      connections,
      perSecond: othersPerSecond,
      seconds,
      warmUpSeconds: 0.3,
      next: other,
    };
    // The idle memory is that after some requests.
    const othersAlwaysP99Ms = (await constantRate(load)).at(0.99);
    await sleep(bench.pace.isQuick ? 200 : 2_000);
    const peak = new PeakMemory(ours.process);
    const alone: ReadList[] = [];
    const limits: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      limits.push(await bench.measureLimit());
      alone.push(await readList(ours.port, getApp(database, longId)));
    }
    const others = await whileReading(
      () => readList(ours.port, getApp(database, longId)),
      () => constantRate(load),
    );
    return { limits, alone, aboveIdleMib: peak.end(), othersP99Ms: others.at(0.99), othersAlwaysP99Ms };
  } finally {
    await ours.stop();
    await database.drop();
  }
}

async function addMany(database: Database, appId: string, count: number): Promise<void> {
  const bulk = await openBulkConnection(database.url);
  await addInstallations(bulk, database.size, { appId, count });
  if (bulk.engine === 'postgres') await bulk.run('vacuum analyze installations');
  await bulk.close();
}

/** Reads the list again and again until the work is done. */
async function whileReading<Result>(read: () => Promise<unknown>, work: () => Promise<Result>): Promise<Result> {
  let isDone = false;
  const reading = (async () => {
    while (!isDone) await read();
  })();
  try {
    return await work();
  } finally {
    isDone = true;
    await reading;
  }
}

/** The peak memory of a process above its initial memory. */
class PeakMemory {
  readonly #process: StartedProcess;
  readonly #idleMib: number;
  readonly #timer: NodeJS.Timeout;
  #peakMib: number;

  constructor(process: StartedProcess) {
    this.#process = process;
    this.#idleMib = residentMib(process.pid);
    this.#peakMib = this.#idleMib;
    this.#timer = setInterval(() => this.#sample(), sampleMs);
  }

  end(): number {
    requireRunning(this.#process);
    this.#sample();
    clearInterval(this.#timer);
    return this.#peakMib - this.#idleMib;
  }

  #sample(): void {
    this.#peakMib = Math.max(this.#peakMib, residentMib(this.#process.pid));
  }
}

function figuresOf(
  engine: EngineName,
  { limits, alone, aboveIdleMib, othersP99Ms, othersAlwaysP99Ms }: Measurements,
): Figure[] {
  return withLimit(figure(`${engine}: ${limitName}`, limits, 'requests/s'), [
    figure(`${engine}: length`, [(alone[0]?.bytes ?? 0) / 1e6], 'MB'),
    figure(`${engine}: time to first byte`, firstBytes(alone), 'ms'),
    figure(`${engine}: throughput`, throughputs(alone), 'MB/s'),
    figure(`${engine}: memory above idle`, [aboveIdleMib], 'MiB'),
    figure(`${engine}: p99 of other requests, without the list`, [othersAlwaysP99Ms], 'ms'),
    figure(`${engine}: p99 of other requests, during the list`, [othersP99Ms], 'ms'),
  ]);
}

function targetsOf(engine: EngineName, { alone, aboveIdleMib, othersP99Ms }: Measurements): Target[] {
  const list = `Long list, ${engine}`;
  return [
    { text: `${list}: time to first byte`, value: median(firstBytes(alone)), unit: 'ms', atMost: 50 },
    { text: `${list}: memory above idle`, value: aboveIdleMib, unit: 'MiB', atMost: 64 },
    { text: `${list}: p99 of other requests`, value: othersP99Ms, unit: 'ms', atMost: 20 },
  ];
}

function firstBytes(lists: ReadList[]): number[] {
  return lists.map(({ firstByteMs }) => firstByteMs);
}

function throughputs(lists: ReadList[]): number[] {
  return lists.map(({ megabytesPerSecond }) => megabytesPerSecond);
}
