import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApp, deleteApp, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { deleteInstallation } from '@appregistrar/testkit/calls/installations';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, validationErrorsOf, withoutNonce } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { listEvents } from '../../../test/calls/events.ts';
import { decodeTypeId, newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import type { EventRow } from '../../storage/tables.ts';
import type { OperatorApp } from '../apps/app-schemas.ts';
import { insertEvent } from './event-queries.ts';

const someone = { actor: 'token_01jq3w4m2je6vs9a1w7p3n0d5e', requestId: '01957a3c-6f0e-7cc2-9b1d-2f4f0f6d3a11' };

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let app: OperatorApp;
  let now: number;
  before(async () => {
    now = Date.parse('2026-03-01T09:30:00.000Z');
    fixture = await RegistryFixture.open(engine, { now: () => now });
    app = await fixture.newApp({ name: 'Invoice Sync' });
    await fixture.newApp();
    await updateAppAsOperator(fixture.registry, someone, { appId: app.id, update: { name: 'Ledger Sync' } });
  });
  after(() => fixture.close());

  const find = (query: object) => listEvents(fixture.registry, query);
  const list = (query: object = {}) => find({ appId: app.id, ...query });
  const typesOf = async (query: object = {}) => (await list(query)).items.map(({ type }) => type);
  const store = (row: Partial<EventRow>) => {
    const nothing = { before: null, after: null, details: null, effective: null };
    const bare = { request_id: null, traceparent: null, ...nothing, reason: null };
    const event = { id: newId('event'), occurred_at: 0, app_id: null, actor: 'command-line:demo', ...bare };
    const complete = { type: 'app.updated', subject_id: 'app_1', ...event, ...row };
    return fixture.registry.storage.write((transaction) => insertEvent(transaction, complete));
  };

  test('an event shows who changed what, when and by which request, before and after', async () => {
    const { items } = await list();
    const [created, updated, ...others] = items;
    assert.deepEqual(others, []);
    assert.equal(created?.type, 'app.created');
    assert.ok(created && !('before' in created.data) && !('requestId' in created));
    const { id, ...rest } = updated ?? assert.fail();
    assert.equal(decodeTypeId(id)?.prefix, 'event');
    assert.deepEqual(withoutNonce(rest), {
      type: 'app.updated',
      timestamp: '2026-03-01T09:30:00.000Z',
      appId: app.id,
      subjectId: app.id,
      ...someone,
      data: { before: { name: 'Invoice Sync' }, after: { name: 'Ledger Sync', revision: 2 } },
    });
  });

  test('an event shows its reason, if it has one', async () => {
    const { registry } = fixture;
    const { id } = await fixture.newApp();
    const reason = 'The developer requested it.\nIn writing.';
    await updateAppAsOperator(registry, { ...commandLine, reason }, { appId: id, update: { name: 'Renamed' } });
    const { items } = await listEvents(registry, { appId: id });
    assert.deepEqual(
      items.map((event) => [event.type, event.reason]),
      [
        ['app.created', undefined],
        ['app.updated', reason],
      ],
    );
  });

  test('the events of an app include those of its installations, and remain when the app is deleted', async () => {
    const installed = await fixture.install(app);
    await deleteInstallation(fixture.registry, commandLine, installed.id);
    await deleteApp(fixture.registry, commandLine, { appId: app.id });
    const types = ['app.created', 'app.updated', 'installation.created', 'installation.deleted', 'app.deleted'];
    assert.deepEqual(await typesOf(), types);
    assert.deepEqual(await typesOf({ appId: decodeTypeId(app.id)?.uuid }), types);
    assert.equal((await list()).items[2]?.subjectId, installed.id);
  });

  test('pages lead forwards and backwards', async () => {
    const all = await typesOf();
    const first = await list({ limit: 2 });
    assert.equal(first.prevCursor, undefined);
    const second = await list({ limit: 2, cursor: first.nextCursor });
    assert.deepEqual(
      [...first.items, ...second.items].map(({ type }) => type),
      all.slice(0, 4),
    );
    const back = await list({ limit: 2, cursor: second.prevCursor });
    assert.deepEqual(back.items, first.items);
  });

  test('the newest come first on request, and pages lead to older events and back', async () => {
    const all = (await list()).items;
    const first = await list({ newestFirst: true, limit: 2 });
    assert.equal(first.prevCursor, undefined);
    const second = await list({ newestFirst: true, limit: 2, cursor: first.nextCursor });
    assert.deepEqual([...first.items, ...second.items], all.toReversed().slice(0, 4));
    assert.deepEqual((await list({ newestFirst: true, limit: 2, cursor: second.prevCursor })).items, first.items);
    assert.deepEqual((await list({ newestFirst: false })).items, all);
    const since = all.at(-3)?.id;
    assert.deepEqual((await list({ newestFirst: true, since })).items, all.slice(-2).toReversed());
  });

  test('events are found by actor and by request', async () => {
    const { items } = await find({ actor: someone.actor });
    assert.deepEqual(
      items.map(({ type, subjectId }) => [type, subjectId]),
      [['app.updated', app.id]],
    );
    assert.deepEqual((await find({ requestId: someone.requestId })).items, items);
    assert.deepEqual(await find({ actor: 'token_01jq3w4m2je6vs9a1w7p3n0d5f' }), { items: [] });
    const everything = await find({ limit: 100 });
    assert.deepEqual(
      everything.items.slice(0, 3).map(({ type }) => type),
      ['developer.created', 'developer.created', 'app.created'],
    );
  });

  test('a field filter finds only the events that set or changed that field', async () => {
    const callbackUrl = 'https://a.example/callback';
    const other = await fixture.newApp({ oauthInfo: { callbackUrl } });
    const update = (change: object) =>
      updateAppAsOperator(fixture.registry, someone, { appId: other.id, update: change });
    await update({ name: 'callbackUrl', listingInfo: { shortDescription: '"callbackUrl":"https://b.example"' } });
    await update({ oauthInfo: { callbackUrl: 'https://c.example/callback' } });
    await fixture.install(other);
    await deleteApp(fixture.registry, commandLine, { appId: other.id, force: true });
    const { items } = await find({ appId: other.id, field: 'oauthInfo.callbackUrl' });
    assert.deepEqual(
      items.map(({ type, actor }) => [type, actor]),
      [
        ['app.created', 'command-line:demo'],
        ['app.updated', someone.actor],
      ],
    );
    assert.deepEqual(withoutNonce(items[1]?.data), {
      before: { oauthInfo: { callbackUrl } },
      after: { oauthInfo: { callbackUrl: 'https://c.example/callback' }, revision: 3 },
    });
  });

  test('events are found since a time, and since an event', async () => {
    const caller = { ...someone, actor: 'oidc:auth0|ada' };
    const change = (name: string) => updateAppAsOperator(fixture.registry, caller, { appId: one.id, update: { name } });
    const one = await fixture.newApp();
    await change('Since first');
    const first = (await find({ actor: caller.actor })).items[0] ?? assert.fail();
    now += 1;
    await change('Since second');
    const since = async (text: string) => (await find({ actor: caller.actor, since: text })).items.map(({ id }) => id);
    const [, second] = (await find({ actor: caller.actor })).items;
    assert.deepEqual(await since(first.id), [second?.id]);
    assert.deepEqual(await since(new Date(now).toISOString()), [second?.id]);
    assert.deepEqual(await since(first.timestamp), [first.id, second?.id]);
    assert.deepEqual(await since('0001-01-01T00:00:00Z'), [first.id, second?.id]);
    assert.deepEqual(await since('9999-12-31T23:59:59.999Z'), []);
    assert.equal((await find({ since: first.id })).items[0]?.id, second?.id);
  });

  test('events are found until a time, page by page in both orders', async () => {
    const caller = { ...someone, actor: 'oidc:auth0|grace' };
    const { actor } = caller;
    const start = now;
    for (const at of [1, 2, 3, 4]) {
      now = start + at * 1_000;
      await createApp(fixture.registry, caller, { developerId: app.developerId, name: `Until ${at}` });
    }
    const until = new Date(start + 4_000).toISOString();
    const all = (await find({ actor })).items.map(({ id }) => id);
    for (const newestFirst of [false, true]) {
      const query = { actor, until, newestFirst, limit: 2 };
      const first = await find(query);
      const second = await find({ ...query, cursor: first.nextCursor });
      const expected = newestFirst ? all.slice(0, 3).toReversed() : all.slice(0, 3);
      assert.deepEqual(
        [...first.items, ...second.items].map(({ id }) => id),
        expected,
      );
      assert.equal(second.nextCursor, undefined);
      const again = await find({ ...query, cursor: second.prevCursor });
      assert.deepEqual(again.items, first.items);
    }
    const everywhere = await find({ until, newestFirst: true, limit: 1 });
    assert.deepEqual(
      everywhere.items.map(({ id }) => id),
      all.slice(2, 3),
    );
    const ofOther = await list({ until: new Date(start - 60_000).toISOString() });
    assert.deepEqual(ofOther.items, []);
  });

  test('the workspaces of the apps that a token changed are listed, except those of deleted ones', async () => {
    const caller = { ...someone, actor: newId('token') };
    const input = (name: string) => ({ developerId: fixture.developer.userId, name });
    const made = (name: string) => createApp(fixture.registry, caller, input(name));
    const [installed, bare, deleted] = [await made('Installed'), await made('Bare'), await made('Gone')];
    const { workspaceId } = await fixture.install(installed);
    await fixture.install(deleted);
    await deleteApp(fixture.registry, commandLine, { appId: deleted.id, force: true });
    await updateAppAsOperator(fixture.registry, caller, { appId: installed.id, update: { name: 'Installed twice' } });
    const { items, apps } = await find({ actor: caller.actor, workspaces: true });
    assert.equal(items.length, 4);
    assert.deepEqual(apps, [
      { appId: installed.id, installationCount: 1, workspaceIds: [workspaceId] },
      { appId: bare.id, installationCount: 0, workspaceIds: [] },
      { appId: deleted.id, installationCount: 0, workspaceIds: [] },
    ]);
    assert.deepEqual((await find({ actor: newId('token'), workspaces: true })).apps, []);
  });

  test('for an app with more than a hundred workspaces, the first hundred and their number are listed', async () => {
    const many = await fixture.newApp();
    const workspaces: string[] = [];
    for (let count = 0; count < 102; count += 1) workspaces.push((await fixture.install(many)).workspaceId);
    const { apps } = await find({ appId: many.id, workspaces: true, limit: 1 });
    assert.deepEqual(apps, [{ appId: many.id, installationCount: 102, workspaceIds: workspaces.slice(0, 100) }]);
  });

  test('events of types that a later version adds are listed', async () => {
    const actor = newId('token');
    await store({ actor, before: '{"name":"A"}', after: '{"name":"B"}' });
    await store({ actor, type: 'app.praised', after: '{"stars":5}', details: '{"by":"user_1"}' });
    assert.deepEqual(
      (await find({ actor })).items.map(({ type, data }) => [type, data]),
      [
        ['app.updated', { before: { name: 'A' }, after: { name: 'B' } }],
        ['app.praised', { after: { stars: 5 }, by: 'user_1' }],
      ],
    );
  });

  test('an unknown app has no events; an invalid id or filter is refused', async () => {
    assert.deepEqual(await list({ appId: newId('app') }), { items: [] });
    const refused = async (query: object) =>
      validationErrorsOf(await assertRefused(fixture.registry, () => find(query), 'invalid_content')).toSorted();
    assert.deepEqual(await refused({ appId: newId('logo'), since: newId('app') }), [
      'appId invalid_format',
      'since invalid_format',
    ]);
    assert.deepEqual(await refused({ appId: app.id, limit: 101, type: 'app.updated', field: 'email' }), [
      'field not_allowed',
      'limit not_allowed',
      'type unknown_field',
    ]);
    assert.deepEqual(await refused({ appId: app.id, ...someone }), ['actor not_allowed', 'requestId not_allowed']);
    assert.deepEqual(await refused({ since: 'yesterday' }), ['since invalid_format']);
    assert.deepEqual(await refused({ actor: 'a\0' }), ['actor invalid_format']);
    assert.deepEqual(await refused({ appId: app.id, cursor: 'nonsense' }), ['cursor invalid_format']);
    for (const query of [{}, { actor: someone.actor }]) {
      const { nextCursor } = await find({ ...query, limit: 1 });
      assert.deepEqual(await refused({ appId: app.id, cursor: nextCursor }), ['cursor invalid_format']);
    }
  });
});
