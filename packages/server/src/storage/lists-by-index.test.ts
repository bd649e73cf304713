import assert from 'node:assert/strict';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { execute, filledStorage } from '@appregistrar/testkit/storage/storage-test';
import { sql } from 'kysely';
import { assertBounded, assertOrderedBy, planOf } from '../../test/storage/query-plan.ts';
import { appRow, developerRow, installationRow, sampleRows } from '../../test/storage/sample-rows.ts';
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
import type { PageRequest, Position, Sorting } from './row-pages.ts';
import type { Storage } from './storage.ts';

const rowsCount = 5_000;
const idOf = (prefix: string, at: number) => `${prefix}_${String(at).padStart(6, '0')}`;
const numbers = Array.from({ length: rowsCount }, (_, at) => at);

/**
 * A scan of all rows in the order of a list would be slow: half of the apps and installations belong to one
 * developer, app, workspace or user, and they are the latest. The latest apps have waited longest for a review, among as many
 * that are not in its queue.
 */
async function fill(storage: Storage): Promise<void> {
  const half = (at: number) => Math.max(0, rowsCount / 2 - at);
  const [token] = sampleRows.access_tokens;
  await storage.write(async (transaction) => {
    await transaction.insertNew(
      'developers',
      numbers.map((at) => developerRow({ user_id: idOf('user', at) })),
    );
    await transaction.insertNew(
      'apps',
      numbers.map((at) =>
        appRow({
          id: idOf('app', at),
          developer_id: idOf('user', half(at)),
          name_key: idOf('name', at),
          review_status: at % 2 === 0 ? 'APPROVED' : 'REJECTED',
          revision: 2,
          approved_revision: at % 4 === 0 ? 1 : null,
          waiting_since: at % 2 === 0 ? rowsCount - at : 0,
          created_at: at,
          updated_at: rowsCount - at,
        }),
      ),
    );
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
    await transaction.insertNew(
      'access_tokens',
      numbers.map((at) => ({
        ...token,
        id: idOf('token', at),
        kind: at % 2 === 0 ? 'platform' : 'developer',
        developer_id: at % 2 === 0 ? null : idOf('user', at % 4 === 1 ? 0 : at),
        // So that, as in a larger table, a scan of all is not the least work.
        name: someRow,
        hash: idOf('hash', at),
        expires_at: at,
      })),
    );
  });
  await storage.write((transaction) => execute(transaction, 'analyze'));
}

/** Of realistic size: PostgreSQL prefers to scan a tiny table. */
const someRow = JSON.stringify(appRow({ long_description: 'Keeps invoices in step. '.repeat(40) }));

const limit = 20;

/** The first page, and pages in both directions from a row in the middle. */
function pagesAround(values: string[]): PageRequest[] {
  const sides: (Position['side'] | undefined)[] = [undefined, 'after', 'before'];
  return sides.map((side) => ({ limit, position: side && { side, values } }));
}

/** One row more than the page per range, and then those of the page. */
const rowsMax = (ranges: number) => (ranges + 3) * (limit + 1);

type List = (connection: Connection, request: PageRequest) => Promise<unknown>;

/** A list with a filter, a position in its middle, what bounds it, and how many rows it may read. */
type BoundedList = [
  list: List,
  middle: string[],
  bounds: string[] | ((request: PageRequest) => string),
  rowsMax?: number,
];

const [app, workspace, user] = [idOf('app', 0), idOf('workspace', 0), idOf('user', 0)];
const [middleApp, middleInstallation] = [idOf('app', rowsCount / 2), idOf('installation', rowsCount / 2)];

const state = ['review_status', 'changed_since_approval'];
const changed = { changedSinceApproval: true };

