import type { Bench, Case, Outcome } from '../frame/case.ts';
import { compareServers } from '../frame/compare-servers.ts';
import { answerTo, limitName, oursName } from '../frame/contestants.ts';
import { type Database, engines } from '../frame/databases.ts';
import { getApp } from '../frame/requests.ts';
import { against, inRounds, ratio } from '../frame/rounds.ts';
import type { Ask } from '../load/http-request.ts';

export const notModifiedCase: Case = {
  name: 'not-modified',
  title: 'Get App, answered 304',
  about: 'The same app, asked for by a platform that has it already.',
  async run(bench: Bench): Promise<Outcome> {
    const { measured, stop } = await compareServers(bench, { engines, echoes: false, asks: askWithTag });
    try {
      const figures = against(await inRounds(measured, { ...bench.pace, unit: 'requests/s' }), limitName);
      const value = ratio(figures, oursName('SQLite'), limitName);
      const text = 'Get App answered 304 on SQLite, of bare node:http answering 304';
      return { figures, targets: [{ text, value, unit: 'of the limit', atLeast: 0.65 }] };
    } finally {
      await stop();
    }
  },
};

async function askWithTag(database: Database, port: number): Promise<Ask[]> {
  const id = database.appIds[0] as string;
  const { headers } = await answerTo(port, getApp(database, id));
  const ask = getApp(database, id, { 'if-none-match': headers.etag ?? '' });
  const { status } = await answerTo(port, ask);
  if (status !== 304) throw new Error(`an app that has not changed was answered with ${status}`);
  return [ask];
}
