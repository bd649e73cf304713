import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CopiedInstallation } from './change.ts';
import { InstallationIndex } from './installation-index.ts';

const installation = (id: string, workspaceId = 'workspace_1', appId = 'app_1'): CopiedInstallation => ({
  ...{ id, appId, workspaceId, userId: 'user_1' },
  ...{ createdAt: '2026-11-21T12:00:00.000Z', updatedAt: '2026-11-21T12:00:00.000Z', etag: '"1"', enabled: true },
});

test('the removal of an earlier installation leaves the later one of the same app and workspace', () => {
  const index = new InstallationIndex();
  const [earlier, later] = [installation('installation_1'), installation('installation_2')];
  index.set(earlier);
  index.set(later);
  index.delete(earlier.id);
  assert.equal(index.find('app_1', 'workspace_1'), later);
  assert.deepEqual(index.list({ workspaceId: 'workspace_1' }), [later]);
  assert.deepEqual(index.list({ appId: 'app_1' }), [later]);
  assert.deepEqual(index.list({}), [later]);
});

test('an installation that is added again, also in another workspace, is stored once', () => {
  const index = new InstallationIndex();
  index.set(installation('installation_1'));
  const moved = installation('installation_1', 'workspace_2', 'app_2');
  index.set(moved);
  assert.equal(index.find('app_1', 'workspace_1'), undefined);
  assert.equal(index.find('app_2', 'workspace_2'), moved);
  assert.deepEqual([index.list({ workspaceId: 'workspace_1' }), index.list({ appId: 'app_1' })], [[], []]);
  assert.deepEqual([...index.keys()], ['installation_1']);
  index.delete('installation_1');
  index.delete('installation_1');
  assert.deepEqual(index.list({}), []);
});
