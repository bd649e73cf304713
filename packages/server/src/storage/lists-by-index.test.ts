import assert from 'node:assert/strict';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { execute, filledStorage, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { sql } from 'kysely';
import { assertBounded, assertOrderedBy, planOf } from '../../test/storage/query-plan.ts';
import { appRow, developerRow, installationRow } from '../../test/storage/sample-rows.ts';
import { listAccessTokenPage } from '../features/access/access-queries.ts';
import { type AppFilter, findAppSnapshot, listAppPage } from '../features/apps/app-queries.ts';
import { listDeletedAppPage } from '../features/apps/deleted-app-queries.ts';
import { listReviewQueuePage } from '../features/apps/review/review-queries.ts';
import { listDeveloperPage } from '../features/developers/developer-queries.ts';
import {
  type InstallationFilter,
  listInstallationPage,
  streamInstallationTexts,
} from '../features/installations/installation-queries.ts';
import type { Connection } from './query.ts';
import type { PageRequest, Position } from './row-pages.ts';
import type { Storage } from './storage.ts';
import type { AccessTokenRow } from './tables.ts';

const rowsCount = 5_000;
const idOf = (prefix: string, at: number) => `${prefix}_${String(at).padStart(6, '0')}`;
const numbers = Array.from({ length: rowsCount }, (_, at) => at);

/**
 * A scan of all rows in the order of a list would be slow: half of the apps and installations belong to one
 * developer, app, workspace or user, and they are the latest.
 */
async function fill(storage: Storage): Promise<void> {
  const half = (at: number) => Math.max(0, rowsCount / 2 - at);
  const app = (at: number) =>
    appRow({
      id: idOf('app', at),
      developer_id: idOf('user', half(at)),
      name_key: idOf('name', at),
      review_status: at % 2 === 0 ? 'APPROVED' : 'REJECTED',
      revision: 2,
      approved_revision: at % 4 === 0 ? 1 : null,
    });
  await storage.write(async (transaction) => {
    await transaction.insertNew(
      'developers',
      numbers.map((at) => developerRow({ user_id: idOf('user', at) })),
    );
    await transaction.insertNew('apps', numbers.map(app));
    await transaction.insertNew(
      'installations',
      numbers.map((at) =>
        installationRow({
          id: idOf('installation', at),
          app_id: idOf('app', at % 2 === 0 ? half(at) : at),
          workspace_id: idOf('workspace', at % 2 === 0 ? at : half(at)),
          user_id: idOf('user', half(at)),
        }),
      ),
    );
    await transaction.insertNew(
      'deleted_apps',
      numbers.map((at) => ({
        id: idOf('app', at),
        developer_id: idOf('user', half(at)),
        row: someRow,
        deleted_at: at,
      })),
    );
  });
}

/** Of realistic size: PostgreSQL prefers to scan a tiny table. */
const someRow = JSON.stringify(appRow({ long_description: 'Keeps invoices in step. '.repeat(40) }));

const limit = 20;

/** The first page, and pages in both directions from a row in the middle. */
function pagesAround(values: string[]): PageRequest[] {
  const sides: (Position['side'] | undefined)[] = [undefined, 'after', 'before'];
  return sides.map((side) => ({ limit, position: side && { side, values } }));
}

const state = ['review_status', 'changed_since_approval'];
const ofDeveloper = { developerId: idOf('user', 0) };
const changed = { changedSinceApproval: true };

/** Filters, the first columns of the index that must serve them, and the number of its ranges. */
const appFilters: [AppFilter, string[], number][] = [
  [{}, [], 1],
  [{ status: 'AWAITING_REVIEW' }, state, 2],
  [{ status: 'APPROVED' }, state, 2],
  [changed, state, 4],
  [{ changedSinceApproval: false }, state, 4],
  [{ status: 'REJECTED', ...changed }, state, 1],
  [ofDeveloper, ['developer_id', ...state], 8],
  [{ developerId: 'user_missing' }, ['developer_id', ...state], 8],
  [{ ...ofDeveloper, status: 'AWAITING_REVIEW' }, ['developer_id', ...state], 2],
  [{ ...ofDeveloper, ...changed }, ['developer_id', ...state], 4],
  [{ ...ofDeveloper, status: 'REJECTED', ...changed }, ['developer_id', ...state], 1],
];

const [app, workspace, user] = [idOf('app', 0), idOf('workspace', 0), idOf('user', 0)];
const [middleApp, middleInstallation] = [idOf('app', rowsCount / 2), idOf('installation', rowsCount / 2)];

/** Filters, the columns of the index that must serve them, and a position in the middle. */
const installationFilters: [InstallationFilter, string[], string[]][] = [
  [{ workspace_id: workspace }, ['workspace_id', 'app_id'], [middleApp]],
  [{ workspace_id: workspace, user_id: user }, ['workspace_id', 'app_id'], [middleApp]],
  [{ user_id: user }, ['user_id', 'app_id', 'id'], [middleApp, middleInstallation]],
  [{ app_id: app, user_id: user }, ['user_id', 'app_id', 'id'], [middleInstallation]],
  [{ app_id: idOf('app', rowsCount - 1), user_id: user }, ['user_id', 'app_id', 'id'], [middleInstallation]],
  [{ app_id: app, workspace_id: workspace }, ['workspace_id', 'app_id'], [middleInstallation]],
  [{ app_id: app, workspace_id: workspace, user_id: user }, ['workspace_id', 'app_id'], [middleInstallation]],
];

/** One row more than the page per range, and then those of the page. */
const rowsMax = (ranges: number) => (ranges + 3) * (limit + 1);

async function assertAllBounded(storage: Storage): Promise<void> {
  for (const [filter, leading, ranges] of appFilters) {
    for (const request of pagesAround([idOf('app', rowsCount / 2)])) {
      const bounds = { columns: [...leading, 'id'], rowsMax: rowsMax(ranges) };
      await assertBounded(storage, (connection) => listAppPage(connection, filter, request), bounds);
    }
    for (const request of pagesAround([idOf('name', rowsCount / 2), idOf('app', 0)])) {
      const named = { ...filter, nameKeyPrefix: 'name_' };
      const bounds = { columns: [...leading, 'name_key', 'id'], rowsMax: rowsMax(ranges) };
      await assertBounded(storage, (connection) => listAppPage(connection, named, request), bounds);
    }
  }
  for (const [filter, columns, middle] of installationFilters) {
    for (const request of pagesAround(middle)) {
      const bounds = { columns, rowsMax: rowsMax(1) };
      await assertBounded(storage, (connection) => listInstallationPage(connection, filter, request), bounds);
    }
  }
  for (const request of pagesAround(['1000', middleInstallation])) {
    const work = (connection: Connection) => listInstallationPage(connection, { app_id: app }, request);
    const { position } = request;
    const bound = position ? ` AND (created_at,id)${position.side === 'after' ? '>' : '<'}(?,?)` : '';
    const columns = `INDEX whole_installations_of_app (app_id=?${bound})`;
    await assertBounded(storage, work, { columns, rowsMax: rowsMax(1) });
  }
  const ids = Array.from({ length: 100 }, (_, at) => idOf('installation', at * 50));
  for (const request of pagesAround([middleInstallation])) {
    const all = (connection: Connection) => listInstallationPage(connection, {}, request);
    const { position } = request;
    const bound = position ? ` (id${position.side === 'after' ? '>' : '<'}?)` : '';
    const key = 'INDEX sqlite_autoindex_installations_1';
    await assertBounded(storage, all, { columns: `${key}${bound}`, rowsMax: rowsMax(1) });
    const some = (connection: Connection) => listInstallationPage(connection, { ids }, request);
    await assertBounded(storage, some, { columns: `${key} (id=?)`, rowsMax: rowsMax(8) });
  }
  const appIds = Array.from({ length: 100 }, (_, at) => idOf('app', at * 50));
  for (const request of pagesAround([middleApp])) {
    const some = (connection: Connection) => listAppPage(connection, { ids: appIds }, request);
    await assertBounded(storage, some, { columns: 'INDEX sqlite_autoindex_apps_1 (id=?)', rowsMax: rowsMax(8) });
  }
  for (const developerId of [undefined, idOf('user', 0), 'user_missing']) {
    for (const request of pagesAround([idOf('app', rowsCount / 2)])) {
      const bounds = { columns: developerId ? ['developer_id', 'id'] : ['id'], rowsMax: rowsMax(1) };
      const listed = { ...request, sorting: { order: ['id'], descending: false } } as const;
      const work = (connection: Connection) => listDeletedAppPage(connection, { after: 5, developerId }, listed);
      await assertBounded(storage, work, bounds);
    }
  }
}

/** Lists that can be sorted, in both directions: each order, a position in the middle of it, and the index that must serve it. */
const sortings = [false, true].flatMap((descending) => [
  {
    index: 'developers_by_email',
    values: ['ada@example.com', idOf('user', rowsCount / 2)],
    list: (connection: Connection, request: PageRequest) =>
      listDeveloperPage(connection, { ...request, sorting: { order: ['email', 'user_id'], descending } }),
  },
  {
    index: 'developers_by_creation',
    values: ['1000', idOf('user', rowsCount / 2)],
    list: (connection: Connection, request: PageRequest) =>
      listDeveloperPage(connection, { ...request, sorting: { order: ['created_at', 'user_id'], descending } }),
  },
]);

async function fillTokens(storage: Storage): Promise<void> {
  const token = (at: number): AccessTokenRow => ({
    id: idOf('token', at),
    kind: at % 2 === 0 ? 'platform' : 'developer',
    developer_id: at % 2 === 0 ? null : idOf('user', at % 4 === 1 ? 0 : at),
    // So that, as in a larger table, a scan of all is not the least work.
    name: someRow,
    hash: idOf('hash', at),
    created_at: at,
    expires_at: at,
    revoked_at: null,
    scopes: null,
    updates_per_minute: null,
    reads_per_minute: null,
    last_used_at: null,
    suspended: 0,
  });
  await storage.write((transaction) => transaction.insertNew('access_tokens', numbers.map(token)));
}

forEachEngine((engine) => {
  const onStorage = filledStorage(engine, async (storage) => {
    await fill(storage);
    await fillTokens(storage);
    await storage.write((transaction) => execute(transaction, 'analyze'));
  });

  onStorage('every order of the list of developers is that of an index', async (storage) => {
    for (const { index, values, list } of sortings) {
      for (const request of pagesAround(values)) {
        const work = (connection: Connection) => list(connection, request);
        await assertOrderedBy(storage, work, { index, rowsMax: rowsMax(1) });
      }
    }
  });

  onStorage('deleted apps and tokens by time are a page of an index and no more', async (storage) => {
    const developer = idOf('user', 0);
    for (const descending of [false, true]) {
      for (const request of pagesAround(['2500', idOf('app', rowsCount / 2)])) {
        for (const developerId of [undefined, developer]) {
          const listed = { ...request, sorting: { order: ['deleted_at', 'id'], descending } } as const;
          const work = (connection: Connection) => listDeletedAppPage(connection, { after: 5, developerId }, listed);
          const columns = [...(developerId ? ['developer_id'] : []), 'deleted_at', 'id'];
          await assertBounded(storage, work, { columns, rowsMax: rowsMax(1) });
        }
        for (const filter of [{}, { kind: 'platform' } as const, { developer_id: developer }]) {
          const listed = { ...request, sorting: { order: ['expires_at', 'id'], descending } } as const;
          const work = (connection: Connection) => listAccessTokenPage(connection, filter, listed);
          const columns = [...Object.keys(filter), 'expires_at', 'id'];
          await assertBounded(storage, work, { columns, rowsMax: rowsMax(1) });
        }
      }
    }
  });

  const guarantee = 'every list of apps, deleted apps and installations reads a page of an index and no more';

  onStorage(guarantee, async (storage) => {
    await assertAllBounded(storage);
  });

  onStorage('a list of a user in a workspace reads no installation of another workspace', async (storage) => {
    const filter = { workspace_id: workspace, user_id: idOf('user', 9) };
    for (const request of pagesAround([middleApp])) {
      const work = (connection: Connection) => listInstallationPage(connection, filter, request);
      await assertBounded(storage, work, { columns: ['workspace_id', 'app_id'], rowsMax: rowsCount / 2 + rowsMax(1) });
    }
  });

  storageTest(engine, 'the review queue is read in order from its index', async (storage) => {
    // The latest apps have waited longest, among as many that are not in the queue.
    const app = (at: number) =>
      appRow({
        id: idOf('app', at),
        name_key: idOf('name', at),
        waiting_since: at % 2 === 0 ? rowsCount - at : 0,
      });
    await storage.write(async (transaction) => {
      await transaction.insertNew('developers', [developerRow()]);
      await transaction.insertNew('apps', numbers.map(app));
    });
    await storage.write((transaction) => execute(transaction, 'analyze'));
    for (const request of pagesAround([String(rowsCount / 2), idOf('app', rowsCount / 2)])) {
      const work = (connection: Connection) => listReviewQueuePage(connection, request);
      await assertOrderedBy(storage, work, { index: 'apps_waiting', rowsMax: rowsMax(1) });
      const newestFirst = (connection: Connection) =>
        listReviewQueuePage(connection, { ...request, newestFirst: true });
      await assertOrderedBy(storage, newestFirst, { index: 'apps_waiting', rowsMax: rowsMax(1) });
      if (storage.engine === 'sqlite' && request.position) {
        assert.match(
          await planOf(storage, work),
          /\(waiting_since,id\)[<>]\(\?,\?\)/,
          'the position bounds the search',
        );
      }
    }
  });

  onStorage("an app's installations are read from their covering index alone", async (storage) => {
    const id = idOf('app', 1);
    // Of an app with installations it would read the next ones too.
    const appId = idOf('app', rowsCount);
    const works = [
      (connection: Connection) => findAppSnapshot(connection, { id, installationsMax: 250 }),
      (connection: Connection) => streamInstallationTexts(connection, { appId }).next(),
    ];
    for (const work of works) {
      assert.match(await planOf(storage, work), /(covering index|index only scan using) whole_installations_of_app/i);
    }
  });

  onStorage('this test detects rows that are read and discarded', async (storage) => {
    const { builder } = storage.reader;
    const inVain = [
      builder.selectFrom('apps').select('id').where('login_url', '=', 'x'),
      builder.selectFrom('apps').select('id').where('id', '>', 'a').where('login_url', '=', 'x').orderBy('id'),
      builder.selectFrom('apps').select('id').where(sql<boolean>`upper(name_key) > 'A'`),
    ];
    for (const query of inVain) {
      const work = (connection: Connection) => connection.rows(query.compile());
      await assert.rejects(assertBounded(storage, work, { columns: ['id'], rowsMax: rowsMax(8) }), {
        name: 'AssertionError',
      });
    }
  });
});
