import type { HttpRequest } from '@appregistrar/testkit/http/http-request';
import { closedLoad } from '../load/closed-load.ts';
import { constantRate } from '../load/constant-rate.ts';
import { bytesOf, inTurn } from '../load/load.ts';
import type { Bench } from './case.ts';
import { type Ours, sendOnce } from './contestants.ts';
import { nextInstall } from './hot-installs.ts';
import { getApp, updatedFields, updatesOf } from './requests.ts';
import { warmUp } from './warm-up.ts';
import { writeRequests, wrk } from './wrk.ts';

/** What the headline table shows of the registry. */
export interface HeadlineRow {
  name: string;
  unit: 'requests/s' | 'ms';
  /** Warms the server up, and returns what measures it once. */
  prepare(bench: Bench, ours: Ours): Promise<() => Promise<number>>;
}

const otherReadsPerSecond = 500;

export const headlineRows: HeadlineRow[] = [
  throughput('Get App', async ({ database }) => database.appIds.map((id) => getApp(database, id))),
  throughput('Get App with 304', requestWithTag),
  ...updatedFields.flatMap((field) => [
    throughput(`Update of ${field}, one app`, async ({ database }) =>
      updatesOf(database, database.appIds.slice(0, 1), field),
    ),
    throughput(`Update of ${field}, 1,000 apps`, async ({ database }) => updatesOf(database, database.appIds, field)),
  ]),
  {
    name: 'Installs of one app',
    unit: 'requests/s',
    prepare: async ({ pace }, { operatorPort, database }) => {
      const next = nextInstall(database, operatorPort);
      const { connections, seconds } = pace;
      return async () => {
        const load = { ports: [operatorPort], connections, seconds, warmUpSeconds: 0.3, next };
        return (await closedLoad(load)).perSecond;
      };
    },
  },
  {
    name: 'p99 of reads of other apps beside updates of one app',
    unit: 'ms',
    prepare: async ({ pace }, { port, database }) => {
      const [hot = '', ...others] = database.appIds;
      const updates = inTurn(updatesOf(database, [hot]).map(bytesOf));
      const reads = inTurn(others.map((id) => bytesOf(getApp(database, id))));
      const { seconds } = pace;
      return async () => {
        const load = { ports: [port], seconds, warmUpSeconds: 0.3 };
        const [latencies] = await Promise.all([
          constantRate({ ...load, connections: 32, next: reads, perSecond: otherReadsPerSecond, sharesCore: true }),
          closedLoad({ ...load, connections: 64, next: updates }),
        ]);
        return latencies.at(0.99);
      };
    },
  },
];

function throughput(name: string, requestsOf: (ours: Ours) => Promise<HttpRequest[]>): HeadlineRow {
  return {
    name,
    unit: 'requests/s',
    async prepare(bench, ours) {
      const sent = await requestsOf(ours);
      await warmUp(bench, ours.port, sent);
      const requests = await writeRequests(bench.folder, sent);
      return () => wrk(bench, { port: ours.port, requests });
    },
  };
}

async function requestWithTag({ port, database }: Ours): Promise<HttpRequest[]> {
  const id = database.appIds[0] as string;
  const { headers } = await sendOnce(port, getApp(database, id));
  return [getApp(database, id, { 'if-none-match': headers.etag ?? '' })];
}
