import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { Installation } from '../contract/installation.ts';
import type { OperatorApp } from '../contract/operator-app.ts';
import { type InstallationFilter, listInstallationPage } from '../storage/installations.ts';
import type { PageRequest } from '../storage/page.ts';
import type { InstallationRow } from '../storage/tables.ts';
import { forEachEngine } from '../testing/engines.ts';
import { assertRefused, faultsOf } from '../testing/recorded.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';
import { createInstallation } from './create-installation.ts';
import { listInstallations } from './list-installations.ts';
import { commandLine } from './registry.ts';
import { setInstallationEnabled } from './set-installation-enabled.ts';
import { newId } from './type-id.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let apps: [OperatorApp, OperatorApp];
  const workspaces = [newId('workspace'), newId('workspace'), newId('workspace')] as const;
  const users = [newId('user'), newId('user')] as const;
  /** Each app in each workspace, by one user in the first and the other one elsewhere; in the order of ids. */
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

  test('the installations of an app, of a workspace, of a user, and of several, are listed', async () => {
    const [appId, workspaceId, userId] = [apps[0].id, workspaces[1], users[1]];
    for (const filter of [{ appId }, { workspaceId }, { userId }, { appId, userId }, { appId, workspaceId, userId }]) {
      const expected = those(filter);
      assert.ok(expected.length > 0);
      assert.deepEqual(await list(filter), { items: expected }, JSON.stringify(filter));
    }
  });

  test('both the enabled and the disabled are listed, as they are', async () => {
    const [first] = those({ appId: apps[1].id }) as [Installation];
    const disabled = await setInstallationEnabled(fixture.registry, commandLine, { id: first.id, enabled: false });
    assert.deepEqual((await list({ appId: apps[1].id })).items[0], disabled);
    await setInstallationEnabled(fixture.registry, commandLine, { id: first.id, enabled: true });
  });

  test('pages lead there and back, each of at most as many as asked for', async () => {
    const filter = { userId: users[1], limit: 3 };
    const first = await list(filter);
    assert.deepEqual([first.items, first.prevCursor], [those({ userId: users[1] }).slice(0, 3), undefined]);
    const second = await list({ ...filter, cursor: first.nextCursor });
    assert.deepEqual([second.items, second.nextCursor], [those({ userId: users[1] }).slice(3), undefined]);
    assert.deepEqual((await list({ ...filter, cursor: second.prevCursor })).items, first.items);
  });

  test('what nobody has installed is an empty list', async () => {
    for (const filter of [{ appId: newId('app') }, { workspaceId: newId('workspace') }, { userId: newId('user') }]) {
      assert.deepEqual(await list(filter), { items: [] });
    }
  });

  test('no filter, ids that are none, and parameters that are none, are refused', async () => {
    const refused = async (query: object) =>
      faultsOf(await assertRefused(fixture.registry, () => list(query), 'invalid_content'));
    assert.deepEqual(await refused({}), [' required']);
    assert.deepEqual(await refused({ limit: 5 }), [' required']);
    assert.deepEqual(await refused({ appId: 'x', workspaceId: 'no\u0000id', userId: newId('app') }), [
      '/appId invalid_format',
      '/workspaceId invalid_format',
      '/userId invalid_format',
    ]);
    assert.deepEqual(await refused({ appId: apps[0].id, limit: 101 }), ['/limit not_allowed']);
    assert.deepEqual(await refused({ appId: apps[0].id, cursor: 'nonsense' }), ['/cursor invalid_format']);
    assert.deepEqual(await refused({ appId: apps[0].id, enabled: true }), ['/enabled unknown_member']);
  });

  describe('an index of its own serves a page of', () => {
    const fillers: string[] = [];
    let middle: InstallationRow;
    before(() => fillUp());

    const filters: Record<string, () => InstallationFilter> = {
      'the installations of an app': () => ({ app_id: middle.app_id }),
      'the installations of a workspace': () => ({ workspace_id: middle.workspace_id }),
      'the installations of a user': () => ({ user_id: middle.user_id }),
    };
    for (const [what, filter] of Object.entries(filters)) {
      test(what, async () => {
        for (const position of [undefined, { side: 'after' as const, values: [middle.id] }]) {
          const plan = await planOf(filter(), { limit: 20, position });
          assert.match(
            plan,
            /using (covering )?index installations_of_|Index (Only )?Scan( Backward)? using installations_of_/i,
          );
          assert.doesNotMatch(plan, /\bsort\b|temp b-tree|seq scan|^scan|bitmap/im);
        }
      });
    }

    /** So many, of so many, that no other way to read a page is the better plan. */
    const fillUp = async () => {
      for (let made = 0; made < 100; made += 1) fillers.push((await fixture.newApp()).id);
      const newIds = (prefix: string) => Array.from({ length: 100 }, () => newId(prefix));
      const [someWorkspaces, someUsers] = [newIds('workspace'), newIds('user')];
      const rows = fillers.flatMap((app_id) =>
        someWorkspaces.map((workspace_id, index) => ({
          id: newId('installation'),
          app_id,
          workspace_id,
          user_id: someUsers[index] ?? '',
          enabled: 1 as const,
          created_at: index,
        })),
      );
      middle = rows[rows.length / 2] as InstallationRow;
      await fixture.registry.storage.write(async (transaction) => {
        await transaction.insertNew('installations', rows);
        await transaction.run(sql`analyze`.compile(transaction.builder));
      });
    };

    const planOf = async (filter: InstallationFilter, request: PageRequest) => {
      const { reader } = fixture.registry.storage;
      const explain = engine.name === 'postgres' ? 'explain' : 'explain query plan';
      const plan: object[] = [];
      await listInstallationPage(
        {
          builder: reader.builder,
          run: () => assert.fail('a list changes nothing'),
          insertNew: () => assert.fail('a list changes nothing'),
          rows: async (statement) => {
            plan.push(...(await reader.rows<object>({ ...statement, sql: `${explain} ${statement.sql}` })));
            return [];
          },
        },
        filter,
        request,
      );
      return plan.map((row) => ('detail' in row ? row.detail : Object.values(row)[0])).join('\n');
    };
  });
});
