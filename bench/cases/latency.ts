import type { HttpRequest } from '@appregistrar/testkit/http/http-request';
import type { Bench, Case, Figure, Outcome, Target } from '../harness/case.ts';
import { tenThousandApps } from '../harness/compare-servers.ts';
import { limitName, startOurs } from '../harness/contestants.ts';
import { type Database, engines } from '../harness/databases.ts';
import { getApp, updatesOf } from '../harness/requests.ts';
import { figure, withLimit } from '../harness/rounds.ts';
import { warmUp } from '../harness/warm-up.ts';
import { writeRequests, wrk } from '../harness/wrk.ts';
import { constantRate } from '../load/constant-rate.ts';
import { bytesOf, inTurn } from '../load/load.ts';

export const latencyCase: Case = {
  name: 'latency',
  title: 'Latency at half the maximum load',
  about:
    'The maximum load is what wrk reaches in this case. Requests are then sent at half that rate, without waiting for ' +
    'responses. Latency counts from the moment a request was due.',
  async run(bench: Bench): Promise<Outcome> {
    const figures: Figure[] = [];
    const targets: Target[] = [];
    for (const engine of bench.pace.isQuick ? (['SQLite'] as const) : engines) {
      const database = await bench.databases.fresh(engine, tenThousandApps);
      const id = database.appIds[0] as string;
      const reads = await measure(bench, database, [getApp(database, id)]);
      const updates = await measure(bench, database, updatesOf(database, database.appIds));
      await database.drop();
      figures.push(...figuresOf(`reads, ${engine}`, reads), ...figuresOf(`updates, ${engine}`, updates));
      if (engine !== 'SQLite') continue;
      targets.push(target('reads', reads, 5), target('updates', updates, 15));
    }
    return { figures, targets };
  },
};

interface Measurements {
  limits: number[];
  perSecond: number;
  p50: number[];
  p99: number[];
}

async function measure(bench: Bench, database: Database, requests: HttpRequest[]): Promise<Measurements> {
  const { rounds, seconds, connections } = bench.pace;
  const ours = await startOurs(bench, database);
  try {
    const file = await writeRequests(bench.folder, requests);
    await warmUp(bench, ours.port, requests);
    const perSecond = Math.floor((await wrk(bench, { port: ours.port, requests: file })) / 2);
    const measurements: Measurements = { perSecond, limits: [], p50: [], p99: [] };
    const next = inTurn(requests.map(bytesOf));
    for (let round = 0; round < rounds; round += 1) {
      measurements.limits.push(await bench.measureLimit());
      const load = { ports: [ours.port], connections, seconds, warmUpSeconds: 0.3, next, perSecond };
      const latencies = await constantRate(load);
      measurements.p50.push(latencies.at(0.5));
      measurements.p99.push(latencies.at(0.99));
    }
    return measurements;
  } finally {
    await ours.stop();
  }
}

function figuresOf(of: string, { perSecond, limits, p50, p99 }: Measurements): Figure[] {
  return withLimit(figure(`${of}: ${limitName}`, limits, 'requests/s'), [
    figure(`${of}: offered rate`, [perSecond], 'requests/s'),
    figure(`${of}: p50`, p50, 'ms'),
    figure(`${of}: p99`, p99, 'ms'),
  ]);
}

function target(what: string, { p99 }: Measurements, atMost: number): Target {
  const { value } = figure(what, p99, 'ms');
  return {
    text: `p99 of ${what}, SQLite, at half the maximum load`,
    headline: `p99 of ${what} at half the maximum load`,
    engine: 'SQLite',
    value,
    unit: 'ms',
    atMost,
  };
}
