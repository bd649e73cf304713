import type { HttpRequest } from '@appregistrar/testkit/http/http-request';
import type { Bench, Case, Outcome, Target } from '../harness/case.ts';
import { compareServers } from '../harness/compare-servers.ts';
import { limitName, oursName, sendOnce, startOurs } from '../harness/contestants.ts';
import { type Database, engines } from '../harness/databases.ts';
import { getApp } from '../harness/requests.ts';
import { inRounds, ratio, relativeTo } from '../harness/rounds.ts';

export const notModifiedCase: Case = {
  name: 'not-modified',
  title: 'Get App with 304 Not Modified',
  about: 'Reads the same app with its current ETag.',
  async run(bench: Bench): Promise<Outcome> {
    const { measured, stop } = await compareServers(bench, {
      engines,
      echoes: false,
      servers: [startOurs],
      requests: requestWithTag,
    });
    try {
      const figures = relativeTo(await inRounds(measured, { ...bench.pace, unit: 'requests/s' }), limitName);
      const target: Target = {
        text: 'Get App with 304, SQLite, relative to bare node:http sending 304',
        headline: 'Get App with 304 Not Modified',
        engine: 'SQLite',
        value: ratio(figures, oursName('SQLite'), limitName),
        unit: 'of the limit',
        atLeast: 0.75,
      };
      const cells = {
        'bare node:http': limitName,
        'app-registry, SQLite': oursName('SQLite'),
        'app-registry, PostgreSQL': oursName('PostgreSQL'),
      };
      return { figures, targets: [target], headlines: [{ name: target.headline ?? '', cells }] };
    } finally {
      await stop();
    }
  },
};

async function requestWithTag(database: Database, port: number): Promise<HttpRequest[]> {
  const id = database.appIds[0] as string;
  const { headers } = await sendOnce(port, getApp(database, id));
  const request = getApp(database, id, { 'if-none-match': headers.etag ?? '' });
  const { status } = await sendOnce(port, request);
  if (status !== 304) throw new Error(`an unchanged app received ${status}`);
  return [request];
}
