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
import type { OperatorApp } from '../apps/app-schemas.ts';

const someone = { actor: 'token_01jq3w4m2je6vs9a1w7p3n0d5e', requestId: '01957a3c-6f0e-7cc2-9b1d-2f4f0f6d3a11' };
const reason = 'The developer requested it.\nIn writing.';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let app: OperatorApp;
  let now: number;
  before(async () => {
    now = Date.parse('2026-03-01T09:30:00.000Z');
    fixture = await RegistryFixture.open(engine, { now: () => now });
    app = await fixture.newApp({ name: 'Invoice Sync' });
    await fixture.newApp();
    const caller = { ...someone, reason };
    await updateAppAsOperator(fixture.registry, caller, { appId: app.id, update: { name: 'Ledger Sync' } });
  });
  after(() => fixture.close());

  const find = (query: object) => listEvents(fixture.registry, query);
  const list = (query: object = {}) => find({ appId: app.id, ...query });
  const typesOf = async (query: object = {}) => (await list(query)).items.map(({ type }) => type);

  test('an event shows who changed what, when and by which request, before and after', async () => {
    const { items } = await list();
    const [created, updated, ...others] = items;
    assert.deepEqual(others, []);
    assert.equal(created?.type, 'app.created');
    assert.ok(created && !('before' in created.data) && !('requestId' in created) && !('reason' in created));
    const { id, ...rest } = updated ?? assert.fail();
    assert.equal(decodeTypeId(id)?.prefix, 'event');
    assert.deepEqual(withoutNonce(rest), {
      type: 'app.updated',
      timestamp: '2026-03-01T09:30:00.000Z',
      appId: app.id,
      subjectId: app.id,
      ...someone,
      reason,
      data: { before: { name: 'Invoice Sync' }, after: { name: 'Ledger Sync', revision: 2 } },
    });
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
    const start = now;
    for (const at of [1, 2, 3, 4]) {
      now = start + at * 1_000;
      await createApp(fixture.registry, caller, { developerId: app.developerId, name: `Until ${at}` });
    }
    const until = new Date(start + 4_000).toISOString();
    const all = (await find({ actor: caller.actor })).items.slice(0, 3);
    for (const sort of ['id', '-id']) {
      const query = { actor: caller.actor, until, sort, limit: 2 };
      const first = await find(query);
      const second = await find({ ...query, cursor: first.nextCursor });
      assert.deepEqual([...first.items, ...second.items], sort === '-id' ? all.toReversed() : all);
      assert.equal(second.nextCursor, undefined);
    }
    assert.deepEqual((await find({ until, sort: '-id', limit: 1 })).items, all.slice(-1));
  });

  test('the workspaces of the apps that a token changed are listed, except those of deleted ones', async () => {
    const caller = { ...someone, actor: newId('token') };
    const input = (name: string) => ({ developerId: fixture.developer.id, name });
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

  test('an unknown app has no events; an invalid id or filter is refused', async () => {
    assert.deepEqual(await list({ appId: newId('app') }), { items: [] });
    const refused = async (query: object) =>
      validationErrorsOf(await assertRefused(fixture.registry, () => find(query), 'invalid_content')).toSorted();
    assert.deepEqual(await refused({ appId: newId('logo'), since: newId('app') }), [
      'appId invalid_format',
      'since invalid_format',
    ]);
    assert.deepEqual(await refused({ appId: app.id, limit: 101, types: 'app.updated', field: 'email' }), [
      'field not_allowed',
      'limit not_allowed',
      'types unknown_field',
    ]);
    assert.deepEqual(await refused({ appId: app.id, ...someone }), ['actor not_allowed', 'requestId not_allowed']);
    assert.deepEqual(await refused({ since: 'yesterday' }), ['since invalid_format']);
    assert.deepEqual(await refused({ about: 'ada' }), ['about invalid_format']);
    assert.deepEqual(await refused({ actor: 'a\0' }), ['actor invalid_format']);
    assert.deepEqual(await refused({ appId: app.id, cursor: 'nonsense' }), ['cursor invalid_format']);
    const { nextCursor: cursor } = await find({ limit: 1 });
    for (const query of [{ appId: app.id }, { actor: someone.actor }]) {
      assert.deepEqual(await refused({ ...query, cursor }), ['cursor invalid_format']);
    }
  });
});
