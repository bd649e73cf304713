import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, type Case, type Figure, type Outcome, onEachEngine } from '../harness/case.ts';
import { tenThousandApps } from '../harness/compare-servers.ts';
import { limitName, type Ours, startLimit, startOurs } from '../harness/contestants.ts';
import type { EngineName } from '../harness/databases.ts';
import { hotId, installRequest, nextInstall } from '../harness/hot-installs.ts';
import { pgbench, writeScript } from '../harness/pgbench.ts';
import { recordStatements } from '../harness/recorded-statements.ts';
import { getApp } from '../harness/requests.ts';
import { figure, withLimit } from '../harness/rounds.ts';
import { warmUp } from '../harness/warm-up.ts';
import { writeRequests, wrk, wrkSeconds } from '../harness/wrk.ts';
import { closedLoad } from '../load/closed-load.ts';
import { constantRate } from '../load/constant-rate.ts';
import { Latencies } from '../load/latencies.ts';
import { bytesOf, inTurn } from '../load/load.ts';
import { readList } from '../load/read-list.ts';

const installsPerSecond = 100;
const readsPerSecond = 5;
const otherReadsPerSecond = 500;

export const hotAppCase: Case = {
  name: 'hot-app',
  title: 'Hot app',
  about:
    `An app with 10,000 installations is installed ${installsPerSecond} times a second through the operator API and ` +
    `read completely ${readsPerSecond} times a second, while wrk reads another app at full speed. Then 64 connections ` +
    'install it at full speed.',
  run: onEachEngine(runOn),
};

async function runOn(bench: Bench, engine: EngineName): Promise<Outcome> {
  const database = await bench.databases.fresh(engine, tenThousandApps);
  const ours = await startOurs(bench, database);
  try {
    const others = await measureOthers(bench, ours);
    const mostInstalls = await measureMostInstalls(bench, ours);
    const installs = figure(`${engine}: maximum installs of one app`, mostInstalls, 'installs/s');
    const baseline = figure(`${engine}: other reads, baseline`, others.usual, 'requests/s');
    const meanwhile = figure(`${engine}: other reads, during installs`, others.meanwhile, 'requests/s');
    const share = meanwhile.value / baseline.value;
    const limit = await limitOfInstalls(bench, ours);
    const cells = {
      [engine === 'SQLite' ? 'bare node:http' : 'pgbench']: limit.of,
      [`app-registry, ${engine}`]: installs.of,
    };
    return {
      headlines: [{ name: 'Installs of one app', cells }],
      figures: [
        ...withLimit(figure(`${engine}: ${limitName}`, others.limits, 'requests/s'), [
          baseline,
          { ...meanwhile, ratio: { value: share, of: baseline.of } },
          figure(`${engine}: p99 of other reads, during installs`, others.others99Ms, 'ms'),
          figure(`${engine}: p99 of installs`, others.installs99Ms, 'ms'),
          figure(`${engine}: p50 of reads of the hot app`, others.readsHalfMs, 'ms'),
          installs,
        ]),
        limit,
      ],
      targets: [
        {
          text: `Reads of other apps beside a hot app, ${engine}, relative to the baseline`,
          headline: 'Reads of other apps beside a hot app',
          engine,
          value: share,
          unit: 'of the baseline',
          atLeast: 0.8,
        },
        {
          text: `Installs of one app, ${engine}`,
          headline: 'Installs of one app',
          engine,
          value: installs.value,
          unit: 'installs/s',
          atLeast: 2_000,
        },
      ],
    };
  } finally {
    await ours.stop();
    await database.drop();
  }
}

interface Others {
  limits: number[];
  usual: number[];
  meanwhile: number[];
  /** At a rate far below the maximum. */
  others99Ms: number[];
  installs99Ms: number[];
  readsHalfMs: number[];
}

