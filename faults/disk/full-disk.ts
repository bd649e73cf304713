import { setTimeout as sleep } from 'node:timers/promises';
import { DiskScene } from '../harness/disk-scene.ts';
import { distributionOf } from '../harness/distribution.ts';
import { type Figures, guarantee } from '../harness/fault-injection.ts';
import { freshSqlite } from '../harness/fresh-database.ts';
import type { Run } from '../harness/run.ts';
import { SmallDisk } from '../harness/small-disk.ts';

const diskMegabytes = 24;
const fullMsMax = 30_000;
const probesMax = 200;

/** Fills the disk of a writing service, checks the service, and frees the space again. */
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
  await scene.startLedger();
  const load = scene.load(time);
  await sleep(200);
  disk.fill();
  guarantee(await scene.untilFailing(fullMsMax), 'the disk is full, but every change is acknowledged');
  // Uses up the space that was already reserved.
  await sleep(300);
  disk.fill();
  if (!scene.service.process.hasEnded) {
    await scene.assertReads();
    if (!isKilled) await load.stop();
    await assertNotReady(scene, disk);
  }
  if (isKilled) await startOnFullDisk(scene);
  await load.stop();
  disk.empty();
  if (!isKilled && scene.service.process.hasEnded) await scene.assertReasonPrinted();
  if (scene.service.process.hasEnded) await scene.service.start();
  const ms = await scene.untilRecovered();
  await scene.assertStored();
  return ms;
}

/** The log may have room for a few more small writes after a refused change, each of which may succeed. */
async function assertNotReady({ service }: DiskScene, disk: SmallDisk): Promise<void> {
  for (let probe = 0; await service.isReady(); probe += 1) {
    guarantee(probe < probesMax, '/readyz returns 200 while the disk is full');
    disk.fill();
  }
}

/** The service must serve reads, or print why it does not. */
async function startOnFullDisk(scene: DiskScene): Promise<void> {
  await scene.service.kill();
  scene.service.launch();
  while (!scene.service.process.hasEnded && (await scene.service.readiness()) === null) await sleep(20);
  if (scene.service.process.hasEnded) await scene.assertReasonPrinted();
  await scene.service.kill();
}
