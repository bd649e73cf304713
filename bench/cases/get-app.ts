import type { Bench, Case, Outcome } from '../harness/case.ts';
import { compareServers, tenThousandApps } from '../harness/compare-servers.ts';
import { handWrittenName, limitName, oursName } from '../harness/contestants.ts';
import { engines } from '../harness/databases.ts';
import { pgbench, writeScript } from '../harness/pgbench.ts';
import { recordStatements } from '../harness/recorded-statements.ts';
import { getApp } from '../harness/requests.ts';
import { inRounds, ratio, relativeTo } from '../harness/rounds.ts';

const pgbenchName = 'pgbench, the same statements';

export const getAppCase: Case = {
  name: 'get-app',
  title: 'Get App',
  about: 'Reads one of 10,000 apps, which has 10 installations, over 64 connections.',
  async run(bench: Bench): Promise<Outcome> {
    const { measured, stop } = await compareServers(bench, {
      engines,
      echoes: false,
      requests: (database) => [getApp(database, database.appIds[0] as string)],
    });
    const database = await bench.databases.fresh('PostgreSQL', tenThousandApps);
    try {
      const appId = database.appIds[0] as string;
      const sent = await recordStatements(bench, database, { next: () => getApp(database, appId) });
      const script = await writeScript(bench, sent, { database, name: 'get-app', appId, isSpread: false, changes: [] });
      measured.push({ of: pgbenchName, measure: () => pgbench(bench, database, { script }) });
      const figures = relativeTo(await inRounds(measured, { ...bench.pace, unit: 'requests/s' }), limitName);
      return {
        figures,
        headlines: [
          {
            name: 'Get App',
            cells: {
              'bare node:http': limitName,
              'hand-written, SQLite': handWrittenName('SQLite'),
              'app-registry, SQLite': oursName('SQLite'),
              pgbench: pgbenchName,
              'hand-written, PostgreSQL': handWrittenName('PostgreSQL'),
              'app-registry, PostgreSQL': oursName('PostgreSQL'),
            },
          },
        ],
        targets: [
          {
            text: 'Get App, SQLite, relative to bare node:http',
            headline: 'Get App',
            engine: 'SQLite',
            value: ratio(figures, oursName('SQLite'), limitName),
            unit: 'of the limit',
            atLeast: 0.8,
          },
          {
            text: 'Get App, PostgreSQL, relative to bare node:http',
            headline: 'Get App',
            engine: 'PostgreSQL',
            value: ratio(figures, oursName('PostgreSQL'), limitName),
            unit: 'of the limit',
            atLeast: 0.6,
          },
        ],
      };
    } finally {
      await stop();
      await database.drop();
    }
  },
};