/** Filters, the first columns of the index that must serve them, and the number of its ranges. Times have none without them. */
const appFilters: [AppFilter, string[], number][] = [
  [{}, [], 1],
  [{ statuses: ['AWAITING_REVIEW'] }, state, 2],
  [{ statuses: ['APPROVED'] }, state, 2],
  [changed, state, 4],
  [{ changedSinceApproval: false }, state, 4],
  [{ statuses: ['REJECTED'], ...changed }, state, 1],
  [{ developerId: user }, ['developer_id', ...state], 8],
  [{ developerId: 'user_missing' }, ['developer_id', ...state], 8],
  [{ developerId: user, statuses: ['AWAITING_REVIEW'] }, ['developer_id', ...state], 2],
  [{ developerId: user, ...changed }, ['developer_id', ...state], 4],
  [{ developerId: user, statuses: ['REJECTED'], ...changed }, ['developer_id', ...state], 1],
];

const ofWorkspace = ['workspace_id', 'app_id'];
const ofUser = ['user_id', 'app_id', 'id'];

/** Filters, the columns of the index that must serve them, a position in the middle, and the order. */
const installationFilters: [InstallationFilter, string[], string[], ('id' | 'app_id')[]][] = [
  [{ workspace_id: workspace }, ofWorkspace, [middleApp], ['app_id']],
  [{ workspace_id: workspace, user_id: user }, ofWorkspace, [middleApp], ['app_id']],
  [{ user_id: user }, ofUser, [middleApp, middleInstallation], ['app_id', 'id']],
  [{ app_id: app, user_id: user }, ofUser, [middleInstallation], ['id']],
  [{ app_id: idOf('app', rowsCount - 1), user_id: user }, ofUser, [middleInstallation], ['id']],
  [{ app_id: app, workspace_id: workspace }, ofWorkspace, [middleInstallation], ['id']],
  [{ app_id: app, workspace_id: workspace, user_id: user }, ofWorkspace, [middleInstallation], ['id']],
];

/** How SQLite shows a search that a position bounds. */
function search(index: string, bound: (operator: string) => string) {
  const operators = { after: '>', before: '<' };
  return ({ position }: PageRequest) => `INDEX ${index}${bound(position ? operators[position.side] : '')}`;
}

const hundred = (prefix: string) => Array.from({ length: 100 }, (_, at) => idOf(prefix, at * 50));
const by = <Column extends string>(order: Column[], descending = false) => ({ sorting: { order, descending } });
type Sorted<Column extends string> = { sorting: Sorting<Column> };

