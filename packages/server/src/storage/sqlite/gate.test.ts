import assert from 'node:assert/strict';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { insertApp, updateInstallationCount } from '../queries/apps.ts';
import { replaceDeveloper } from '../queries/developers.ts';
import { insert } from '../query.ts';
import type { Storage } from '../storage.ts';
import { appRow, developerRow } from '../testing/default-rows.ts';
import { storageTest } from '../testing/storage-test.ts';

const insertDeveloper = insert('developers');

storageTest(sqlite, 'a cached result does not wait for one that is read', async (storage) => {
  await insertSample(storage);
  await storage.gate.findPlatformRevision('app_1');
  const resolved: string[] = [];
  const find = async (id: string) => {
    await storage.gate.findPlatformRevision(id);
    resolved.push(id);
  };
  await Promise.all([find('app_2'), find('app_1')]);
  assert.deepEqual(resolved, ['app_1', 'app_2']);
});

storageTest(sqlite, 'a change of a developer evicts the results of their apps, and no others', async (storage) => {
  await insertSample(storage);
  const other = { id: 'app_3', name_claim: 'app_3', developer_id: 'user_2' };
  await storage.write(async (transaction) => {
    await insertDeveloper(transaction, developerRow({ user_id: 'user_2' }));
    await insertApp(transaction, appRow(other));
  });
  const found: string[] = [];
  const find = async (id: string) => {
    await storage.gate.findPlatformRevision(id);
    found.push(id);
  };
  await Promise.all([find('app_1'), find('app_3')]);
  const changed = developerRow({ revision_stamp: 'changed' });
  await storage.write((transaction) => replaceDeveloper(transaction, changed));
  found.length = 0;
  // A cached result does not wait for one that is read.
  await Promise.all([find('app_1'), find('app_3')]);
  assert.deepEqual(found, ['app_3', 'app_1']);
});

storageTest(sqlite, 'a result is not cached if its row changes while it is read', async (storage) => {
  await insertSample(storage);
  const change = () =>
    storage.write((transaction) => updateInstallationCount(transaction, { id: 'app_1', by: 1, stamp: 's' }));
  for (let round = 1; round <= 200; round += 1) {
    // Now it is not cached.
    await change();
    const found = storage.gate.findPlatformRevision('app_1');
    // So that the write falls into each part of the read.
    for (let turn = 0; turn < round % 6; turn += 1) await new Promise(setImmediate);
    await Promise.all([found, change()]);
    assert.equal(await storage.gate.findPlatformRevision('app_1'), `${1 + 2 * round}.s.live.stamp_1`);
  }
});

async function insertSample(storage: Storage): Promise<void> {
  await storage.write(async (transaction) => {
    await insertDeveloper(transaction, developerRow());
    for (const id of ['app_1', 'app_2']) await insertApp(transaction, appRow({ id, name_claim: id }));
  });
}
