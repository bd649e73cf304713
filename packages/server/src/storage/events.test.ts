import assert from 'node:assert/strict';
import { forEachEngine } from '../testing/engines.ts';
import { type EventFilter, type EventPageRequest, listEventPage } from './events.ts';
import type { Storage } from './storage.ts';
import type { EventRow } from './tables.ts';
import { planOf } from './testing/query-plan.ts';
import { appRow, developerRow, installationRow } from './testing/sample-rows.ts';
import { execute, storageTest } from './testing/storage-test.ts';
import { listWorkspacesOfApps } from './workspaces.ts';

const count = 20_000;
const idOf = (prefix: string, at: number) => `${prefix}_${String(at).padStart(6, '0')}`;

/** One token made the first half, and now and then an app changes among its installations. */
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
    before: null,
    after: JSON.stringify(isUpdate ? { oauthInfo: { callbackUrl: `"name":${at}` } } : { enabled: true }),
    details: null,
  };
}

async function fill(storage: Storage): Promise<void> {
  const events = Array.from({ length: count }, (_, at) => eventAt(at));
  await storage.write((transaction) => transaction.insertNew('events', events));
  await storage.write((transaction) => execute(transaction, 'analyze'));
}

const late = idOf('event', count - 1_000);
const lists: [filter: EventFilter, index: string][] = [
  [{}, 'events_pkey|sqlite_autoindex_events_1'],
  [{ app_id: idOf('app', 3) }, 'events_of_app'],
  [{ actor: 'token_old' }, 'events_of_actor'],
  [{ request_id: idOf('request', 8) }, 'events_of_request'],
  [{ app_id: idOf('app', 0), member: 'callbackUrl' }, 'events_of_content'],
];
forEachEngine((engine) => {
  storageTest(engine, 'every list of events is read from its index, wherever it begins', async (storage) => {
    await fill(storage);
    for (const [filter, index] of lists) {
      const [leading] = Object.values(filter);
      const values = leading === undefined ? [late] : [leading, late];
      const requests = [false, true].flatMap((newestFirst): [EventFilter, EventPageRequest][] => [
        [filter, { limit: 20, newestFirst }],
        [filter, { limit: 20, newestFirst, position: { side: 'after', values } }],
        [filter, { limit: 20, newestFirst, position: { side: 'before', values } }],
        [
          { ...filter, after: late },
          { limit: 20, newestFirst },
        ],
        [
          { ...filter, after: late },
          { limit: 20, newestFirst, position: { side: 'before', values } },
        ],
      ]);
      for (const [asked, request] of requests) {
        const plan = await planOf(storage, (connection) => listEventPage(connection, asked, request));
        assert.match(plan, new RegExp(`using (index )?(${index})\\b`, 'i'), JSON.stringify([asked, request]));
        assert.doesNotMatch(plan, /seq scan|temp b-tree|\bsort\b/i, JSON.stringify([asked, request]));
      }
    }
  });

  storageTest(
    engine,
    'a list holds what its filter names, and one that begins late goes on from its cursor',
    async (storage) => {
      await fill(storage);
      const idsOf = async (filter: EventFilter, request: EventPageRequest = { limit: 3 }) =>
        (await listEventPage(storage.reader, filter, request)).rows.map(({ id }) => id);
      const ids = (...ats: number[]) => ats.map((at) => idOf('event', at));
      assert.deepEqual(await idsOf({}), ids(0, 1, 2));
      assert.deepEqual(await idsOf({ actor: 'token_new' }), ids(10_000, 10_001, 10_002));
      assert.deepEqual(await idsOf({ app_id: 'app_000001' }), ids(1, 5, 9));
      assert.deepEqual(await idsOf({ request_id: 'request_000008' }), ids(8));
      assert.deepEqual(await idsOf({ app_id: 'app_000000', member: 'callbackUrl' }), ids(0, 100, 200));
      // The text of a value is no name.
      assert.deepEqual(await idsOf({ app_id: 'app_000000', member: 'name' }), []);

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
      // Newer than a place before all that the list holds is all of it.
      const low = { side: 'before' as const, values: ['app_000001', 'event_000003'] };
      assert.deepEqual(await idsOf(since, { limit: 9, newestFirst: true, position: low }), ids(19_997, 19_993, 19_989));
    },
  );

  storageTest(engine, 'the first workspaces of apps are read from an index, so many of each', async (storage) => {
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
    const asked = { appIds: appIds.slice(0, 2), limit: 3 };
    const plan = await planOf(storage, (connection) => listWorkspacesOfApps(connection, asked));
    assert.match(plan, /installations_of_app_/);
    assert.doesNotMatch(
      plan,
      /installations_pkey|autoindex_installations|seq scan on installations|scan installations$/im,
    );
    assert.deepEqual(
      (await listWorkspacesOfApps(storage.reader, asked)).map(({ app_id, installation_count, workspace_id }) => [
        app_id,
        installation_count,
        workspace_id,
      ]),
      [0, 5, 10, 1, 6, 11].map((at) => [idOf('app', at % 5), at % 5, idOf('workspace', at)]),
    );
  });
});
