import { setTimeout as sleep } from 'node:timers/promises';
import { freshSqlite } from '../frame/fresh-database.ts';
import type { Load } from '../frame/load.ts';
import type { Run } from '../frame/run.ts';
import { Strace } from '../frame/strace.ts';
import type { Figures } from '../frame/torture.ts';
import { DiskScene } from './disk-scene.ts';

/** What fails, and as what. The log and the file are written and synced by these. */
const faults = [
  ['fsync,fdatasync', 'EIO'],
  ['pwrite64', 'EIO'],
  ['pwrite64', 'ENOSPC'],
] as const;
/** One by one as far as this, and then drawn: a checkpoint comes after many writes. */
const swept = 12;
const farthest: Record<string, number> = { pwrite64: 1_500, 'fsync,fdatasync': 60 };
const failureMsMax = 2_500;

/** What fails from which call on, and whether it is the only one. */
interface Failing {
  call: string;
  error: string;
  from: number;
  isLasting: boolean;
  /** Whether the service is killed while it fails. */
  isKilled: boolean;
}

/** Lets the n-th write or sync fail, once or from there on, and looks at what the service makes of it. */
export async function failCalls(run: Run): Promise<Figures> {
  const database = freshSqlite();
  run.atEnd(database.remove);
  const scene = await DiskScene.open(run, database.url);
  const random = run.random('failing calls');
  const totals = { runs: 0, met: 0, refused: 0, unknown: 0, stops: 0 };
  for (const [call, error] of faults) {
    const { met } = totals;
    for (let at = 1; at <= run.number('calls'); at += 1) {
      const from = at <= swept ? at : random.between(swept, farthest[call] ?? swept);
      const failing = { call, error, from, isLasting: random.chance(0.5), isKilled: random.chance(0.4) };
      await failOnce(scene, failing, totals);
    }
    if (totals.met === met) throw new Error(`no ${call} has failed: there is nothing to see`);
    run.log(`${call} ${error}: ${JSON.stringify(totals)}`);
  }
  await scene.service.stop();
  const { runs, met, refused, unknown, stops } = totals;
  return {
    'failing calls:': `${runs} runs, ${met} with a failure, ${refused} changes refused with 503, ${unknown} unknown, ${stops} stops`,
  };
}

async function failOnce(scene: DiskScene, failing: Failing, totals: Record<string, number>): Promise<void> {
  const { call, error, from, isLasting, isKilled } = failing;
  const { service } = scene;
  await scene.begin();
  const inject = `inject=${call}:error=${error}:when=${from}${isLasting ? '+' : ''}`;
  const strace = await Strace.attach(service.process.pid, [
    '-e',
    `trace=${call}`,
    '-e',
    inject,
    '-e',
    'signal=none',
    '-o',
    '/dev/null',
  ]);
  const load = scene.load((totals.runs ?? 0) + 1);
  try {
    await scene.untilFailing(failureMsMax);
    // At once: what a later write leaves in the log would hide what this one has left.
    if (isKilled) await service.kill();
    else if (scene.hasFailed && !service.process.hasEnded) {
      await scene.assertReads();
      if (isLasting) await assertNotReady(scene, load);
      else await sleep(50);
    }
    await load.stop();
  } catch (broken) {
    throw Object.assign(broken as Error, { message: `${inject}: ${(broken as Error).message}` });
  } finally {
    await strace.detach();
  }
  count(scene, totals, !isKilled && service.process.hasEnded);
  if (!isKilled && service.process.hasEnded) await scene.assertLoud();
  if (service.process.hasEnded) await service.start();
  await assertWhole(scene, inject);
}

/** Its own writes alone tell. */
async function assertNotReady(scene: DiskScene, load: Load): Promise<void> {
  await load.stop();
  await scene.assertNotReady();
}

async function assertWhole(scene: DiskScene, inject: string): Promise<void> {
  try {
    await scene.untilRecovered();
    await scene.assertStored();
  } catch (broken) {
    throw Object.assign(broken as Error, { message: `${inject}: ${(broken as Error).message}` });
  }
}

function count(scene: DiskScene, totals: Record<string, number>, stopped: boolean): void {
  const add = (name: string, by: number) => {
    totals[name] = (totals[name] ?? 0) + by;
  };
  add('runs', 1);
  add('met', scene.hasFailed ? 1 : 0);
  add('refused', scene.ledger.count('refused'));
  add('unknown', scene.ledger.count('unknown'));
  add('stops', stopped ? 1 : 0);
}
