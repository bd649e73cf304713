import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  createInstallation,
  listInstallations,
  setInstallationEnabled,
} from '@appregistrar/testkit/calls/installations';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { importText } from '@appregistrar/testkit/registry/export-text';
import { installationOf } from '@appregistrar/testkit/registry/import-file';
import { assertRefused, validationErrorsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { installationRow } from '../../../test/storage/sample-rows.ts';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import type { OperatorApp } from '../apps/app-schemas.ts';
import type { Installation } from './installation.ts';
import { searchedMax } from './list-installations.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let apps: [OperatorApp, OperatorApp];
  const workspaces = [newId('workspace'), newId('workspace'), newId('workspace')] as const;
  const users = [newId('user'), newId('user')] as const;
  /** Each app in each workspace, by one user in the first and by another one elsewhere; by id. */
  const installations: Installation[] = [];

  before(async () => {
    fixture = await RegistryFixture.open(engine);
    apps = [await fixture.newApp({ status: 'APPROVED' }), await fixture.newApp({ status: 'APPROVED' })];
    for (const [index, workspaceId] of workspaces.entries()) {
      for (const { id: appId } of apps) {
        const input = { appId, workspaceId, userId: users[index === 0 ? 0 : 1] };
        installations.push(await createInstallation(fixture.registry, commandLine, input));
      }
    }
  });
  after(() => fixture.close());

  const list = (query: object) => listInstallations(fixture.registry, query);
  const those = (filter: Partial<Installation>) =>
    installations.filter((one) => Object.entries(filter).every(([name, value]) => one[name as 'id'] === value));

  const byApp = (list: Installation[]) =>
    list.toSorted((one, other) => (`${one.appId} ${one.id}` < `${other.appId} ${other.id}` ? -1 : 1));

  test('installations can be listed by app, workspace, user and combinations of them', async () => {
    const [appId, workspaceId, userId] = [apps[0].id, workspaces[1], users[1]];
    for (const filter of [
      { appId },
      { workspaceId },
      { userId },
      { appId, userId },
      { workspaceId, userId },
      { appId, workspaceId, userId },
    ]) {
      const expected = 'appId' in filter ? those(filter) : byApp(those(filter));
      assert.ok(expected.length > 0);
      assert.deepEqual(await list(filter), { items: expected }, JSON.stringify(filter));
    }
  });

  test('without a filter all installations are listed by their ids, on every page', async () => {
    const sorted = installations.map(({ id }) => id).toSorted();
    const first = await list({ limit: 4 });
    const second = await list({ limit: 4, cursor: first.nextCursor });
    assert.deepEqual([first.prevCursor, second.nextCursor], [undefined, undefined]);
    assert.deepEqual(
      [...first.items, ...second.items].map(({ id }) => id),
      sorted,
    );
    assert.deepEqual(await list({ limit: 4, cursor: second.prevCursor }), first);
  });

  test('installations are listed by id, and unknown ids are skipped', async () => {
    const [one, two, three] = installations.map(({ id }) => id).toSorted() as [string, string, string];
    const ids = [three, newId('installation'), one, two];
    const first = await list({ ids, limit: 2 });
    const second = await list({ ids, limit: 2, cursor: first.nextCursor });
    assert.deepEqual(
      [...first.items, ...second.items].map(({ id }) => id),
      [one, two, three],
    );
    assert.deepEqual(await list({ ids, limit: 2, cursor: second.prevCursor }), first);
    assert.deepEqual(await list({ ids: [newId('installation')] }), { items: [] });
  });

  test('enabled and disabled installations are listed with their state', async () => {
    const [first] = those({ appId: apps[1].id }) as [Installation];
    const disabled = await setInstallationEnabled(fixture.registry, commandLine, { id: first.id, enabled: false });
    assert.deepEqual((await list({ appId: apps[1].id })).items[0], disabled);
    await setInstallationEnabled(fixture.registry, commandLine, { id: first.id, enabled: true });
  });

  test('the enabled and the disabled installations of an app are listed on contiguous pages', async () => {
    const app = await fixture.newApp({ status: 'APPROVED' });
    const ids: string[] = [];
    for (let at = 0; at < 7; at += 1) {
      const { id } = await fixture.install(app);
      ids.push(id);
      if (at % 3 === 0) await setInstallationEnabled(fixture.registry, commandLine, { id, enabled: false });
    }
    for (const enabled of [true, false]) {
      const found: string[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = await list({ appId: app.id, enabled, limit: 2, ...(cursor && { cursor }) });
        found.push(...page.items.map(({ id }) => id));
        assert.ok(page.items.every((item) => item.enabled === enabled) && page.items.length <= 2);
        cursor = page.nextCursor;
        if (cursor === undefined) break;
      }
      assert.deepEqual(
        found,
        ids.filter((_, at) => (at % 3 !== 0) === enabled),
      );
    }
    const { workspaceId } = (await list({ appId: app.id, limit: 1 })).items[0] ?? assert.fail();
    assert.equal((await list({ workspaceId, enabled: false })).items.length, 1);
    assert.equal((await list({ workspaceId, enabled: true })).items.length, 0);
  });

  test('a search reads a bounded number of installations for each page, and continues on the next', async () => {
    const { id: appId } = await fixture.newApp({ status: 'APPROVED' });
    const rows = Array.from({ length: searchedMax + 1 }, (_, at) =>
      installationRow({
        id: newId('installation'),
        app_id: appId,
        workspace_id: newId('workspace'),
        enabled: at === searchedMax ? 0 : 1,
        disabled_by: at === searchedMax ? 'workspace' : null,
        created_at: at,
      }),
    );
    await fixture.registry.storage.write((transaction) => transaction.insertNew('installations', rows));
    const page = await list({ appId, enabled: false });
    assert.deepEqual(page.items, []);
    const next = await list({ appId, enabled: false, cursor: page.nextCursor });
    assert.deepEqual(
      next.items.map(({ id }) => id),
      [rows.at(-1)?.id],
    );
    assert.equal(next.nextCursor, undefined);
  });

  test('pages lead forwards and backwards, and have at most the requested size', async () => {
    const filter = { userId: users[1], limit: 3 };
    const first = await list(filter);
    assert.deepEqual([first.items, first.prevCursor], [byApp(those({ userId: users[1] })).slice(0, 3), undefined]);
    const second = await list({ ...filter, cursor: first.nextCursor });
    assert.deepEqual([second.items, second.nextCursor], [byApp(those({ userId: users[1] })).slice(3), undefined]);
    assert.deepEqual((await list({ ...filter, cursor: second.prevCursor })).items, first.items);
  });

  test('the installations of an app are ordered by creation on every page, including imported ones', async () => {
    const app = await fixture.newApp({ status: 'APPROVED' });
    const imported = ['2024-05-01', '2023-05-01', '2025-05-01'].map((day) => ({
      ...installationOf(app.id),
      createdAt: `${day}T00:00:00.000Z`,
    }));
    await importText(fixture.registry, imported.map((line) => JSON.stringify(line)).join('\n'));
    const sorted = imported.toSorted((one, other) => (one.createdAt < other.createdAt ? -1 : 1)).map(({ id }) => id);
    const filter = { appId: app.id, limit: 2 };
    const first = await list(filter);
    const second = await list({ ...filter, cursor: first.nextCursor });
    assert.deepEqual(
      [...first.items, ...second.items].map(({ id }) => id),
      sorted,
    );
    assert.deepEqual(await list({ ...filter, cursor: second.prevCursor }), first);
  });

  test('an app without installations has an empty list', async () => {
    for (const filter of [{ appId: newId('app') }, { workspaceId: newId('workspace') }, { userId: newId('user') }]) {
      assert.deepEqual(await list(filter), { items: [] });
    }
  });

  test('invalid ids, ids with a filter, too many of them and unknown parameters are refused', async () => {
    const refused = async (query: object) =>
      validationErrorsOf(await assertRefused(fixture.registry, () => list(query), 'invalid_content'));
    assert.deepEqual(await refused({ ids: [] }), ['ids too_short']);
    assert.deepEqual(await refused({ ids: [newId('installation'), newId('app')] }), ['ids invalid_format']);
    const [id, appId] = [newId('installation'), apps[0].id];
    assert.deepEqual(await refused({ ids: [id], appId }), ['ids not_allowed']);
    assert.deepEqual(await refused({ ids: [id, id] }), ['ids not_allowed']);
    assert.deepEqual(await refused({ ids: Array.from({ length: 101 }, () => newId('installation')) }), [
      'ids too_long',
    ]);
    const { nextCursor: cursor } = await list({ limit: 1 });
    assert.deepEqual(await refused({ appId, cursor }), ['cursor invalid_format']);
    assert.deepEqual(await refused({ appId: 'x', workspaceId: 'no\u0000id', userId: newId('app') }), [
      'appId invalid_format',
      'workspaceId invalid_format',
      'userId invalid_format',
    ]);
    assert.deepEqual(await refused({ appId: apps[0].id, limit: 101 }), ['limit not_allowed']);
    assert.deepEqual(await refused({ appId: apps[0].id, cursor: 'nonsense' }), ['cursor invalid_format']);
    assert.deepEqual(await refused({ appId: apps[0].id, disabled: true }), ['disabled unknown_field']);
  });
});
