import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from 'app-registry-testkit/system/free-port';
import { residentMib } from 'app-registry-testkit/system/process-usage';
import { builtLauncher } from '../frame/built-package.ts';
import { type Bench, type Case, type Outcome, onEachEngine } from '../frame/case.ts';
import { requireRunning, sendOnce, spawnOurs, stopProcess } from '../frame/contestants.ts';
import type { Database, EngineName } from '../frame/databases.ts';
import { getApp } from '../frame/requests.ts';
import { figure } from '../frame/rounds.ts';
import { largeDatabase } from './flat.ts';

const pollMs = 2;

export const startCase: Case = {
  name: 'start',
  title: 'Start',
  about:
    'From the start of the process to its first response to Get App, on a registry of 1,000,000 ' +
    'apps (in a quick run 20,000), and its resident memory once it is idle.',
  run: onEachEngine(runOn),
};

async function runOn(bench: Bench, engine: EngineName): Promise<Outcome> {
  // Builds it before any start is timed.
  builtLauncher(bench);
  const database = await largeDatabase(bench, engine);
  const starts = { ms: [] as number[], mib: [] as number[] };
  for (let round = 0; round < bench.pace.rounds; round += 1) {
    const { ms, mib } = await startOnce(bench, database);
    starts.ms.push(ms);
    starts.mib.push(mib);
  }
  await database.drop();
  const first = figure(`${engine}: first answer after`, starts.ms, 'ms');
  const idle = figure(`${engine}: resident when idle`, starts.mib, 'MiB');
  return {
    figures: [first, idle],
    targets: [
      { text: `First answer after the start on ${engine}`, value: first.value, unit: 'ms', atMost: 500 },
      { text: `Resident when idle on ${engine}`, value: idle.value, unit: 'MiB', atMost: 120 },
    ],
  };
}

async function startOnce(bench: Bench, database: Database): Promise<{ ms: number; mib: number }> {
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
    const ms = performance.now() - startedAt;
    await sleep(bench.pace.isQuick ? 500 : 10_000);
    requireRunning(process);
    return { ms, mib: residentMib(process.pid) };
  } finally {
    await stopProcess(process);
  }
}
