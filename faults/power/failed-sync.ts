import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertStored } from '../harness/assert-stored.ts';
import { createCredentials } from '../harness/credentials.ts';
import { type Figures, guarantee } from '../harness/fault-injection.ts';
import { freshSqlite } from '../harness/fresh-database.ts';
import { Ledger } from '../harness/ledger.ts';
import { createApps, Load } from '../harness/load.ts';
import type { Run } from '../harness/run.ts';
import { Service } from '../harness/service.ts';
import { SimulatedDisk } from './simulated-disk.ts';

/** The syncs of a start, and of the changes before the load, precede them. */
const [firstFailedMin, firstFailedMax] = [40, 120];
const changesAfter = 30;
const endMsMax = 30_000;

/**
 * Each round: a sync fails and the service ends; in every second round it does not start while syncs fail; it starts, changes
 * are acknowledged, and the power is lost.
 */
export async function failSyncs(run: Run): Promise<Figures> {
  const figures = { acknowledged: 0, unknown: 0, failed: 0 };
  for (let round = 0; round < run.number('losses'); round += 1) await failOnce(run, round, figures);
  return {
    'losses of power after a failed sync:': run.number('losses'),
    'changes acknowledged, all stored:': figures.acknowledged,
    'changes with an unknown outcome:': figures.unknown,
    'failed syncs:': figures.failed,
  };
}

async function failOnce(run: Run, round: number, figures: Record<string, number>): Promise<void> {
  const database = freshSqlite();
  run.atEnd(database.remove);
  const credentials = await createCredentials(database.url);
  const service = await Service.create({ source: run.source, databaseUrl: database.url });
  run.atEnd(() => service.kill());
  const disk = new SimulatedDisk(database.path);
  const ledger = new Ledger();
  const traceAt = (number: number) => join(database.path, `../trace-${number}`);

  const failsAt = run.random('failed sync', round).between(firstFailedMin, firstFailedMax);
  await service.start(traced(traceAt(1), failsAt));
  const apps = await createApps(service, credentials, 2);
  const load = new Load(run, { service, credentials, ledger, apps, updaters: 6, installers: 2 }, round);
  await untilEnded(service);
  await load.stop();
  guarantee((await service.process.ended) === 1, 'the service has not ended with status 1 after a failed sync');
  guarantee(ledger.count('unknown') > 0, 'no change had an unknown outcome');
  await applyTrace(disk, traceAt(1));
  guarantee(disk.failedSyncs > 0, 'no sync has failed');

  if (round % 2 === 1) {
    service.launch(traced(traceAt(2), 1));
    await untilEnded(service);
    guarantee(service.process.output.includes('cannot be opened'), 'the service does not report why it does not start');
    await applyTrace(disk, traceAt(2));
  }

  await service.start(traced(traceAt(3)));
  const before = ledger.count('acknowledged');
  const later = new Load(run, { service, credentials, ledger, apps, updaters: 2, installers: 1 }, round + 1_000);
  while (ledger.count('acknowledged') < before + changesAfter) await sleep(1);
  await service.kill();
  await later.stop();
  await applyTrace(disk, traceAt(3));

  const left = disk.loseTo(join(database.path, '../left'));
  await assertStored(`sqlite:${left}`, ledger, apps);
  figures.acknowledged = (figures.acknowledged ?? 0) + ledger.count('acknowledged');
  figures.unknown = (figures.unknown ?? 0) + ledger.count('unknown');
  figures.failed = (figures.failed ?? 0) + disk.failedSyncs;
}

/** Runs the service below `strace`, which ends with it. From this sync on, all fail. */
function traced(file: string, failsAt?: number): string[] {
  const inject = failsAt === undefined ? [] : ['-e', `inject=fsync,fdatasync:error=EIO:when=${failsAt}+`];
  return ['/usr/bin/strace', '-D', ...SimulatedDisk.traceOptions, ...inject, '-o', file];
}

async function untilEnded(service: Service): Promise<void> {
  const deadline = performance.now() + endMsMax;
  while (!service.process.hasEnded) {
    guarantee(performance.now() < deadline, 'the service goes on although syncs fail');
    await sleep(5);
  }
}

/** `strace` writes the last lines just after the process has ended. */
async function applyTrace(disk: SimulatedDisk, file: string): Promise<void> {
  await sleep(500);
  await disk.apply(file);
}
