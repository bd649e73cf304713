import type { HttpRequest } from '@appregistrar/testkit/http/http-request';
import { type Bench, type Case, type Figure, type Outcome, onEachEngine } from '../harness/case.ts';
import { tenThousandApps } from '../harness/compare-servers.ts';
import { limitName, type Ours, startOurs, stopAll } from '../harness/contestants.ts';
import type { EngineName } from '../harness/databases.ts';
import { getApp, updatesOf } from '../harness/requests.ts';
import { byName, inRoundsWithLimit } from '../harness/rounds.ts';
import { writeRequests, wrk } from '../harness/wrk.ts';
import { closedLoad } from '../load/closed-load.ts';
import { CurrentReads } from '../load/current-reads.ts';
import { currencyFigures } from './mixed.ts';

/** Few enough that an update by one process is soon read from the other. */
const sharedApps = 50;

export const processesCase: Case = {
  name: 'processes',
  title: 'Two processes on one database',
  about:
    'First, requests for 50 apps alternate between both processes, so that each reads what the other acknowledged. ' +
    'Then 1,000 apps are read and updated through one process and through both. With three cores the second process has ' +
    'its own; with two it shares the core of the load generator and adds less.',
  run: onEachEngine(runOn),
};

async function runOn(bench: Bench, engine: EngineName): Promise<Outcome> {
  const database = await bench.databases.fresh(engine, tenThousandApps);
  const servers = [await startOurs(bench, database), await startOurs(bench, database, { core: bench.cores?.second })];
  try {
    const checked = new CurrentReads(database.appIds.slice(0, sharedApps), database.tokens);
    const { connections, seconds, warmUpSeconds } = bench.pace;
    const ports = servers.map(({ port }) => port);
    await closedLoad({
      ports,
      connections,
      seconds: seconds + warmUpSeconds,
      warmUpSeconds: 0,
      next: checked.next,
    });
    const reads = database.appIds.map((id) => getApp(database, id));
    const figures = [
      ...currencyFigures(engine, checked),
      ...(await oneAndTwo(bench, { what: `reads, ${engine}`, servers, requests: reads })),
      ...(await oneAndTwo(bench, {
        what: `updates, ${engine}`,
        servers,
        requests: updatesOf(database, database.appIds),
      })),
    ];
    const text = `Reads that missed an update of the other process, ${engine}`;
    return { figures, targets: [{ text, value: checked.stale.length, unit: 'reads', atMost: 0 }] };
  } finally {
    await stopAll(servers);
    await database.drop();
  }
}

async function oneAndTwo(
  bench: Bench,
  { what, servers, requests }: { what: string; servers: Ours[]; requests: HttpRequest[] },
): Promise<Figure[]> {
  const file = await writeRequests(bench.folder, requests);
  const pace = bench.pace;
  const by = async (some: Ours[]) => {
    const share = { ...bench, pace: { ...pace, connections: pace.connections / some.length } };
    const perSecond = await Promise.all(some.map(({ port }) => wrk(share, { port, requests: file })));
    return perSecond.reduce((sum, one) => sum + one, 0);
  };
  const names = { one: `${what}: one process`, two: `${what}: two processes` };
  const figures = await inRoundsWithLimit(bench, {
    limit: `${limitName} during ${what}`,
    measured: [
      { of: names.one, measure: () => by(servers.slice(0, 1)) },
      { of: names.two, measure: () => by(servers) },
    ],
    unit: 'requests/s',
  });
  const one = byName(figures, names.one);
  return figures.map((figure) =>
    figure.of === names.two ? { ...figure, ratio: { value: figure.value / one.value, of: names.one } } : figure,
  );
}
