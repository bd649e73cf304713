import assert from 'node:assert/strict';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { execute, filledStorage, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { assertBounded, assertOrderedBy, planOf } from '../../../test/storage/query-plan.ts';
import { appRow, developerRow, installationRow } from '../../../test/storage/sample-rows.ts';
import type { Connection } from '../../storage/query.ts';
import type { Storage } from '../../storage/storage.ts';
import type { EventRow } from '../../storage/tables.ts';
import { listWorkspacesOfApps } from '../installations/installation-queries.ts';
import {
  contentEventTypes,
  type EventFilter,
  type EventPageRequest,
  findLatestReviewEvent,
  findNewestEventId,
  listEventPage,
} from './event-queries.ts';

const count = 20_000;
const idOf = (prefix: string, at: number) => `${prefix}_${String(at).padStart(6, '0')}`;

/** One token made the first half; a few changes of apps are among their installations. */
function eventAt(at: number): EventRow {
  const isUpdate = at % 100 === 0;
  return {
    id: idOf('event', at),
    type: isUpdate ? 'app.updated' : 'installation.created',
    occurred_at: at,
    app_id: idOf('app', at % 4),
    subject_id: 'installation_1',
    actor: at < count / 2 ? 'token_old' : 'token_new',
    request_id: at % 2 === 0 ? idOf('request', at) : null,
    traceparent: null,
    before: null,
    after: JSON.stringify(isUpdate ? { oauthInfo: { callbackUrl: `"name":${at}` } } : { enabled: true }),
    details: null,
    effective: null,
    reason: null,
  };
}

async function fill(storage: Storage): Promise<void> {
  const events = Array.from({ length: count }, (_, at) => eventAt(at));
  await storage.write((transaction) => transaction.insertNew('events', events));
  await storage.write((transaction) => execute(transaction, 'analyze'));
}

const lateAt = count - 1_000;
const late = idOf('event', lateAt);
const last = idOf('event', count - 100);
const lists: [filter: EventFilter, index: string][] = [
  [{}, 'events_pkey|sqlite_autoindex_events_1'],
  [{ actor: 'token_old' }, 'events_of_actor'],
  [{ request_id: idOf('request', 8) }, 'events_of_request'],
];

/** The first page and pages around a position, in both orders, of the complete list and of one that starts late. */
function pagesAround(filter: EventFilter, values: string[]): [EventFilter, EventPageRequest][] {
  return [false, true].flatMap((newestFirst): [EventFilter, EventPageRequest][] => [
    [filter, { limit: 20, newestFirst }],
    [filter, { limit: 20, newestFirst, position: { side: 'after', values } }],
    [filter, { limit: 20, newestFirst, position: { side: 'before', values } }],
    ...[{ after: late }, { after: late, since: lateAt }, { before: late }, { after: late, before: last }].flatMap(
      (from): [EventFilter, EventPageRequest][] => [
        [
          { ...filter, ...from },
          { limit: 20, newestFirst },
        ],
        [
          { ...filter, ...from },
          { limit: 20, newestFirst, position: { side: 'before', values } },
        ],
      ],
    ),
  ]);
}

/** A scan of all events by id would be slow: nearly all events of the late app are in the second half. */
async function fillLate(storage: Storage): Promise<void> {
  const events = Array.from({ length: count }, (_, at) => ({
    ...eventAt(at),
    app_id: at < count / 2 || at % 500 === 1 ? idOf('app', at) : 'app_late',
  }));
  await storage.write((transaction) => transaction.insertNew('events', events));
  await storage.write((transaction) => execute(transaction, 'analyze'));
}

forEachEngine((engine) => {
  const onStorage = filledStorage(engine, fill);
  const ofApp = "every list of an app's events, and its latest review event, reads no more of an index than it returns";

  storageTest(engine, ofApp, async (storage) => {
    await fillLate(storage);
    for (const app_id of ['app_late', idOf('app', count - 499), 'app_missing']) {
      for (const contentOnly of [false, true]) {
        const dataOf = contentOnly ? contentEventTypes : undefined;
        for (const [filter, page] of pagesAround({ app_id, contentOnly }, [app_id, late])) {
          const request = { ...page, dataOf };
          // One row more than the page per class, and then those of the page.
          const bounds = { columns: '(app_id=? AND <expr>>? AND <expr><?)', rowsMax: 5 * 21 };
          await assertBounded(storage, (connection) => listEventPage(connection, filter, request), bounds);
        }
      }
      const plan = await planOf(storage, (connection) => findLatestReviewEvent(connection, { appId: app_id }));
      assert.match(plan, /using (index )?events_of_review\b/i);
    }
  });

  onStorage('every other list of events is read from its index, from any start', async (storage) => {
    for (const [filter, index] of lists) {
      const [leading] = Object.values(filter);
      const values = leading === undefined ? [late] : [leading, late];
      for (const [pageFilter, page] of pagesAround(filter, values)) {
        for (const request of [page, { ...page, dataOf: contentEventTypes }]) {
          const plan = await planOf(storage, (connection) => listEventPage(connection, pageFilter, request));
          assert.match(plan, new RegExp(`using (index )?(${index})\\b`, 'i'), JSON.stringify([pageFilter, request]));
          assert.doesNotMatch(plan, /seq scan|temp b-tree|\bsort\b/i, JSON.stringify([pageFilter, request]));
        }
      }
    }
  });

  storageTest(engine, 'the newest event is found by the end of an index, in a new database too', async (storage) => {
    const find = (connection: Connection) => findNewestEventId(connection, {});
    const index = 'events_pkey|covering index sqlite_autoindex_events_1';
    await assertOrderedBy(storage, find, { index, rowsMax: 1 });
    await fill(storage);
    await assertOrderedBy(storage, find, { index, rowsMax: 1 });
  });

  onStorage(
    'a list contains what matches its filter, and one that starts late continues from its cursor',
    async (storage) => {
      const idsOf = async (filter: EventFilter, request: EventPageRequest = { limit: 3 }) =>
        (await listEventPage(storage.reader, filter, request)).rows.map(({ id }) => id);
      const ids = (...ats: number[]) => ats.map((at) => idOf('event', at));
      assert.deepEqual(await idsOf({}), ids(0, 1, 2));
      assert.deepEqual(await idsOf({ actor: 'token_new' }), ids(10_000, 10_001, 10_002));
      assert.deepEqual(await idsOf({ app_id: 'app_000001' }), ids(1, 5, 9));
      assert.deepEqual(await idsOf({ request_id: 'request_000008' }), ids(8));

      // Content changes, in their order among all other events.
      const ofApp = { app_id: 'app_000000' };
      const around = (side: 'after' | 'before', at: number) => ({ side, values: ['app_000000', idOf('event', at)] });
      assert.deepEqual(await idsOf(ofApp, { limit: 3, position: around('after', 92) }), ids(96, 100, 104));
      assert.deepEqual(await idsOf(ofApp, { limit: 3, position: around('before', 104) }), ids(92, 96, 100));
      const newer = { limit: 3, newestFirst: true, position: around('before', 96) };
      assert.deepEqual(await idsOf({ ...ofApp, after: 'event_000096' }, newer), ids(108, 104, 100));
      assert.deepEqual(await idsOf({ app_id: 'app_000000', contentOnly: true }), ids(0, 100, 200));

      const some = await listEventPage(storage.reader, {}, { limit: 2, dataOf: contentEventTypes });
      assert.deepEqual(
        some.rows.map(({ id, type, after }) => [id, type, after]),
        [
          ['event_000000', 'app.updated', eventAt(0).after],
          ['event_000001', 'installation.created', null],
        ],
      );

      const filter = { app_id: 'app_000001', after: 'event_000021' };
      const first = await listEventPage(storage.reader, filter, { limit: 2 });
      assert.deepEqual([first.rows.map(({ id }) => id), first.prev], [ids(25, 29), undefined]);
      const second = await listEventPage(storage.reader, filter, { limit: 2, position: first.next });
      assert.deepEqual(
        second.rows.map(({ id }) => id),
        ids(33, 37),
      );
      assert.deepEqual(await idsOf(filter, { limit: 9, position: second.prev }), ids(25, 29));
      const early = { side: 'after', values: ['app_000001', 'event_000003'] } as const;
      assert.deepEqual(await idsOf(filter, { limit: 1, position: { ...early, values: [...early.values] } }), ids(25));

      const newest = { limit: 2, newestFirst: true };
      assert.deepEqual(await idsOf({}, newest), ids(19_999, 19_998));
      const since = { app_id: 'app_000001', after: 'event_019985' };
      const latest = await listEventPage(storage.reader, since, newest);
      assert.deepEqual([latest.rows.map(({ id }) => id), latest.prev], [ids(19_997, 19_993), undefined]);
      const older = await listEventPage(storage.reader, since, { ...newest, position: latest.next });
      assert.deepEqual([older.rows.map(({ id }) => id), older.next], [ids(19_989), undefined]);
      assert.deepEqual(await idsOf(since, { ...newest, position: older.prev }), ids(19_997, 19_993));
      // A position before the start of the list returns the complete list.
      const low = { side: 'before' as const, values: ['app_000001', 'event_000003'] };
      assert.deepEqual(await idsOf(since, { limit: 9, newestFirst: true, position: low }), ids(19_997, 19_993, 19_989));
    },
  );

  onStorage('the first workspaces of apps are read from an index, up to the limit for each', async (storage) => {
    const appIds = Array.from({ length: 5 }, (_, at) => idOf('app', at));
    const installations = Array.from({ length: 5_000 }, (_, at) =>
      installationRow({
        id: idOf('installation', at),
        app_id: idOf('app', at % 5),
        workspace_id: idOf('workspace', at),
      }),
    );
    await storage.write(async (transaction) => {
      await transaction.insertNew('developers', [developerRow()]);
      await transaction.insertNew(
        'apps',
        appIds.map((id, at) => appRow({ id, installation_count: at })),
      );
      await transaction.insertNew('installations', installations);
    });
    await storage.write((transaction) => execute(transaction, 'analyze'));
    const filter = { appIds: appIds.slice(0, 2), limit: 3 };
    const plan = await planOf(storage, (connection) => listWorkspacesOfApps(connection, filter));
    assert.match(plan, /whole_installations_of_app/);
    assert.doesNotMatch(
      plan,
      /installations_pkey|autoindex_installations|seq scan on installations|scan installations$/im,
    );
    assert.deepEqual(
      (await listWorkspacesOfApps(storage.reader, filter)).map(({ app_id, installation_count, workspace_id }) => [
        app_id,
        installation_count,
        workspace_id,
      ]),
      [0, 5, 10, 1, 6, 11].map((at) => [idOf('app', at % 5), at % 5, idOf('workspace', at)]),
    );
  });
});
