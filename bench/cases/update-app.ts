import type { Bench, Case, Outcome } from '../frame/case.ts';
import { compareServers } from '../frame/compare-servers.ts';
import { handWrittenName, limitName, oursName } from '../frame/contestants.ts';
import { updatesOf } from '../frame/requests.ts';
import { inRounds, ratio, relativeTo } from '../frame/rounds.ts';

export const updateAppCase: Case = {
  name: 'update-app',
  title: 'Update App on SQLite',
  about:
    'One app out of 10,000, each update with its event, each acknowledged after its commit is on disk ' +
    '(synchronous=FULL). The limit echoes the body.',
  async run(bench: Bench): Promise<Outcome> {
    const { measured, stop } = await compareServers(bench, {
      engines: ['SQLite'],
      echoes: true,
      requests: (database) => updatesOf(database, database.appIds.slice(0, 1)),
    });
    try {
      const figures = relativeTo(await inRounds(measured, { ...bench.pace, unit: 'updates/s' }), limitName);
      return {
        figures,
        targets: [
          {
            text: 'Update App on SQLite, of bare node:http that echoes (0.45 is the aim)',
            value: ratio(figures, oursName('SQLite'), limitName),
            unit: 'of the limit',
            atLeast: 0.35,
          },
          {
            text: 'Update App on SQLite, of what is written by hand',
            value: ratio(figures, oursName('SQLite'), handWrittenName('SQLite')),
            unit: 'times',
            atLeast: 5,
          },
        ],
      };
    } finally {
      await stop();
    }
  },
};
