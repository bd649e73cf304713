import assert from 'node:assert/strict';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { execute, filledStorage, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { assertBounded, assertOrderedBy, planOf } from '../../../test/storage/query-plan.ts';
import { appRow, developerRow, installationRow } from '../../../test/storage/sample-rows.ts';
import type { Connection } from '../../storage/query.ts';
import type { Position } from '../../storage/row-pages.ts';
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

async function fill(storage: Storage, rowAt = eventAt): Promise<void> {
  const events = Array.from({ length: count }, (_, at) => rowAt(at));
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

/** The first page and pages around a position, in both orders, of the complete list and of parts of it. */
function pagesAround(filter: EventFilter, values: string[]): [EventFilter, EventPageRequest][] {
  const before = { side: 'before', values } as const;
  const parts = [{ after: late }, { after: late, since: lateAt }, { before: late }, { after: late, before: last }];
  return [false, true].flatMap((newestFirst): [EventFilter, EventPageRequest][] => {
    const page = { limit: 20, newestFirst };
    return [
      [filter, { ...page, position: { side: 'after', values } }],
      ...[{}, ...parts].flatMap((part): [EventFilter, EventPageRequest][] => [
        [{ ...filter, ...part }, page],
        [
          { ...filter, ...part },
          { ...page, position: before },
        ],
      ]),
    ];
  });
}

/** A scan of all events by id would be slow: nearly all events of the late app are in the second half. */
function lateEventAt(at: number): EventRow {
  return { ...eventAt(at), app_id: at < count / 2 || at % 500 === 1 ? idOf('app', at) : 'app_late' };
}

forEachEngine((engine) => {
  const onStorage = filledStorage(engine, (storage) => fill(storage));
  const ofApp = "every list of an app's events, and its latest review event, reads no more of an index than it returns";

  storageTest(engine, ofApp, async (storage) => {
    await fill(storage, lateEventAt);
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

  onStorage('a list contains what matches its filter, in either order from any position', async (storage) => {
    const app = 'app_000001';
    const at = (side: 'after' | 'before', number: number, app_id = app) => ({
      position: { side, values: [app_id, idOf('event', number)] },
    });
    const newestFirst = true;
    const late = { app_id: app, after: 'event_019985' };
    // Content changes are in their order among all other events.
    const mixed = 'app_000000';
    const lists: [filter: EventFilter, request: Partial<EventPageRequest>, numbers: number[]][] = [
      [{}, {}, [0, 1, 2]],
      [{}, { newestFirst }, [19_999, 19_998, 19_997]],
      [{ actor: 'token_new' }, {}, [10_000, 10_001, 10_002]],
      [{ request_id: 'request_000008' }, {}, [8]],
      [{ app_id: app }, {}, [1, 5, 9]],
      [{ app_id: mixed }, at('after', 92, mixed), [96, 100, 104]],
      [{ app_id: mixed }, at('before', 104, mixed), [92, 96, 100]],
      [{ app_id: mixed, after: 'event_000096' }, { newestFirst, ...at('before', 96, mixed) }, [108, 104, 100]],
      [{ app_id: mixed, contentOnly: true }, {}, [0, 100, 200]],
      // A position before the start of the list returns the complete list.
      [{ app_id: app, after: 'event_000021' }, { limit: 1, ...at('after', 3) }, [25]],
      [late, { limit: 9, newestFirst, ...at('before', 3) }, [19_997, 19_993, 19_989]],
    ];
    for (const [filter, request, numbers] of lists) {
      const { rows } = await listEventPage(storage.reader, filter, { limit: 3, ...request });
      const ids = rows.map(({ id }) => id);
      assert.deepEqual(
        ids,
        numbers.map((number) => idOf('event', number)),
        JSON.stringify([filter, request]),
      );
    }
    for (const [order, all] of [
      [{}, [19_989, 19_993, 19_997]],
      [{ newestFirst }, [19_997, 19_993, 19_989]],
    ] as const) {
      const page = (position?: Position) => listEventPage(storage.reader, late, { limit: 2, ...order, position });
      const first = await page();
      const second = await page(first.next);
      assert.deepEqual(
        [...first.rows, ...second.rows].map(({ id }) => id),
        all.map((number) => idOf('event', number)),
      );
      assert.deepEqual([first.prev, second.next], [undefined, undefined]);
      assert.deepEqual((await page(second.prev)).rows, first.rows);
    }
  });

  onStorage('the data of events is read only of the types that are wanted', async (storage) => {
    const { rows } = await listEventPage(storage.reader, {}, { limit: 2, dataOf: contentEventTypes });
    assert.deepEqual(
      rows.map(({ type, after }) => [type, after]),
      [
        ['app.updated', eventAt(0).after],
        ['installation.created', null],
      ],
    );
  });

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
