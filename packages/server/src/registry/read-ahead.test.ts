import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import type { OperatorApp } from '../contract/operator-app.ts';
import type { Reader } from '../storage/statement.ts';
import type { Storage } from '../storage/storage.ts';
import { deleteApp } from './apps/delete-app.ts';
import { transferApp } from './apps/transfer-app.ts';
import { updateApp } from './apps/update-app.ts';
import { updateAppAsOperator } from './apps/update-app-as-operator.ts';
import { createInstallation } from './installations/create-installation.ts';
import { deleteInstallation } from './installations/delete-installation.ts';
import { setInstallationEnabled } from './installations/set-installation-enabled.ts';
import { commandLine as by, type Registry } from './registry.ts';
import { reviewApp } from './review/review-app.ts';
import { revertApp } from './revisions/revert-app.ts';
import { newId } from './type-id.ts';

const update = { listingInfo: { shortDescription: 'New' } };

const operations: Record<string, (registry: Registry, given: Given) => Promise<unknown>> = {
  updateApp: (registry, { app: { id: appId, developerId } }) => updateApp(registry, by, { appId, developerId, update }),
  updateAppAsOperator: (registry, { app }) => updateAppAsOperator(registry, by, { appId: app.id, update }),
  reviewApp: (registry, { app }) =>
    reviewApp(registry, by, { appId: app.id, step: 'revoke', details: { reason: 'The address is gone.' } }),
  revertApp: (registry, { app }) => revertApp(registry, by, { appId: app.id, revert: { toApproved: true } }),
  transferApp: (registry, { app, otherDeveloperId: developerId }) =>
    transferApp(registry, by, { appId: app.id, transfer: { developerId } }),
  deleteApp: (registry, { app }) => deleteApp(registry, by, { appId: app.id, force: true }),
  createInstallation: (registry, { app }) =>
    createInstallation(registry, by, { appId: app.id, workspaceId: newId('workspace'), userId: newId('user') }),
  deleteInstallation: (registry, { installationId }) => deleteInstallation(registry, by, installationId),
  setInstallationEnabled: (registry, { installationId: id }) =>
    setInstallationEnabled(registry, by, { id, enabled: false }),
};

interface Given {
  app: OperatorApp;
  installationId: string;
  otherDeveloperId: string;
}

test('on SQLite, the pages that a write of an app needs are read in advance', async () => {
  const fixture = await RegistryFixture.open(sqlite);
  try {
    for (const [name, operation] of Object.entries(operations)) {
      const app = await fixture.newApp({ status: 'APPROVED' });
      const { id: installationId } = await fixture.install(app);
      const given = { app, installationId, otherDeveloperId: fixture.otherDeveloper.userId };
      const { storage, isReadAhead } = recording(fixture.registry.storage);
      await operation({ ...fixture.registry, storage }, given);
      assert.deepEqual([name, isReadAhead()], [name, true]);
    }
  } finally {
    await fixture.close();
  }
});

/** The storage, and whether the pages of an app were read before its first write. A storage of its own knows no apps. */
function recording(storage: Storage): { storage: Storage; isReadAhead: () => boolean } {
  const steps: string[] = [];
  const rows: Reader['rows'] = (statement) => {
    if (statement.sql.includes('indexed by "apps_in_state"')) steps.push('read');
    return storage.reader.rows(statement);
  };
  const write: Storage['write'] = (...work) => {
    steps.push('write');
    return storage.write(...work);
  };
  const reader = Object.create(storage.reader, { rows: { value: rows }, builder: { value: storage.reader.builder } });
  return {
    storage: Object.create(storage, {
      engine: { value: storage.engine },
      reader: { value: reader },
      write: { value: write },
    }),
    isReadAhead: () => steps[0] === 'read' && steps.includes('write'),
  };
}
