import type { HttpRequest } from '@appregistrar/testkit/http/http-request';
import type { Bench, Case, Outcome, Target } from '../harness/case.ts';
import { tenThousandApps } from '../harness/compare-servers.ts';
import {
  type Contestant,
  durableName,
  handWrittenName,
  limitName,
  startDurableLimit,
  startHandWritten,
  startLimit,
  startOurs,
  stopAll,
} from '../harness/contestants.ts';
import { type Database, type EngineName, engines } from '../harness/databases.ts';
import { pgbench, writeScript } from '../harness/pgbench.ts';
import { recordStatements } from '../harness/recorded-statements.ts';
import { type UpdatedField, updateApp, updatedFields, updatesOf } from '../harness/requests.ts';
import { inRounds, type Measured, ratio, relativeTo } from '../harness/rounds.ts';
import { warmUp } from '../harness/warm-up.ts';
import { writeRequests, wrk } from '../harness/wrk.ts';

const spreads = { 'one app': 1, '1,000 apps': 1_000 } as const;
type Spread = keyof typeof spreads;
const [description] = updatedFields as [UpdatedField];
const pgbenchName = 'pgbench, the same transaction, 1,000 apps';
const peers = {
  'hand-written, SQLite': `${handWrittenName('SQLite')}, 1,000 apps`,
  pgbench: pgbenchName,
  'hand-written, PostgreSQL': `${handWrittenName('PostgreSQL')}, 1,000 apps`,
};

export const updatesCase: Case = {
  name: 'updates',
  title: 'Update App',
  about:
    'Updates a description, the name or a callback URL, of one of 10,000 apps and of 1,000 of them in turn. Each update stores ' +
    'an event, and is acknowledged after its commit is on disk. The first limit echoes the body; the second one stores the ' +
    'same two rows as an update of a description, with shared commits, and nothing else. PostgreSQL has fsync and ' +
    'synchronous_commit on.',
  async run(bench: Bench): Promise<Outcome> {
    const databases: Database[] = [];
    const contestants: Contestant[] = [];
    const fresh = async (engine: EngineName) => {
      const database = await bench.databases.fresh(engine, tenThousandApps);
      databases.push(database);
      return database;
    };
    const started = async <One extends Contestant>(contestant: Promise<One>) => {
      contestants.push(await contestant);
      return contestant;
    };
    try {
      const measured: Measured[] = [];
      const ours = { SQLite: await started(startOurs(bench, await fresh('SQLite'))) };
      const echoed = updateApp(ours.SQLite.database, ours.SQLite.database.appIds[0] as string, { number: 0 });
      const limit = await started(startLimit(bench, { port: ours.SQLite.port, request: echoed, echoes: true }));
      const all = requestsOf(ours.SQLite.database, description, '1,000 apps');
      measured.push(await underLoad(bench, { of: limitName, port: limit.port, requests: all }));
      const durable = await started(startDurableLimit(bench, await fresh('SQLite')));
      for (const spread of Object.keys(spreads) as Spread[]) {
        const requests = requestsOf(ours.SQLite.database, description, spread);
        measured.push(await underLoad(bench, { of: `${durableName}, ${spread}`, port: durable.port, requests }));
      }
      for (const engine of engines) {
        const { port, database } =
          engine === 'SQLite' ? ours.SQLite : await started(startOurs(bench, await fresh(engine)));
        for (const { field, spread } of updated) {
          const requests = requestsOf(database, field, spread);
          measured.push(await underLoad(bench, { of: nameOf(engine, field, spread), port, requests }));
        }
        const ofPeer = await fresh(engine);
        const peer = await started(startHandWritten(bench, ofPeer));
        const requests = requestsOf(ofPeer, description, '1,000 apps');
        measured.push(await underLoad(bench, { of: `${peer.name}, 1,000 apps`, port: peer.port, requests }));
      }
      measured.push(await sameTransaction(bench, await fresh('PostgreSQL')));
      const figures = relativeTo(await inRounds(measured, { ...bench.pace, unit: 'updates/s' }), limitName);
      const ofLimit = updated.map(
        ({ field, spread }): Target => ({
          text: `Update of ${field}, ${spread}, SQLite, relative to a bare node:http echo (goal: 0.4)`,
          headline: `Update of ${field}, ${spread}`,
          engine: 'SQLite',
          value: ratio(figures, nameOf('SQLite', field, spread), limitName),
          unit: 'of the limit',
          atLeast: 0.25,
        }),
      );
      const ofDurable = (Object.keys(spreads) as Spread[]).map(
        (spread): Target => ({
          text: `Update of ${description}, ${spread}, SQLite, relative to the durable limit`,
          value: ratio(figures, nameOf('SQLite', description, spread), `${durableName}, ${spread}`),
          unit: 'of the durable limit',
          atLeast: 0.6,
        }),
      );
      const ofPgbench: Target = {
        text: 'Update of a description, 1,000 apps, PostgreSQL, relative to pgbench with the same transaction',
        headline: `Update of ${description}, 1,000 apps`,
        engine: 'PostgreSQL',
        value: ratio(figures, nameOf('PostgreSQL', description, '1,000 apps'), pgbenchName),
        unit: 'of pgbench',
        atLeast: 1.2,
      };
      const headlines = updated.map(({ field, spread }) => ({
        name: `Update of ${field}, ${spread}`,
        cells: {
          'bare node:http': limitName,
          'app-registry, SQLite': nameOf('SQLite', field, spread),
          'app-registry, PostgreSQL': nameOf('PostgreSQL', field, spread),
          ...(field === description && { 'bare node:http and node:sqlite': `${durableName}, ${spread}` }),
          ...(field === description && spread === '1,000 apps' && peers),
        },
      }));
      return { figures, headlines, targets: [...ofLimit, ...ofDurable, ofPgbench] };
    } finally {
      await stopAll(contestants);
      for (const database of databases) await database.drop();
    }
  },
};

const updated = updatedFields.flatMap((field) =>
  (Object.keys(spreads) as Spread[]).map((spread) => ({ field, spread })),
);

function nameOf(engine: EngineName, field: UpdatedField, spread: Spread): string {
  return `app-registry, ${engine}, ${field}, ${spread}`;
}

function requestsOf(database: Database, field: UpdatedField, spread: Spread): HttpRequest[] {
  return updatesOf(database, database.appIds.slice(0, spreads[spread]), field);
}

async function underLoad(
  bench: Bench,
  { of, port, requests }: { of: string; port: number; requests: HttpRequest[] },
): Promise<Measured> {
  const file = await writeRequests(bench.folder, requests);
  await warmUp(bench, port, requests);
  return { of, measure: () => wrk(bench, { port, requests: file }) };
}

async function sameTransaction(bench: Bench, database: Database): Promise<Measured> {
  const appId = database.appIds[0] as string;
  let number = 1_000_000;
  const sent = await recordStatements(bench, database, {
    next: () => updateApp(database, appId, { number: number++ }),
  });
  const changes = ['apps', 'events'];
  const script = await writeScript(bench, sent, { database, name: 'update-app', appId, isSpread: true, changes });
  return { of: pgbenchName, measure: () => pgbench(bench, database, { script }) };
}
