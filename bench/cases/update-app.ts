import type { Bench, Case, Outcome } from '../frame/case.ts';
import { compareServers, tenThousandApps } from '../frame/compare-servers.ts';
import { handWrittenName, limitName, oursName, startOurs } from '../frame/contestants.ts';
import type { Database } from '../frame/databases.ts';
import { updatesOf } from '../frame/requests.ts';
import { inRounds, ratio, relativeTo } from '../frame/rounds.ts';
import { warmUp } from '../frame/warm-up.ts';
import { writeRequests, wrk } from '../frame/wrk.ts';

const twoCores = `${oursName('SQLite')}, two cores`;

export const updateAppCase: Case = {
  name: 'update-app',
  title: 'Update App on SQLite',
  about:
    'Updates one of 10,000 apps. Each update stores an event and is acknowledged after its commit is on disk. The limit ' +
    'echoes the body. In the last row the process may use a second core; on a machine with two cores, it shares that ' +
    'core with the load generator and gains less.',
  async run(bench: Bench): Promise<Outcome> {
    const updates = (database: Database) => updatesOf(database, database.appIds.slice(0, 1));
    const { measured, stop } = await compareServers(bench, { engines: ['SQLite'], echoes: true, requests: updates });
    const database = await bench.databases.fresh('SQLite', tenThousandApps);
    const spread = await startOurs(bench, database, {
      core: bench.cores ? [bench.cores.server, bench.cores.second] : undefined,
    });
    try {
      await warmUp(bench, spread.port, updates(database));
      const requests = await writeRequests(bench.folder, updates(database));
      measured.push({ of: twoCores, measure: () => wrk(bench, { port: spread.port, requests }) });
      const figures = relativeTo(await inRounds(measured, { ...bench.pace, unit: 'updates/s' }), limitName);
      return {
        figures,
        targets: [
          {
            text: 'Update App, SQLite, relative to a bare node:http echo (goal: 0.5)',
            headline: 'Update App',
            engine: 'SQLite',
            value: ratio(figures, oursName('SQLite'), limitName),
            unit: 'of the limit',
            atLeast: 0.4,
          },
          {
            text: 'Update App, SQLite, relative to the hand-written server',
            value: ratio(figures, oursName('SQLite'), handWrittenName('SQLite')),
            unit: 'times',
            atLeast: 5,
          },
        ],
      };
    } finally {
      await stop();
      await spread.stop();
      await database.drop();
    }
  },
};
