import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@appregistrar/testkit/system/free-port';
import { residentMib } from '@appregistrar/testkit/system/process-usage';
import { builtLauncher } from '../harness/built-package.ts';
import { type Bench, type Case, type Outcome, onEachEngine } from '../harness/case.ts';
import { limitName, requireRunning, sendOnce, spawnOurs, startOurs, stopProcess } from '../harness/contestants.ts';
import type { Database, EngineName } from '../harness/databases.ts';
import { getApp } from '../harness/requests.ts';
import { figure, withLimit } from '../harness/rounds.ts';
import { largeDatabase } from './flat.ts';

const pollMs = 2;
/** V8 releases memory after some seconds without work. */
const idleMs = 10_000;

export const startCase: Case = {
  name: 'start',
  title: 'Startup',
  about:
    'Measures the time from the start of the process to its first response to Get App, with 1,000,000 apps (quick run: ' +
    '20,000), and the resident memory when idle.',
  run: onEachEngine(runOn),
};

async function runOn(bench: Bench, engine: EngineName): Promise<Outcome> {
  // Builds it before any start is timed.
  builtLauncher(bench);
  const database = await largeDatabase(bench, engine);
  const limits: number[] = [];
  const ms: number[] = [];
  for (let round = 0; round < bench.pace.rounds; round += 1) {
    limits.push(await bench.measureLimit());
    ms.push(await startOnce(bench, database));
  }
  const idle = figure(`${engine}: resident memory when idle`, [await idleMib(bench, database)], 'MiB');
  await database.drop();
  const first = figure(`${engine}: time to first response`, ms, 'ms');
  return {
    figures: withLimit(figure(`${engine}: ${limitName}`, limits, 'requests/s'), [first, idle]),
    targets: [],
  };
}

/** Milliseconds to the first response. */
async function startOnce(bench: Bench, database: Database): Promise<number> {
  const [port, operatorPort] = [await freePort(), await freePort()];
  const startedAt = performance.now();
  const process = spawnOurs(bench, { database, port, operatorPort });
  try {
    for (;;) {
      const response = await sendOnce(port, getApp(database, database.appIds[0] as string)).catch(() => null);
      if (response?.status === 200) break;
      requireRunning(process);
      await sleep(pollMs);
    }
    return performance.now() - startedAt;
  } finally {
    await stopProcess(process);
  }
}

async function idleMib(bench: Bench, database: Database): Promise<number> {
  const ours = await startOurs(bench, database);
  try {
    await sendOnce(ours.port, getApp(database, database.appIds[0] as string));
    await sleep(bench.pace.isQuick ? 500 : idleMs);
    requireRunning(ours.process);
    return residentMib(ours.process.pid);
  } finally {
    await ours.stop();
  }
}