/** Measures reads of another app, alternately without and with installs. */
async function measureOthers(bench: Bench, ours: Ours): Promise<Others> {
  const { database, port } = ours;
  const reading = [getApp(database, database.appIds[0] as string)];
  const requests = await writeRequests(bench.folder, reading);
  await warmUp(bench, port, reading);
  const others: Others = { limits: [], usual: [], meanwhile: [], others99Ms: [], installs99Ms: [], readsHalfMs: [] };
  for (let round = 0; round < bench.pace.rounds; round += 1) {
    others.limits.push(await bench.measureLimit());
    others.usual.push(await wrk(bench, { port, requests }));
    const seconds = wrkSeconds(bench.pace) + bench.pace.seconds + 1;
    const hot = Promise.all([install(ours, seconds), readHot(ours, seconds)]);
    await sleep(500);
    others.meanwhile.push(await wrk(bench, { port, requests }));
    others.others99Ms.push((await readOthers(bench, ours)).at(0.99));
    const [installs, reads] = await hot;
    others.installs99Ms.push(installs.at(0.99));
    others.readsHalfMs.push(reads.at(0.5));
  }
  return others;
}

function install({ operatorPort, database }: Ours, seconds: number): Promise<Latencies> {
  return constantRate({
    ports: [operatorPort],
    connections: 16,
    seconds,
    warmUpSeconds: 0,
    next: nextInstall(database, operatorPort),
    perSecond: installsPerSecond,
    sharesCore: true,
  });
}

function readOthers({ pace: { seconds } }: Bench, { port, database }: Ours): Promise<Latencies> {
  return constantRate({
    ports: [port],
    connections: 16,
    seconds,
    warmUpSeconds: 0,
    next: inTurn(database.appIds.map((id) => bytesOf(getApp(database, id)))),
    perSecond: otherReadsPerSecond,
    sharesCore: true,
  });
}

async function readHot({ port, database }: Ours, seconds: number): Promise<Latencies> {
  const durations: Promise<number>[] = [];
  for (let count = 0; count < seconds * readsPerSecond; count += 1) {
    const startedAt = performance.now();
    durations.push(readList(port, getApp(database, hotId)).then(() => performance.now() - startedAt));
    await sleep(1_000 / readsPerSecond);
  }
  return new Latencies(await Promise.all(durations));
}

async function measureMostInstalls(bench: Bench, { operatorPort, database }: Ours): Promise<number[]> {
  const { connections, seconds, warmUpSeconds, rounds } = bench.pace;
  const load = {
    ports: [operatorPort],
    connections,
    seconds,
    warmUpSeconds,
    next: nextInstall(database, operatorPort),
  };
  const perSecond: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // Warm after the first round.
    perSecond.push((await closedLoad(round === 0 ? load : { ...load, warmUpSeconds: 0.3 })).perSecond);
  }
  return perSecond;
}

/** On PostgreSQL, pgbench with the same transaction on the same row. On SQLite, a server that echoes the body. */
async function limitOfInstalls(bench: Bench, ours: Ours): Promise<Figure> {
  const { database, operatorPort } = ours;
  if (database.engine === 'PostgreSQL') {
    const sent = await recordStatements(bench, database, {
      isOperators: true,
      next: (port) => installRequest(database, port),
    });
    const changes = ['apps', 'installations', 'events'];
    const script = await writeScript(bench, sent, {
      database,
      name: 'install',
      appId: hotId,
      isSpread: false,
      changes,
    });
    const perSecond = await pgbench(bench, database, { script });
    return figure('PostgreSQL: pgbench, the same transaction on one app', [perSecond], 'installs/s');
  }
  const limit = await startLimit(bench, {
    port: operatorPort,
    request: installRequest(database, operatorPort),
    echoes: true,
  });
  try {
    const { connections, seconds, warmUpSeconds } = bench.pace;
    const load = { ports: [limit.port], connections, seconds, warmUpSeconds, next: nextInstall(database, limit.port) };
    return figure(`SQLite: ${limitName}, echo`, [(await closedLoad(load)).perSecond], 'requests/s');
  } finally {
    await limit.stop();
  }
}
