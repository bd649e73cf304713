import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getAppAsOperator } from '@appregistrar/testkit/calls/apps';
import {
  createInstallation,
  deleteInstallation,
  deleteWorkspaceInstallations,
  listInstallations,
} from '@appregistrar/testkit/calls/installations';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import {
  assertRefused,
  contentOf,
  eventsDuring,
  rowsOf,
  validationErrorsOf,
} from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import { completeContent } from '../apps/app-content.ts';
import { insertApp, updateInstallationCount } from '../apps/app-queries.ts';
import type { OperatorApp } from '../apps/app-schemas.ts';
import { getApp, readAppRevision } from '../apps/get-app.ts';
import { newAppRow } from '../apps/next-app.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  after(() => fixture.close());

  const remove = (workspaceId: string) => deleteWorkspaceInstallations(fixture.registry, commandLine, workspaceId);
  const install = (app: OperatorApp, workspaceId: string) =>
    createInstallation(fixture.registry, commandLine, { appId: app.id, workspaceId, userId: app.developerId });

  test('all installations of a workspace are removed and counted, and those of others remain', async () => {
    const apps = [await fixture.newApp(), await fixture.newApp({ status: 'APPROVED' })] as const;
    const [leaving, remaining] = [newId('workspace'), newId('workspace')];
    for (const app of apps) await install(app, leaving);
    const stays = await install(apps[0], remaining);
    const revision = Number.parseInt(await readAppRevision(fixture.registry, apps[0].id), 10);
    assert.deepEqual(await remove(leaving), { workspaceId: leaving, installationsDeleted: 2 });
    assert.deepEqual((await getApp(fixture.registry, apps[0].id)).app.installations, [contentOf(stays)]);
    assert.deepEqual((await getApp(fixture.registry, apps[1].id)).app.installations, []);
    const counts = await Promise.all(
      apps.map(async ({ id }) => (await getAppAsOperator(fixture.registry, id)).installationCount),
    );
    assert.deepEqual(counts, [1, 0]);
    assert.equal(Number.parseInt(await readAppRevision(fixture.registry, apps[0].id), 10), revision + 1);
  });

  test('each removal has its event', async () => {
    const app = await fixture.newApp();
    const workspaceId = newId('workspace');
    const { id, userId } = await install(app, workspaceId);
    const [event, ...others] = await eventsDuring(fixture.registry, () => remove(workspaceId));
    assert.deepEqual(others, []);
    assert.deepEqual(
      [event?.type, event?.app_id, event?.subject_id, event?.before, event?.after],
      ['installation.deleted', app.id, id, { workspaceId, userId, enabled: true }, null],
    );
  });

  test('removing the installations of a workspace without any changes nothing', async () => {
    const workspaceId = newId('workspace');
    const before = await rowsOf(fixture.registry.storage, 'events');
    assert.deepEqual(await remove(workspaceId), { workspaceId, installationsDeleted: 0 });
    assert.deepEqual(await rowsOf(fixture.registry.storage, 'events'), before);
  });

  test('the workspace may be a bare UUID, and an invalid id is refused', async () => {
    const { workspaceId } = await remove('01957a3c-6f0e-7cc2-9b1d-2f4f0f6d3a11');
    assert.match(workspaceId, /^workspace_/);
    for (const id of ['', 'home', newId('user'), 'no\u0000id']) {
      const refusal = await assertRefused(fixture.registry, () => remove(id), 'invalid_content');
      assert.deepEqual(validationErrorsOf(refusal), ['/workspaceId invalid_format']);
    }
  });

  test('concurrent removals of workspaces and of single installations neither deadlock nor miscount', async () => {
    const apps = await Promise.all(Array.from({ length: 5 }, () => fixture.newApp()));
    const workspaces = Array.from({ length: 6 }, () => newId('workspace'));
    for (const app of apps) for (const workspace of workspaces) await install(app, workspace);
    const { items } = await listInstallations(fixture.registry, { workspaceId: workspaces[0] });
    const single = items.map(({ id }) => deleteInstallation(fixture.registry, commandLine, id).catch(() => {}));
    const removed = await Promise.all(workspaces.map((workspace) => remove(workspace)));
    await Promise.all(single);
    assert.deepEqual(
      removed.slice(1).map(({ installationsDeleted }) => installationsDeleted),
      [5, 5, 5, 5, 5],
    );
    for (const { id } of apps) assert.equal((await getAppAsOperator(fixture.registry, id)).installationCount, 0);
  });

  test('1,500 apps are removed in batches', async () => {
    const { registry } = fixture;
    const workspaceId = newId('workspace');
    const rows = Array.from({ length: 1_500 }, (_, index) =>
      newAppRow(registry, {
        id: newId('app'),
        developerId: fixture.developer.id,
        content: completeContent({ name: `Many ${index}` }),
      }),
    );
    await registry.storage.write(async (transaction) => {
      for (const row of rows) await insertApp(transaction, row);
      await transaction.insertNew(
        'installations',
        rows.map(({ id }) => ({
          id: newId('installation'),
          app_id: id,
          workspace_id: workspaceId,
          user_id: fixture.developer.id,
          enabled: 1 as const,
          disabled_by: null,
          created_at: 0,
          updated_at: null,
        })),
      );
      for (const { id } of rows) await updateInstallationCount(transaction, { id, by: 1, revisionNonce: 'nonce' });
    });
    assert.equal((await remove(workspaceId)).installationsDeleted, 1_500);
    const counts = (await rowsOf(registry.storage, 'apps')).map(({ id, installation_count }) => [
      id,
      installation_count,
    ]);
    const expected = new Set(rows.map(({ id }) => id));
    assert.deepEqual(
      counts.filter(([id, count]) => expected.has(String(id)) && count !== 0),
      [],
    );
  });
});
