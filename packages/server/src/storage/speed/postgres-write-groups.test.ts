import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { postgres } from '@appregistrar/testkit/engines/engines';
import { alterDatabase, emptiedStorage, execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import {
  backendOf,
  delayCommits,
  raise,
  terminate,
  terminateInCommit,
} from '../../../test/storage/postgres-backends.ts';
import { appRow, developerRow, installationRow, storeDevelopers } from '../../../test/storage/sample-rows.ts';
import { findApp, findAppForUpdate, insertApp, updateInstallationCount } from '../../features/apps/app-queries.ts';
import { listDevelopersForUpdate } from '../../features/developers/developer-queries.ts';
import { insertInstallation } from '../../features/installations/installation-queries.ts';
import { openStorage } from '../open-storage.ts';
import { type Connection, defineInsert } from '../query.ts';
import type { Storage, WriteWork } from '../storage.ts';
import { NotUnique, StorageUnavailable, UnknownOutcome } from '../storage-failure.ts';
import { groupWrites } from './postgres-write-groups.ts';

const insertDeveloper = defineInsert('developers');
const appId = 'app_1';

describe('writes that lock the same row', () => {
  const onStorage = emptiedStorage(postgres);

  onStorage('share transactions, and all count', async (storage) => {
    await insertApps(storage);
    const commits = commitsOf(storage);
    await Promise.all(Array.from({ length: 200 }, () => onApp(storage, countUp)));
    assert.equal(await countOf(storage), 200);
    assert.ok(commits() < 200, 'each had a transaction of its own');
  });

  onStorage('do not wait for those that lock another row', async (storage) => {
    await insertApps(storage);
    await onApp(storage, async (transaction) => {
      await countUp(transaction);
      const write = storage.write((other) => countUp(other, 'app_2'), { groupKey: 'app_2' });
      await write;
    });
    assert.deepEqual([await countOf(storage), await countOf(storage, 'app_2')], [1, 1]);
  });

  onStorage('undo only the one that fails after a change', async (storage) => {
    await insertApps(storage);
    await storeDevelopers(storage, 'taken');
    const refusal = new Error('changed its mind');
    const taken = developerRow({ user_id: 'taken' });
    const outcomes = await together(storage, [
      countUp,
      (transaction) => countUp(transaction).then(() => Promise.reject(refusal)),
      countUp,
      (transaction) => countUp(transaction).then(() => insertDeveloper(transaction, taken)),
      (transaction) => countUp(transaction).then(() => insertDeveloper(transaction, taken).then(null, () => {})),
      countUp,
    ]);
    const reasons = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason);
    assert.deepEqual(
      reasons.map((reason) => reason instanceof NotUnique),
      [false, false, false, true, false, false],
    );
    assert.equal(reasons[1], refusal);
    assert.match(String(reasons[4]), /a statement failed in the transaction/);
    assert.deepEqual([reasons[0], reasons[2], reasons[5]], [false, false, false]);
    assert.equal(await countOf(storage), 3);
  });

  // PostgreSQL looks up the developer of an app again when a transaction changes it a second time.
  storageTest(postgres, 'do not wait for a write that locks the developer of the app', async (storage, url) => {
    await insertApps(storage);
    await alterDatabase(storage, url, "set lock_timeout = '5s'");
    const other = await openStorage(url);
    await storage.write(async (transaction) => {
      await listDevelopersForUpdate(transaction, [developerRow().user_id]);
      const outcomes = await together(other, [countUp, countUp]);
      assert.ok(outcomes.every(({ status }) => status === 'fulfilled'));
    });
    assert.equal(await countOf(storage), 2);
    await other.close();
  });

  onStorage('are not executed again for one that is refused before it changes anything', async (storage) => {
    await insertApps(storage);
    let runs = 0;
    const outcomes = await together(storage, [
      async (transaction) => countUp(transaction).then(() => (runs += 1)),
      (transaction) => findAppForUpdate(transaction, { id: appId }).then(() => Promise.reject(new Error('refused'))),
      async (transaction) => countUp(transaction).then(() => (runs += 1)),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual([runs, await countOf(storage)], [2, 2]);
  });

  onStorage('are refused only once the reason for the refusal can be read', async (storage) => {
    await insertApps(storage);
    const install = async (transaction: Connection) => {
      await countUp(transaction);
      await insertInstallation(transaction, installationRow());
    };
    const refuse = async (transaction: Connection) => {
      const app = await findAppForUpdate(transaction, { id: appId });
      if (app?.installation_count === 1) throw new Error('installed already');
    };
    const counts: Promise<number | undefined>[] = [];
    await heldUp(storage.write.bind(storage), () => [
      onApp(storage, install),
      ...Array.from({ length: 3 }, () => {
        const count = onApp(storage, refuse).then(
          () => undefined,
          () => countOf(storage),
        );
        counts.push(count);
        return count;
      }),
    ]);
    assert.deepEqual(await Promise.all(counts), [1, 1, 1]);
  });

  onStorage('are executed in order, and each sees all effects of the earlier ones', async (storage) => {
    await insertApps(storage);
    const seen: (number | undefined)[] = [];
    const work = async (transaction: Connection) => {
      seen.push((await findAppForUpdate(transaction, { id: appId }))?.installation_count);
      await countUp(transaction);
    };
    await together(storage, Array(20).fill(work));
    assert.deepEqual(seen, [...Array(20).keys()]);
  });
});

describe('a shared transaction', () => {
  const onStorage = emptiedStorage(postgres);

  onStorage('is executed again after a deadlock and a serialization failure', async (storage) => {
    await insertApps(storage);
    let isLost = false;
    const lose = async (transaction: Connection) => {
      await countUp(transaction);
      if (isLost) return;
      isLost = true;
      await raise(transaction, '40P01');
    };
    await together(storage, [countUp, lose, countUp]);
    assert.deepEqual([isLost, await countOf(storage)], [true, 3]);
  });

  storageTest(postgres, 'with a savepoint for each write is executed again after a deadlock too', async (storage) => {
    await insertApps(storage);
    let runs = 0;
    const lose = async (transaction: Connection) => {
      await countUp(transaction);
      runs += 1;
      if (runs !== 2) return;
      const lost = raise(transaction, '40P01');
      // Both fail, and the work with the error of the one that was refused.
      await Promise.all([lost.then(null, () => new Promise(() => {})), execute(transaction, 'select 1')]);
    };
    const refuse = (transaction: Connection) => countUp(transaction).then(() => Promise.reject(new Error('refused')));
    const outcomes = await together(storage, [countUp, lose, refuse]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected'],
    );
    assert.deepEqual([runs, await countOf(storage)], [3, 2]);
  });

  storageTest(postgres, 'is executed again without names when a prepared statement is lost', async (_, url) => {
    const storage = await openStorage(url);
    await insertApps(storage);
    await onApp(storage, countUp);
    const forget = async (transaction: Connection) => {
      await execute(transaction, 'deallocate all');
    };
    const outcomes = await together(storage, [countUp, forget, countUp]);
    assert.ok(outcomes.every(({ status }) => status === 'fulfilled'));
    assert.equal(await countOf(storage), 3);
    await storage.close();
  });

  onStorage('that loses its connection before the commit stores nothing of any write', async (storage) => {
    await insertApps(storage);
    const end = async (transaction: Connection) => terminate(storage, await backendOf(transaction));
    const outcomes = await together(storage, [countUp, end, countUp]);
    for (const outcome of outcomes) {
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof StorageUnavailable, String(outcome));
    }
    assert.equal(await countOf(storage), 0);
    await onApp(storage, countUp);
  });

  storageTest(
    postgres,
    'that loses its connection during the commit has an unknown outcome for all',
    async (storage) => {
      await insertApps(storage);
      await delayCommits(storage, 'apps', 9);
      const backend = Promise.withResolvers<number>();
      const report = async (transaction: Connection) => {
        backend.resolve(await backendOf(transaction));
        await countUp(transaction);
      };
      const refuse = () => Promise.reject(new Error('refused'));
      const writes = together(storage, [report, refuse, countUp]);
      await terminateInCommit(storage, await backend.promise);
      for (const outcome of await writes) {
        assert.ok(outcome.status === 'rejected' && outcome.reason instanceof UnknownOutcome, String(outcome));
      }
    },
  );
});

/** Executes writes of one app in one transaction, however long it takes, as far as none fails. */
async function together(storage: Storage, works: WriteWork<unknown>[]): Promise<PromiseSettledResult<unknown>[]> {
  const write = groupWrites(storage.write.bind(storage), Number.POSITIVE_INFINITY);
  const settled: Promise<PromiseSettledResult<unknown>[]>[] = [];
  await heldUp(write, () => {
    settled.push(Promise.allSettled(works.map((work) => write(work, { groupKey: appId }))));
    return settled;
  });
  return (await settled[0]) ?? [];
}

/** Begins writes while another one of the app is in progress. */
async function heldUp(write: Storage['write'], begin: () => Promise<unknown>[]): Promise<void> {
  let begun: Promise<unknown>[] = [];
  const work = async () => {
    begun = begin();
  };
  await write(work, { groupKey: appId });
  await Promise.all(begun);
}

function onApp<Result>(storage: Storage, work: WriteWork<Result>): Promise<Result> {
  return storage.write(work, { groupKey: appId });
}

async function countUp(transaction: Connection, id: unknown = appId): Promise<void> {
  const app = await findAppForUpdate(transaction, { id: typeof id === 'string' ? id : appId });
  assert.ok(app);
  await updateInstallationCount(transaction, { id: app.id, by: 1, revisionNonce: 'nonce' });
}

async function countOf(storage: Storage, id = appId): Promise<number> {
  return (await findApp(storage.reader, { id }))?.installation_count ?? 0;
}

/** The number of commits from now on. */
function commitsOf(storage: Storage): () => number {
  let commits = 0;
  storage.observe({ committed: () => (commits += 1), waited() {}, timelineChanged() {} });
  return () => commits;
}

async function insertApps(storage: Storage): Promise<void> {
  await storage.write(async (transaction) => {
    await insertDeveloper(transaction, developerRow());
    for (const id of [appId, 'app_2']) await insertApp(transaction, appRow({ id, name_claim: id }));
  });
}
