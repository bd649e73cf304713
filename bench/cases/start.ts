import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from 'app-registry-testkit/programs/program';
import { builtLauncher } from '../frame/built-package.ts';
import { type Bench, type Case, type Outcome, onEachEngine } from '../frame/case.ts';
import { answerTo, spawnOurs } from '../frame/contestants.ts';
import type { Database, EngineName } from '../frame/databases.ts';
import { getApp } from '../frame/requests.ts';
import { figure } from '../frame/rounds.ts';
import { largeDatabase } from './flat.ts';

const askAgainMs = 2;

export const startCase: Case = {
  name: 'start',
  title: 'Start',
  about:
    'From the start of the process to its first answer to Get App, on a registry of 1,000,000 ' +
    'apps (in a quick run 20,000), and what it holds in memory when nothing more is asked of it.',
  run: onEachEngine(runOn),
};

async function runOn(bench: Bench, engine: EngineName): Promise<Outcome> {
  // It must not be built while a start is timed.
  builtLauncher(bench);
  const database = await largeDatabase(bench, engine);
  const taken = { ms: [] as number[], mib: [] as number[] };
  for (let round = 0; round < bench.pace.rounds; round += 1) {
    const { ms, mib } = await startOnce(bench, database);
    taken.ms.push(ms);
    taken.mib.push(mib);
  }
  await database.drop();
  const first = figure(`${engine}: first answer after`, taken.ms, 'ms');
  const idle = figure(`${engine}: resident when idle`, taken.mib, 'MiB');
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
  const child = spawnOurs(bench, { database, port, operatorPort });
  try {
    for (;;) {
      const answer = await answerTo(port, getApp(database, database.appIds[0] as string)).catch(() => null);
      if (answer?.status === 200) break;
      child.requireAlive();
      await sleep(askAgainMs);
    }
    const ms = performance.now() - startedAt;
    await sleep(bench.pace.isQuick ? 500 : 10_000);
    return { ms, mib: child.residentMib() };
  } finally {
    await child.stop();
  }
}
