import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forEachEngine, sqliteInMemory } from '@appregistrar/testkit/engines/engines';
import { emptiedStorage, execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { appRow, developerRow, sampleRows } from '../../test/storage/sample-rows.ts';
import { updateRevokedAt } from '../features/access/access-queries.ts';
import {
  deleteApp,
  insertApp,
  updateInstallationCount,
  updateInstallationCounts,
} from '../features/apps/app-queries.ts';
import { replaceDeveloper } from '../features/developers/developer-queries.ts';
import { openStorage } from './open-storage.ts';
import { defineInsert } from './query.ts';
import { BatchLoader, type LookupKeys, type LookupResults } from './request-lookups.ts';
import type { Storage } from './storage.ts';

const insertDeveloper = defineInsert('developers');

forEachEngine((engine) => {
  storageTest(engine, 'a result is never older than what another process has acknowledged', async (storage, url) => {
    await insertSample(storage);
    // Another storage of the file or server is like that of a different process.
    const other = await openStorage(url);
    for (let count = 2; count <= 12; count += 1) {
      await other.write(async (transaction) => {
        await updateInstallationCount(transaction, { id: 'app_1', by: 1, revisionNonce: 's' });
        await updateRevokedAt(transaction, { id: 'token_1', revokedAt: count });
      });
      assert.equal((await storage.requestLookups.findToken('aa'))?.revoked_at, count);
      // A change of the developer alone.
      const developer = developerRow({ revision_nonce: String(count) });
      await other.write((transaction) => replaceDeveloper(transaction, developer));
      assert.equal(await storage.requestLookups.findPlatformRevision('app_1'), `${count}.s.live.${count}`);
    }
    await other.close();
  });
});

/** The revision of a sample app at first, and after changes with the nonce `s`. */
const first = '1.nonce_1.live.nonce_1';
const changed = (count: number) => `${count}.s.live.nonce_1`;

for (const engine of [sqliteInMemory]) describe(engine.name, () => ownWrites(engine));
forEachEngine(ownWrites);

function ownWrites(engine: Parameters<typeof storageTest>[0]): void {
  const onStorage = emptiedStorage(engine);

  onStorage('every write of this process is in the next result', async (storage) => {
    await insertSample(storage);
    for (let count = 1; count <= 10; count += 1) {
      assert.equal(await storage.requestLookups.findPlatformRevision('app_1'), count === 1 ? first : changed(count));
      await storage.write((transaction) =>
        updateInstallationCount(transaction, { id: 'app_1', by: 1, revisionNonce: 's' }),
      );
    }
    assert.equal((await storage.requestLookups.findToken('aa'))?.revoked_at, null);
    await storage.write((transaction) => updateRevokedAt(transaction, { id: 'token_1', revokedAt: 5 }));
    assert.equal((await storage.requestLookups.findToken('aa'))?.revoked_at, 5);
  });

  onStorage('a missing or deleted row is null', async (storage) => {
    const { requestLookups } = storage;
    const found = () => Promise.all([requestLookups.findToken('aa'), requestLookups.findPlatformRevision('app_1')]);
    assert.deepEqual(await found(), [null, null]);
    await insertSample(storage);
    const [token, revision] = await found();
    assert.deepEqual([token?.id, revision], ['token_1', first]);
    await storage.write(async (transaction) => {
      await deleteApp(transaction, { id: 'app_1' });
      await execute(transaction, `delete from access_tokens where id = 'token_1'`);
    });
    assert.deepEqual(await found(), [null, null]);
  });

  onStorage('a write that changes many apps is in the next result of each', async (storage) => {
    const ids = Array.from({ length: 2_500 }, (_, at) => `app_${at}`);
    await storage.write(async (transaction) => {
      await insertDeveloper(transaction, developerRow());
      const rows = ids.map((id) => appRow({ id, name_claim: null }));
      await transaction.insertNew('apps', rows);
    });
    for (const revision of [first, changed(2), changed(3)]) {
      const revisions = await Promise.all(ids.map((id) => storage.requestLookups.findPlatformRevision(id)));
      assert.deepEqual([...new Set(revisions)], [revision]);
      await storage.write((transaction) => updateInstallationCounts(transaction, { ids, by: 0, revisionNonce: 's' }));
    }
  });

  onStorage('a change of a developer is in the next result of each of their apps', async (storage) => {
    for (const [developer, count] of [
      ['user_few', 3],
      ['user_many', 1_500],
    ] as const) {
      const ids = Array.from({ length: count }, (_, at) => `app_${developer}_${at}`);
      await storage.write(async (transaction) => {
        await insertDeveloper(transaction, developerRow({ user_id: developer }));
        const rows = ids.map((id) => appRow({ id, developer_id: developer, name_claim: null }));
        await transaction.insertNew('apps', rows);
      });
      for (const revisionNonce of ['nonce_1', 'nonce_2', 'nonce_3']) {
        const row = developerRow({ user_id: developer, revision_nonce: revisionNonce });
        await storage.write((transaction) => replaceDeveloper(transaction, row));
        const revisions = await Promise.all(ids.map((id) => storage.requestLookups.findPlatformRevision(id)));
        assert.deepEqual([...new Set(revisions)], [`1.nonce_1.live.${revisionNonce}`]);
      }
    }
  });

  onStorage('a write that shares its commit with a failed one is in the next result', async (storage) => {
    await insertSample(storage);
    for (let count = 1; count <= 5; count += 1) {
      assert.equal(await storage.requestLookups.findPlatformRevision('app_1'), count === 1 ? first : changed(count));
      const refused = storage.write(async (transaction) => {
        await updateInstallationCount(transaction, { id: 'app_1', by: 1, revisionNonce: 's' });
        throw new Error('given up');
      });
      const done = storage.write((transaction) =>
        updateInstallationCount(transaction, { id: 'app_1', by: 1, revisionNonce: 's' }),
      );
      await assert.rejects(refused, /given up/);
      await done;
    }
  });

  onStorage('no result includes uncommitted changes', async (storage) => {
    await insertSample(storage);
    let during: Promise<string | null> | undefined;
    await assert.rejects(
      storage.write(async (transaction) => {
        await updateInstallationCount(transaction, { id: 'app_1', by: 1, revisionNonce: 's' });
        during = storage.requestLookups.findPlatformRevision('app_1');
        for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
        throw new Error('given up');
      }),
      /given up/,
    );
    assert.deepEqual([await during, await storage.requestLookups.findPlatformRevision('app_1')], [first, first]);
  });
}

describe('the lookups of one event loop iteration', () => {
  test('run together and once, after the last of them', async () => {
    const { requestLookups, batches, resolve } = observedLookups(1);
    const results = [requestLookups.findPlatformRevision('app_1'), requestLookups.findToken('aa')];
    await Promise.resolve();
    results.push(requestLookups.findPlatformRevision('app_1'), requestLookups.findPlatformRevision('app_2'));
    assert.deepEqual(batches, []);
    await nextTurn();
    assert.deepEqual(batches, [{ hashes: ['aa'], appIds: ['app_1', 'app_2'] }]);
    resolve({ app_1: '5' });
    assert.deepEqual(await Promise.all(results), ['5', null, '5', null]);
  });

  test('never get the results of an earlier batch', async () => {
    const { requestLookups, batches, resolve } = observedLookups(2);
    const first = requestLookups.findPlatformRevision('app_1');
    await nextTurn();
    const second = requestLookups.findPlatformRevision('app_1');
    await nextTurn();
    const third = requestLookups.findPlatformRevision('app_1');
    await nextTurn();
    assert.equal(batches.length, 2);
    resolve({ app_1: '1' });
    assert.equal(await first, '1');
    await nextTurn();
    assert.equal(batches.length, 3);
    resolve({ app_1: '2' });
    resolve({ app_1: '3' });
    assert.deepEqual(await Promise.all([second, third]), ['2', '3']);
  });

  test('run once, also when the batch before them ends before they are due', async () => {
    const { requestLookups, batches, resolve } = observedLookups(2);
    const first = requestLookups.findPlatformRevision('app_1');
    await nextTurn();
    const second = requestLookups.findPlatformRevision('app_2');
    resolve({ app_1: '1' });
    await first;
    await nextTurn();
    assert.equal(batches.length, 2);
    resolve({ app_2: '2' });
    assert.equal(await second, '2');
  });

  test('fail together, whether or not anything waits for them, and the next ones run', async () => {
    const { requestLookups, fail, resolve } = observedLookups(1);
    const refused = [requestLookups.findPlatformRevision('app_1'), requestLookups.findToken('aa')];
    void requestLookups.findPlatformRevision('app_2');
    await nextTurn();
    fail(new Error('lost'));
    for (const promise of refused) await assert.rejects(promise, /lost/);
    const next = requestLookups.findPlatformRevision('app_1');
    await nextTurn();
    resolve({ app_1: '7' });
    assert.equal(await next, '7');
  });

  test('fail with the batch that they wait for, instead of waiting as long again', async () => {
    const { requestLookups, batches, fail } = observedLookups(1);
    const lookups = [requestLookups.findPlatformRevision('app_1')];
    await nextTurn();
    lookups.push(requestLookups.findPlatformRevision('app_2'));
    fail(new Error('no response'));
    for (const lookup of lookups) await assert.rejects(lookup, /no response/);
    await nextTurn();
    assert.equal(batches.length, 1);
  });
});

/** Lookups whose batches a test resolves, in their order. */
function observedLookups(concurrentMax: number) {
  const batches: LookupKeys[] = [];
  const waiting: PromiseWithResolvers<LookupResults>[] = [];
  const requestLookups = new BatchLoader((queries) => {
    batches.push(queries);
    const results = Promise.withResolvers<LookupResults>();
    waiting.push(results);
    return results.promise;
  }, concurrentMax);
  return {
    requestLookups,
    batches,
    resolve: (revisions: Record<string, string>) =>
      waiting.shift()?.resolve({ tokens: new Map(), revisions: new Map(Object.entries(revisions)) }),
    fail: (error: Error) => waiting.shift()?.reject(error),
  };
}

async function nextTurn(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await new Promise(setImmediate);
}

async function insertSample(storage: Storage): Promise<void> {
  await storage.write(async (transaction) => {
    await insertDeveloper(transaction, developerRow());
    await insertApp(transaction, appRow());
    await transaction.insertNew('access_tokens', sampleRows.access_tokens.slice(0, 1));
  });
}
