import type { Bench, Case, Outcome, Target } from '../frame/case.ts';
import { compareServers, tenThousandApps } from '../frame/compare-servers.ts';
import { limitName, oursName } from '../frame/contestants.ts';
import { engines } from '../frame/databases.ts';
import { pgbench, writeScript } from '../frame/pgbench.ts';
import { recordStatements } from '../frame/recorded-statements.ts';
import { updateApp, updatesOf } from '../frame/requests.ts';
import { inRounds, ratio, relativeTo } from '../frame/rounds.ts';

const pgbenchName = 'pgbench, the same transaction';

export const updateManyAppsCase: Case = {
  name: 'update-many-apps',
  title: 'Update App across 1,000 apps',
  about: 'Updates 1,000 of 10,000 apps. PostgreSQL has fsync and synchronous_commit on.',
  async run(bench: Bench): Promise<Outcome> {
    const { measured, stop } = await compareServers(bench, {
      // The case update-app measures one app on SQLite.
      engines: bench.pace.isQuick ? ['PostgreSQL'] : engines,
      echoes: true,
      requests: (database) => updatesOf(database, database.appIds),
    });
    const database = await bench.databases.fresh('PostgreSQL', tenThousandApps);
    try {
      const appId = database.appIds[0] as string;
      let number = 1_000_000;
      const sent = await recordStatements(bench, database, { next: () => updateApp(database, appId, number++) });
      const changes = ['apps', 'events'];
      const script = await writeScript(bench, sent, { database, name: 'update-app', appId, isSpread: true, changes });
      measured.push({ of: pgbenchName, measure: () => pgbench(bench, database, { script }) });
      const figures = relativeTo(await inRounds(measured, { ...bench.pace, unit: 'updates/s' }), limitName);
      const target: Target = {
        text: 'Update App across 1,000 apps, PostgreSQL, relative to pgbench with the same transaction',
        headline: 'Update App',
        engine: 'PostgreSQL',
        value: ratio(figures, oursName('PostgreSQL'), pgbenchName),
        unit: 'of pgbench',
        atLeast: 1.2,
      };
      return { figures, targets: [target] };
    } finally {
      await stop();
      await database.drop();
    }
  },
};
