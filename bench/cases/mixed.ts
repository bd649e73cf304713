import type { HttpRequest } from '@appregistrar/testkit/http/http-request';
import { type Bench, type Case, type Figure, type Outcome, onEachEngine } from '../harness/case.ts';
import { tenThousandApps } from '../harness/compare-servers.ts';
import { limitName, oursName, startOurs } from '../harness/contestants.ts';
import type { Database, EngineName } from '../harness/databases.ts';
import { getApp, updatesOf } from '../harness/requests.ts';
import { figure, withLimit } from '../harness/rounds.ts';
import { warmUp } from '../harness/warm-up.ts';
import { writeRequests, wrk, wrkSeconds } from '../harness/wrk.ts';
import { constantRate } from '../load/constant-rate.ts';
import { CurrentReads } from '../load/current-reads.ts';

/** Apps that wrk only reads, so that a checker can update them. */
const checkedApps = 100;
const checksPerSecond = 300;
const readsToAnUpdate = 9;

export const mixedCase: Case = {
  name: 'mixed',
  title: 'Mixed reads and updates',
  about:
    `wrk first only reads 1,000 apps, and then sends ${readsToAnUpdate} reads per update to ${1_000 - checkedApps} of them. ` +
    `Meanwhile a checker updates and reads the other ${checkedApps}, ${checksPerSecond} times a second: each of its reads must ` +
    'show the latest update that was acknowledged before the read was sent.',
  run: onEachEngine(runOn),
};

async function runOn(bench: Bench, engine: EngineName): Promise<Outcome> {
  const database = await bench.databases.fresh(engine, tenThousandApps);
  const ours = await startOurs(bench, database);
  try {
    const reading = database.appIds.map((id) => getApp(database, id));
    const requests = await writeRequests(bench.folder, reading);
    const mixing = mixedOf(database);
    const mixedRequests = await writeRequests(bench.folder, mixing);
    const checked = new CurrentReads(database.appIds.slice(-checkedApps), database.tokens);
    const { connections, rounds } = bench.pace;
    const seconds = wrkSeconds(bench.pace);
    const load = { ports: [ours.port], connections, seconds, warmUpSeconds: 0, next: checked.next };
    await warmUp(bench, ours.port, reading);
    await warmUp(bench, ours.port, mixing);
    const limits: number[] = [];
    const reads: number[] = [];
    const mixed: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      limits.push(await bench.measureLimit());
      reads.push(await wrk(bench, { port: ours.port, requests }));
      const checking = constantRate({ ...load, perSecond: checksPerSecond, sharesCore: true });
      mixed.push(await wrk(bench, { port: ours.port, requests: mixedRequests }));
      await checking;
    }
    const alone = figure(`${oursName(engine)}: reads only`, reads, 'requests/s');
    const together = figure(`${oursName(engine)}: reads and updates`, mixed, 'requests/s');
    const share = together.value / alone.value;
    const current = {
      text: `Stale reads, ${engine}`,
      headline: 'Stale reads',
      engine,
      value: checked.stale.length,
      unit: 'reads',
      atMost: 0,
    };
    return {
      figures: [
        ...withLimit(figure(`${engine}: ${limitName}`, limits, 'requests/s'), [
          alone,
          { ...together, ratio: { value: share, of: alone.of } },
        ]),
        ...currencyFigures(engine, checked),
      ],
      targets: [current],
    };
  } finally {
    await ours.stop();
    await database.drop();
  }
}

/** Random reads, and each update in turn. Every update changes something. */
function mixedOf(database: Database): HttpRequest[] {
  const { appIds } = database;
  return updatesOf(database, appIds.slice(0, -checkedApps)).flatMap((update) => [
    ...Array.from({ length: readsToAnUpdate }, () => getApp(database, randomOf(appIds))),
    update,
  ]);
}

function randomOf(ids: string[]): string {
  return ids[Math.floor(Math.random() * ids.length)] as string;
}

export function currencyFigures(what: string, { reads, readsAfterUpdate, updates, stale }: CurrentReads): Figure[] {
  return [
    figure(`${what}: reads checked`, [reads], 'reads'),
    figure(`${what}: reads checked after an update`, [readsAfterUpdate], 'reads'),
    figure(`${what}: updates acknowledged`, [updates], 'updates'),
    figure(`${what}: stale reads`, [stale.length], 'reads'),
  ];
}
