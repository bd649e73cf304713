import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { forEachEngine } from '../testing/engines.ts';
import { type AppFilter, listAppPage } from './apps.ts';
import { listDeletedAppPage } from './deleted-apps.ts';
import { listDeveloperPage } from './developers.ts';
import type { Position } from './page.ts';
import type { Connection } from './query.ts';
import type { Statement } from './statement.ts';
import type { Storage } from './storage.ts';
import { appRow, developerRow } from './testing/sample-rows.ts';
import { execute, storageTest } from './testing/storage-test.ts';

const appsCount = 5_000;
const developersCount = 500;
const idOf = (prefix: string, at: number) => `${prefix}_${String(at).padStart(6, '0')}`;

/** Enough, and each filter meets few enough, that no engine prefers to read a whole table. */
async function fill(storage: Storage): Promise<void> {
  const developers = Array.from({ length: appsCount }, (_, at) => developerRow({ user_id: idOf('user', at) }));
  const apps = Array.from({ length: appsCount }, (_, at) =>
    appRow({
      id: idOf('app', at),
      developer_id: idOf('user', at % developersCount),
      name_key: idOf('name', (at * 7_919) % appsCount),
      review_status: at % 500 === 7 ? 'REJECTED' : 'APPROVED',
    }),
  );
  await storage.write(async (transaction) => {
    await transaction.insertNew('developers', developers);
    await transaction.insertNew('apps', apps);
  });
  await storage.write((transaction) => execute(transaction, 'analyze'));
}

/** How the engine answers the one question that some work asks. */
async function planOf({ engine, reader }: Storage, ask: (connection: Connection) => Promise<unknown>): Promise<string> {
  const asked: Statement[] = [];
  const noting: Connection = {
    builder: reader.builder,
    rows: (statement) => {
      asked.push(statement);
      return reader.rows(statement);
    },
    run: (statement) => reader.run(statement),
    insertNew: (table, rows) => reader.insertNew(table, rows),
  };
  await ask(noting);
  const [statement, ...others] = asked;
  assert.ok(statement);
  assert.deepEqual(others, []);
  const explain = engine === 'sqlite' ? 'explain query plan' : 'explain';
  const rows = await reader.rows<Record<string, unknown>>({ ...statement, sql: `${explain} ${statement.sql}` });
  return rows.map((row) => String(row.detail ?? row['QUERY PLAN'])).join('\n');
}

/** Only PostgreSQL may sort, and only when a filter meets a few rows: then it gathers those by the index first. */
function assertByIndex(plan: string, index: string): void {
  assert.match(plan, new RegExp(`\\b${index}\\b`));
  assert.doesNotMatch(plan, /seq scan|^scan|temp b-tree/im);
}

forEachEngine((engine) => {
  const sides: (Position['side'] | undefined)[] = [undefined, 'after', 'before'];

  storageTest(
    engine,
    'every list of apps and developers is read from an index, wherever the page is',
    async (storage) => {
      await fill(storage);
      const filters: [AppFilter, string][] = [
        [{ status: 'REJECTED' }, 'apps_by_review_status'],
        [{ developerId: idOf('user', 3) }, 'apps_of_developer'],
        [{ nameKeyPrefix: 'name_0001' }, 'apps_by_name'],
      ];
      for (const side of sides) {
        const at = (...values: string[]) => ({ limit: 20, position: side && { side, values } });
        for (const [filter, index] of filters) {
          const request = filter.nameKeyPrefix ? at('name_000150', idOf('app', 9)) : at(idOf('app', 2_500));
          assertByIndex(await planOf(storage, (connection) => listAppPage(connection, filter, request)), index);
        }
        const all = await planOf(storage, (connection) => listAppPage(connection, {}, at(idOf('app', 2_500))));
        const people = await planOf(storage, (connection) => listDeveloperPage(connection, at(idOf('user', 2_500))));
        assert.match(all, /using (index )?(apps_pkey|sqlite_autoindex_apps_1)/i);
        assert.match(people, /using (index )?(developers_pkey|sqlite_autoindex_developers_1)/i);
        assert.doesNotMatch(`${all}\n${people}`, /seq scan|temp b-tree|\bsort\b/i);
      }
    },
  );

  storageTest(engine, 'deleted apps are listed along their primary key, wherever the page is', async (storage) => {
    await fill(storage);
    const rows = Array.from({ length: appsCount }, (_, at) => ({
      id: idOf('app', at + appsCount),
      developer_id: idOf('user', at % developersCount),
      row: JSON.stringify(appRow({ id: idOf('app', at + appsCount) })),
      deleted_at: (at * 7_919) % appsCount,
    }));
    await storage.write((transaction) => transaction.insertNew('deleted_apps', rows));
    await storage.write((transaction) => execute(transaction, 'analyze'));
    for (const side of sides) {
      const request = { limit: 20, position: side && { side, values: [idOf('app', 7_500)] } };
      const plan = await planOf(storage, (connection) => listDeletedAppPage(connection, { after: 5 }, request));
      assert.match(plan, /using (index )?(deleted_apps_pkey|sqlite_autoindex_deleted_apps_1)/i);
      assert.doesNotMatch(plan, /seq scan|temp b-tree|\bsort\b/i);
    }
  });

  storageTest(engine, 'this test sees a scan and a sort', async (storage) => {
    await fill(storage);
    const scan = sql`select id from apps where login_url = 'x' order by updated_at`;
    const plan = await planOf(storage, (connection) => connection.rows(scan.compile(connection.builder)));
    assert.throws(() => assertByIndex(plan, 'apps'), /seq scan|^scan/im);
    assert.match(plan, /temp b-tree|sort/i);
  });
});
