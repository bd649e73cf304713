import { setTimeout as sleep } from 'node:timers/promises';
import { freshSqlite } from '../frame/fresh-database.ts';
import type { Run } from '../frame/run.ts';
import { distributionOf } from '../frame/distribution.ts';
import { type Figures, promise } from '../frame/torture.ts';
import { DiskScene } from './disk-scene.ts';
import { SmallDisk } from './small-disk.ts';

const diskMegabytes = 24;
const fullMsMax = 30_000;
const probesMax = 200;

/** Fills the disk under a service that writes, looks at it, and makes room again. */
export async function fillDisk(run: Run): Promise<Figures> {
  const disk = new SmallDisk(diskMegabytes);
  run.atEnd(() => disk.remove());
  const scene = await DiskScene.open(run, freshSqlite(disk.folder).url);
  const recoveryMs: number[] = [];
  let refused = 0;
  for (let time = 0; time < run.number('fills'); time += 1) {
    recoveryMs.push(await fillOnce(scene, { disk, time, isKilled: time % 2 === 1 }));
    refused += scene.ledger.count('refused');
  }
  await scene.service.stop();
  return {
    'full disk:': `filled ${recoveryMs.length} times, ${refused} refused with 503, writes again after at most ${distributionOf(recoveryMs).max} ms`,
  };
}

async function fillOnce(
  scene: DiskScene,
  { disk, time, isKilled }: { disk: SmallDisk; time: number; isKilled: boolean },
): Promise<number> {
  await scene.begin();
  const load = scene.load(time);
  await sleep(200);
  disk.fill();
  promise(await scene.untilFailing(fullMsMax), 'the disk is full, and every change is acknowledged');
  // What was already reserved on it is used up.
  await sleep(300);
  disk.fill();
  if (!scene.service.process.hasEnded) {
    await scene.assertReads();
    if (!isKilled) await load.stop();
    await assertNotReady(scene, disk);
  }
  if (isKilled) await startOnFullDisk(scene);
  await load.stop();
  disk.makeRoom();
  if (!isKilled && scene.service.process.hasEnded) await scene.assertLoud();
  if (scene.service.process.hasEnded) await scene.service.start();
  const ms = await scene.untilRecovered();
  await scene.assertStored();
  return ms;
}

/** What a refused change has left of the log has room for a few small writes more, each of which may succeed. */
async function assertNotReady({ service }: DiskScene, disk: SmallDisk): Promise<void> {
  for (let probe = 0; await service.isReady(); probe += 1) {
    promise(probe < probesMax, '/readyz answers 200 while the disk is full');
    disk.fill();
  }
}

/** It serves what can be read, or says why it does not. */
async function startOnFullDisk(scene: DiskScene): Promise<void> {
  await scene.service.kill();
  scene.service.launch();
  while (!scene.service.process.hasEnded && (await scene.service.readiness()) === null) await sleep(20);
  if (scene.service.process.hasEnded) await scene.assertLoud();
  await scene.service.kill();
}
