import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sqliteInMemory } from '@appregistrar/testkit/engines/engines';
import { emptiedStorage, execute, forEachStorage } from '@appregistrar/testkit/storage/storage-test';
import { appRow, developerRow, sampleRows } from '../../test/storage/sample-rows.ts';
import { updateRevokedAt } from '../features/access/access-queries.ts';
import { deleteApp, updateInstallationCount } from '../features/apps/app-queries.ts';
import { replaceDeveloper } from '../features/developers/developer-queries.ts';
import { openStorage } from './open-storage.ts';
import type { Connection } from './query.ts';
import { BatchLoader, type LookupKeys, type LookupResults } from './request-lookups.ts';
import type { Storage } from './storage.ts';

/** The revision of a sample app at first, and after changes with the nonce `s`. */
const first = '1.nonce_1.live.nonce_1';
const changed = (count: number) => `${count}.s.live.nonce_1`;

forEachStorage((engine) => {
  const onStorage = emptiedStorage(engine);

  onStorage('a result is never older than what this or another process has acknowledged', async (storage, url) => {
    await insertSample(storage);
    // Another storage of the file or server is like that of a different process.
    const other = engine === sqliteInMemory ? storage : await openStorage(url);
    for (let count = 2; count <= 12; count += 1) {
      const writer = count % 2 === 0 ? storage : other;
      await writer.write(async (transaction) => {
        await countUp(transaction);
        await updateRevokedAt(transaction, { id: 'token_1', revokedAt: count });
      });
      assert.equal((await storage.requestLookups.findToken('aa'))?.revoked_at, count);
      // A change of the developer alone.
      const developer = developerRow({ revision_nonce: String(count) });
      await writer.write((transaction) => replaceDeveloper(transaction, developer));
      assert.equal(await storage.requestLookups.findPlatformRevision('app_1'), `${count}.s.live.${count}`);
    }
    if (other !== storage) await other.close();
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

  onStorage('any number of rows is looked up together', async (storage) => {
    const ids = Array.from({ length: 2_500 }, (_, at) => `app_${at}`);
    await storage.write(async (transaction) => {
      await transaction.insertNew('developers', [developerRow()]);
      const rows = ids.map((id, at) => appRow({ id, name_claim: null, platform_revision: at }));
      await transaction.insertNew('apps', rows);
    });
    const revisions = await Promise.all(ids.map((id) => storage.requestLookups.findPlatformRevision(id)));
    assert.deepEqual(
      revisions,
      ids.map((_, at) => first.replace('1', String(at))),
    );
  });

  onStorage(
    'no result includes uncommitted changes, and each includes those committed beside them',
    async (storage) => {
      await insertSample(storage);
      let during: Promise<string | null> | undefined;
      const refused = storage.write(async (transaction) => {
        await countUp(transaction);
        during = storage.requestLookups.findPlatformRevision('app_1');
        for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
        throw new Error('given up');
      });
      await assert.rejects(refused, /given up/);
      assert.deepEqual([await during, await storage.requestLookups.findPlatformRevision('app_1')], [first, first]);
      const other = storage.write((transaction) =>
        countUp(transaction).then(() => Promise.reject(new Error('refused'))),
      );
      await Promise.all([assert.rejects(other, /refused/), storage.write(countUp)]);
      assert.equal(await storage.requestLookups.findPlatformRevision('app_1'), changed(2));
    },
  );
});

async function countUp(transaction: Connection): Promise<void> {
  await updateInstallationCount(transaction, { id: 'app_1', by: 1, revisionNonce: 's' });
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
    await transaction.insertNew('developers', [developerRow()]);
    await transaction.insertNew('apps', [appRow()]);
    await transaction.insertNew('access_tokens', sampleRows.access_tokens.slice(0, 1));
  });
}