const boundedLists: BoundedList[] = [
  ...appFilters.flatMap(([filter, leading, ranges]): BoundedList[] => {
    const named = { ...filter, nameKeyPrefix: 'name_' };
    const middleName = [idOf('name', rowsCount / 2), app];
    const list =
      (given: AppFilter, sorted: Sorted<'id' | 'name_key' | 'created_at' | 'updated_at'>): List =>
      (reader, request) =>
        listAppPage(reader, given, { ...request, ...sorted });
    const times = leading.length === 0 ? state : leading;
    const between = { from: ['10', ''], until: ['4990', ''] };
    return [false, true].flatMap((descending): BoundedList[] => [
      [list(filter, by(['id'], descending)), [middleApp], [...leading, 'id'], rowsMax(ranges)],
      [list(named, by(['name_key', 'id'], descending)), middleName, [...leading, 'name_key', 'id'], rowsMax(ranges)],
      ...(['created_at', 'updated_at'] as const).flatMap((time) =>
        [{}, between].map((bounds): BoundedList => {
          const { sorting } = by([time, 'id'], descending);
          const sorted = { sorting: { ...sorting, ...bounds } };
          return [list(filter, sorted), ['2500', middleApp], [...times, time, 'id'], rowsMax(Math.max(ranges, 8))];
        }),
      ),
    ]);
  }),
  [
    (reader, request) => listAppPage(reader, { ids: hundred('app') }, { ...request, ...by(['id']) }),
    [middleApp],
    search('sqlite_autoindex_apps_1', () => ' (id=?)'),
    rowsMax(8),
  ],
  ...installationFilters.flatMap(([filter, columns, middle, order]) =>
    [false, true].map(
      (descending): BoundedList => [
        (reader, request) => listInstallationPage(reader, filter, { ...request, ...by(order, descending) }),
        middle,
        columns,
      ],
    ),
  ),
  // It reads no installation of another workspace.
  [
    (reader, request) =>
      listInstallationPage(
        reader,
        { workspace_id: workspace, user_id: idOf('user', 9) },
        { ...request, ...by(['app_id']) },
      ),
    [middleApp],
    ofWorkspace,
    rowsCount / 2 + rowsMax(1),
  ],
  [
    (reader, request) => listInstallationPage(reader, { app_id: app }, { ...request, ...by(['created_at', 'id']) }),
    ['1000', middleInstallation],
    search('whole_installations_of_app', (than) => ` (app_id=?${than && ` AND (created_at,id)${than}(?,?)`})`),
  ],
  [
    (reader, request) => listInstallationPage(reader, {}, { ...request, ...by(['id']) }),
    [middleInstallation],
    search('sqlite_autoindex_installations_1', (than) => than && ` (id${than}?)`),
  ],
  [
    (reader, request) => listInstallationPage(reader, { ids: hundred('installation') }, { ...request, ...by(['id']) }),
    [middleInstallation],
    search('sqlite_autoindex_installations_1', () => ' (id=?)'),
    rowsMax(8),
  ],
  ...[undefined, user, 'user_missing'].flatMap((developerId): BoundedList[] => {
    const leading = developerId ? ['developer_id'] : [];
    const list =
      (sorted: ReturnType<typeof by<'id' | 'deleted_at'>>): List =>
      (reader, request) =>
        listDeletedAppPage(reader, { after: 5, developerId }, { ...request, ...sorted });
    return [
      [list(by(['id'])), [middleApp], [...leading, 'id']],
      ...[false, true].map((descending): BoundedList => {
        const order = ['deleted_at' as const, 'id' as const];
        return [list(by(order, descending)), ['2500', middleApp], [...leading, ...order]];
      }),
    ];
  }),
  ...[{}, { kind: 'platform' } as const, { developer_id: user }].flatMap((filter) =>
    [false, true].map((descending): BoundedList => {
      const order = ['expires_at' as const, 'id' as const];
      return [
        (reader, request) => listAccessTokenPage(reader, filter, { ...request, ...by(order, descending) }),
        ['2500', middleApp],
        [...Object.keys(filter), ...order],
      ];
    }),
  ),
];

/** A list in an order, a position in its middle, and the index whose order it has. */
type OrderedList = [list: List, middle: string[], index: string];

const orderedLists = [false, true].flatMap((descending): OrderedList[] => [
  [
    (reader, request) => listDeveloperPage(reader, { ...request, ...by(['email', 'user_id'], descending) }),
    ['ada@example.com', idOf('user', rowsCount / 2)],
    'developers_by_email',
  ],
  [
    (reader, request) => listDeveloperPage(reader, { ...request, ...by(['created_at', 'user_id'], descending) }),
    ['1000', idOf('user', rowsCount / 2)],
    'developers_by_creation',
  ],
  [
    (reader, request) => listReviewQueuePage(reader, { ...request, ...by(['waiting_since', 'id'], descending) }),
    [String(rowsCount / 2), middleApp],
    'apps_waiting',
  ],
]);

forEachEngine((engine) => {
  const onStorage = filledStorage(engine, fill);

  onStorage('every list with a filter reads a page of an index and no more', async (storage) => {
    for (const [list, middle, columns, most = rowsMax(1)] of boundedLists) {
      for (const request of pagesAround(middle)) {
        const work = (connection: Connection) => list(connection, request);
        const bounds = { columns: typeof columns === 'function' ? columns(request) : columns, rowsMax: most };
        await assertBounded(storage, work, bounds);
      }
    }
  });

  onStorage('every order of developers and of the review queue is that of an index', async (storage) => {
    for (const [list, middle, index] of orderedLists) {
      for (const request of pagesAround(middle)) {
        const work = (connection: Connection) => list(connection, request);
        await assertOrderedBy(storage, work, { index, rowsMax: rowsMax(1) });
        if (storage.engine === 'sqlite' && request.position)
          assert.match(await planOf(storage, work), /\(\w+,\w+\)[<>]\(\?,\?\)/, 'the position bounds the search');
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
