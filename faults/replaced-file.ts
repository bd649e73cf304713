import { copyFileSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DiskScene } from './harness/disk-scene.ts';
import { type FaultInjection, guarantee } from './harness/fault-injection.ts';
import { freshSqlite } from './harness/fresh-database.ts';
import { Ledger } from './harness/ledger.ts';
import type { Run } from './harness/run.ts';
import { HeldFiles } from './replaced-file/held-files.ts';

/** Ways to lose a database, at the path of its file. Each takes one system call or a few. */
const losses = {
  removed: (path: string) => rmSync(path),
  renamed: (path: string) => renameSync(path, `${path}.renamed`),
  replaced: (path: string) => renameSync(`${path}.older`, path),
  folder: (path: string) => rmSync(dirname(path), { recursive: true }),
  log: (path: string) => rmSync(`${path}-wal`),
  index: (path: string) => rmSync(`${path}-shm`),
};
type Loss = keyof typeof losses;

/** Without these, the database itself stays in place. */
const besides: Loss[] = ['log', 'index'];
const changesMin = 20;
const refusalsMin = 20;
const waitMsMax = 60_000;

export const faultInjection: FaultInjection = {
  summary: 'the SQLite file, its log or its folder removed, renamed or replaced under a service',
  options: {
    rounds: { what: 'rounds of each loss', value: 20, short: 1 },
    losses: {
      what: `which of ${Object.keys(losses).join(', ')}`,
      value: Object.keys(losses).join(','),
      short: 'removed,replaced,log',
    },
  },
  run: async (run) => {
    const database = freshSqlite();
    run.atEnd(database.remove);
    const scene = await DiskScene.open(run, database.url);
    const totals = { losses: 0, acknowledged: 0, unknown: 0, refused: 0 };
    for (let round = 0; round < run.number('rounds'); round += 1) {
      for (const loss of run.text('losses').split(',') as Loss[]) {
        await loseOnce(run, { scene, path: database.path, loss, number: totals.losses });
        const { ledger } = scene;
        totals.losses += 1;
        totals.acknowledged += ledger.count('acknowledged');
        totals.unknown += ledger.count('unknown');
        totals.refused += ledger.count('refused');
      }
    }
    await scene.service.stop();
    const { acknowledged, unknown, refused } = totals;
    return {
      'lost:': `${totals.losses} times, ${acknowledged} changes acknowledged before, ${unknown} unknown, ${refused} refused with 503`,
    };
  },
  defects: [
    {
      name: 'unchecked',
      what: 'nothing looks at the files again after they are opened',
      options: { losses: 'removed' },
      patches: [
        {
          file: 'storage/sqlite/sqlite-connection.ts',
          in: 'OpenFiles.assertInPlace',
          find: 'this.#lost ??= this.#findLoss();',
          replace: '',
        },
      ],
    },
    {
      name: 'stale-reads',
      what: 'reads go on from the lost file',
      options: { losses: 'replaced' },
      patches: [
        {
          file: 'storage/sqlite/sqlite-storage.ts',
          in: 'SqliteStorage.#requireCurrent',
          find: 'if (this.#files) this.#files.assertReadable();',
          replace: 'if (this.#files) return;',
        },
      ],
    },
  ],
};

interface LossParts {
  scene: DiskScene;
  path: string;
  loss: Loss;
  number: number;
}

/**
 * No change requested after the loss may be acknowledged. What was acknowledged is in the files that the service has
 * open, from which they are put back.
 */
async function loseOnce(run: Run, { scene, path, loss, number }: LossParts): Promise<void> {
  await scene.startLedger();
  const { ledger, service } = scene;
  const load = scene.load(2 * number);
  copyFileSync(path, `${path}.older`);
  await until(() => ledger.count('acknowledged') >= changesMin, 'no change is acknowledged');
  await sleep(run.random('moments', number).between(0, 100));
  const held = new HeldFiles(service.process.pid, path);
  losses[loss](path);

  const later = new Ledger();
  scene.ledger = later;
  const laterLoad = scene.load(2 * number + 1);
  try {
    await until(() => later.responses.length >= refusalsMin, 'changes receive no response');
    assertRefused(later, loss);
    await scene.assertNoReads();
  } finally {
    await Promise.all([load.stop(), laterLoad.stop()]);
  }
  await scene.assertNotReady();
  assertRefused(later, loss);
  if (!besides.includes(loss)) {
    rmSync(dirname(path), { recursive: true, force: true });
    mkdirSync(dirname(path));
    held.putBack();
  }
  await service.stop();
  await service.start();
  ledger.updates.push(...later.updates);
  ledger.installations.push(...later.installations);
  scene.ledger = ledger;
  await scene.untilRecovered();
  await scene.assertStored();
}

function assertRefused(later: Ledger, loss: Loss): void {
  const [acknowledged, unknown] = [later.count('acknowledged'), later.count('unknown')];
  guarantee(acknowledged === 0, `${acknowledged} changes were acknowledged after the loss (${loss})`);
  guarantee(unknown === 0, () => `a change after the loss (${loss}) was not refused with 503: ${later.unexpected[0]}`);
}

async function until(isDone: () => boolean, otherwise: string): Promise<void> {
  const deadline = performance.now() + waitMsMax;
  while (!isDone()) {
    guarantee(performance.now() < deadline, otherwise);
    await sleep(5);
  }
}
