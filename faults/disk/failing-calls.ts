import { setTimeout as sleep } from 'node:timers/promises';
import { DiskScene } from '../harness/disk-scene.ts';
import { type Figures, guarantee } from '../harness/fault-injection.ts';
import { freshSqlite } from '../harness/fresh-database.ts';
import type { Load } from '../harness/load.ts';
import type { Run } from '../harness/run.ts';
import { Strace } from '../harness/strace.ts';

/** The system calls that write and sync the database, and their errors. */
const failures = [
  ['fsync,fdatasync', 'EIO'],
  ['pwrite64', 'EIO'],
  ['pwrite64', 'ENOSPC'],
] as const;
/** The first calls fail one by one, later ones at random: a checkpoint follows many writes. */
const sweptCalls = 12;
const lastCalls: Record<string, number> = { pwrite64: 1_500, 'fsync,fdatasync': 60 };
const failureMsMax = 2_500;
/** How long it may take until the service has ended after a failed sync. */
const endMsMax = 10_000;

/** A failure to inject. */
interface Injection {
  call: string;
  error: string;
  /** The number of the first failing call. */
  from: number;
  /** Whether all later calls fail too. */
  isLasting: boolean;
  /** Whether the service is killed during the failure. */
  isKilled: boolean;
}

/** Makes the n-th write or sync fail, once or from then on, and checks the service. */
export async function failCalls(run: Run): Promise<Figures> {
  const database = freshSqlite();
  run.atEnd(database.remove);
  const scene = await DiskScene.open(run, database.url);
  const random = run.random('failing calls');
  const totals = { runs: 0, failed: 0, refused: 0, unknown: 0, stops: 0 };
  for (const [call, error] of failures) {
    const { failed } = totals;
    for (let at = 1; at <= run.number('calls'); at += 1) {
      const from = at <= sweptCalls ? at : random.between(sweptCalls, lastCalls[call] ?? sweptCalls);
      const injection = { call, error, from, isLasting: random.chance(0.5), isKilled: random.chance(0.4) };
      await failOnce(scene, injection, totals);
    }
    if (totals.failed === failed) throw new Error(`no ${call} has failed`);
    run.log(`${call} ${error}: ${JSON.stringify(totals)}`);
  }
  await scene.service.stop();
  const { runs, failed, refused, unknown, stops } = totals;
  return {
    'failing calls:': `${runs} runs, ${failed} with a failure, ${refused} changes refused with 503, ${unknown} unknown, ${stops} stops`,
  };
}

async function failOnce(scene: DiskScene, injection: Injection, totals: Record<string, number>): Promise<void> {
  const { call, error, from, isLasting, isKilled } = injection;
  const { service } = scene;
  await scene.startLedger();
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
    // Kills immediately: a later write to the log would hide what this one has left.
    if (isKilled) await service.kill();
    else if (scene.hasFailed && call.includes('sync')) await untilEnded(scene);
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
  if (!isKilled && service.process.hasEnded) await scene.assertReasonPrinted();
  if (service.process.hasEnded) await service.start();
  await assertRecovered(scene, inject);
}

/** After a failed sync it is unknown what the disk holds, until the next start. */
async function untilEnded({ service }: DiskScene): Promise<void> {
  const deadline = performance.now() + endMsMax;
  while (!service.process.hasEnded) {
    guarantee(performance.now() < deadline, 'the service goes on after a failed sync');
    await sleep(5);
  }
}

/** Probes without other writes. */
async function assertNotReady(scene: DiskScene, load: Load): Promise<void> {
  await load.stop();
  await scene.assertNotReady();
}

async function assertRecovered(scene: DiskScene, inject: string): Promise<void> {
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
  add('failed', scene.hasFailed ? 1 : 0);
  add('refused', scene.ledger.count('refused'));
  add('unknown', scene.ledger.count('unknown'));
  add('stops', stopped ? 1 : 0);
}
