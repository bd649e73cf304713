import { apiRequest, type HttpRequest } from '@appregistrar/testkit/http/http-request';
import type { Bench, Case, Figure, Outcome } from '../harness/case.ts';
import { tenThousandApps } from '../harness/compare-servers.ts';
import { type Ours, startOurs } from '../harness/contestants.ts';
import { getApp, updatesOf } from '../harness/requests.ts';
import { figure } from '../harness/rounds.ts';
import { warmUp } from '../harness/warm-up.ts';
import { constantRate } from '../load/constant-rate.ts';
import type { Latencies } from '../load/latencies.ts';
import { bytesOf, inTurn } from '../load/load.ts';

const addedMs = [0, 20];
const updatesPerSecond = 20;

export const syncTimeCase: Case = {
  name: 'sync-time',
  title: 'A disk that syncs slowly, on SQLite',
  about:
    `Sends ${updatesPerSecond} updates of 1,000 apps a second, and beside them reads of other apps, requests to \`/readyz\` and ` +
    'lists of 100 apps, while each sync of a file takes longer by the given time (strace delays it). A request waits for ' +
    'at most the commit that is being made, with its checkpoint; `/readyz` makes one of its own.',
  async run(bench: Bench): Promise<Outcome> {
    const figures: Figure[] = [];
    for (const ms of addedMs) {
      const database = await bench.databases.fresh('SQLite', tenThousandApps);
      const ours = await startOurs(bench, database, { under: ms === 0 ? [] : delayedSyncs(ms) });
      try {
        for (const [kind, latencies] of Object.entries(await measure(bench, ours))) {
          for (const [name, share] of Object.entries({ p50: 0.5, p99: 0.99, maximum: 1 }))
            figures.push(figure(`${kind}, ${ms} ms added: ${name}`, [latencies.at(share)], 'ms'));
        }
      } finally {
        await ours.stop();
        await database.drop();
      }
    }
    return { figures, targets: [] };
  },
};

/** A prefix that delays each sync of a command, which keeps its process id and its signals. */
function delayedSyncs(ms: number): string[] {
  const syncs = 'fsync,fdatasync';
  const options = ['-D', '-f', '--seccomp-bpf', '-qq', '-o', '/dev/null', '-e', `trace=${syncs}`];
  return ['strace', ...options, '-e', `inject=${syncs}:delay_exit=${ms * 1_000}`];
}

async function measure(bench: Bench, { port, operatorPort, database }: Ours): Promise<Record<string, Latencies>> {
  const updated = database.appIds.slice(0, database.appIds.length / 2);
  const read = database.appIds.slice(updated.length);
  const reads = read.map((id) => getApp(database, id));
  await warmUp(bench, port, reads);
  const headers = { host: `127.0.0.1:${operatorPort}` };
  const list = apiRequest(database.tokens.operator, { method: 'GET', path: '/operator/v1/apps?limit=100', headers });
  const seconds = bench.pace.isQuick ? 3 : 20;
  const send = (requests: HttpRequest[], { perSecond, to = port }: { perSecond: number; to?: number }) => {
    const load = { ports: [to], connections: 32, seconds, warmUpSeconds: 1, sharesCore: true, perSecond };
    return constantRate({ ...load, next: inTurn(requests.map(bytesOf)) });
  };
  const [ofReads, ofReadyz, ofLists, ofUpdates] = await Promise.all([
    send(reads, { perSecond: 200 }),
    send([{ method: 'GET', path: '/readyz', headers }], { perSecond: 10, to: operatorPort }),
    send([list], { perSecond: 20, to: operatorPort }),
    send(updatesOf(database, updated), { perSecond: updatesPerSecond }),
  ]);
  return { reads: ofReads, '`/readyz`': ofReadyz, lists: ofLists, updates: ofUpdates };
}
