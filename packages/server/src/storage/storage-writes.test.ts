import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { emptiedStorage, forEachStorage } from '@appregistrar/testkit/storage/storage-test';
import { appRow, developerRow, installationRow, sampleRows } from '../../test/storage/sample-rows.ts';
import { insertAccessToken } from '../features/access/access-queries.ts';
import { findApp, findAppForUpdate, insertApp, updateApp } from '../features/apps/app-queries.ts';
import { findDeveloper } from '../features/developers/developer-queries.ts';
import {
  deleteInstallationsInWorkspace,
  findInstallation,
  insertInstallation,
} from '../features/installations/installation-queries.ts';
import { openStorage } from './open-storage.ts';
import { type Connection, defineInsert } from './query.ts';
import type { Storage } from './storage.ts';
import { NotUnique, StorageUnavailable } from './storage-failure.ts';

const insertDeveloper = defineInsert('developers');
const insertProtectedName = defineInsert('protected_names');

/** A write is atomic and isolated. */
forEachStorage((engine) => {
  describe('writes', () => {
    const onStorage = emptiedStorage(engine);

    onStorage('a write returns the result of its work, which is then readable', async (storage) => {
      const result = await storage.write(async (transaction) => {
        await insertDeveloper(transaction, developerRow());
        return 'a result';
      });
      assert.equal(result, 'a result');
      assert.ok(await findDeveloper(storage.reader, { userId: 'user_1' }));
    });

    onStorage('a write that throws gives its own error and leaves nothing', async (storage) => {
      const error = new Error('changed its mind');
      const write = storage.write(async (transaction) => {
        await insertDeveloper(transaction, developerRow());
        throw error;
      });
      await assert.rejects(write, (thrown) => thrown === error);
      assert.equal(await findDeveloper(storage.reader, { userId: 'user_1' }), null);
    });

    onStorage('a write that throws leaves nothing of its later statements', async (storage) => {
      const error = new Error('changed its mind');
      const find = (connection: Connection, userId: string) => findDeveloper(connection, { userId });
      let rest: Promise<unknown> = Promise.resolve();
      const write = storage.write(async (transaction) => {
        rest = (async () => {
          for (let at = 0; at < 20; at += 1) await find(transaction, 'user_1');
          await insertDeveloper(transaction, developerRow());
        })();
        rest.catch(() => {});
        throw error;
      });
      await assert.rejects(write, (thrown) => thrown === error);
      await Promise.allSettled([rest]);
      assert.equal(await find(storage.reader, 'user_1'), null);
      await storage.write((transaction) => insertDeveloper(transaction, developerRow()));
    });

    onStorage('a statement that fails at a later row leaves none of its rows', async (storage) => {
      const write = (ids: string[]) =>
        storage.write((transaction) => {
          const rows = ids.map((id) => developerRow({ user_id: id, email: `${id}@example.com` }));
          return transaction.run(transaction.builder.insertInto('developers').values(rows).compile());
        });
      const [refused] = await Promise.allSettled([write(['user_1', 'user_2', 'user_1']), write(['user_3'])]);
      assert.ok(refused.status === 'rejected' && refused.reason instanceof NotUnique);
      await assert.rejects(write(['user_4', 'user_3']), NotUnique);
      for (const userId of ['user_1', 'user_2', 'user_3', 'user_4']) {
        const stored = await findDeveloper(storage.reader, { userId });
        assert.equal(stored !== null, userId === 'user_3', userId);
      }
    });

    onStorage('writes that throw do not affect concurrent writes', async (storage) => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, at) =>
          storage.write(async (transaction) => {
            await insertDeveloper(transaction, developerRow({ user_id: `user_${at}` }));
            if (at % 5 === 3) throw new Error(`refused ${at}`);
          }),
        ),
      );
      const refused = outcomes.flatMap((outcome, at) => (outcome.status === 'rejected' ? [at] : []));
      assert.deepEqual(refused, [3, 8, 13, 18]);
      for (let at = 0; at < 20; at += 1) {
        const stored = await findDeveloper(storage.reader, { userId: `user_${at}` });
        assert.equal(stored !== null, !refused.includes(at), `user_${at}`);
      }
    });

    onStorage('rows that a failed write removed are restored, and other writes succeed', async (storage) => {
      await insertOneApp(storage);
      await storage.write((transaction) => insertInstallation(transaction, installationRow()));
      const { workspace_id: workspaceId } = installationRow();
      const removal = storage.write(async (transaction) => {
        const removed = await deleteInstallationsInWorkspace(transaction, { workspaceId, appIds: ['app_1'] });
        assert.equal(removed.length, 1);
        throw new Error('changed its mind');
      });
      const others = [storage.write(countUp), storage.write(countUp)];
      await assert.rejects(removal, /changed its mind/);
      await Promise.all(others);
      assert.ok(await findInstallation(storage.reader, { id: installationRow().id }));
      assert.equal((await findApp(storage.reader, { id: 'app_1' }))?.installation_count, 2);
    });

    onStorage('200 concurrent increments of one app all count', async (storage) => {
      await insertOneApp(storage);
      await Promise.all(Array.from({ length: 200 }, () => storage.write(countUp)));
      assert.equal((await findApp(storage.reader, { id: 'app_1' }))?.installation_count, 200);
    });

    onStorage('a duplicate value is refused by its name, and other writes succeed', async (storage) => {
      await insertOneApp(storage);
      const claim = (id: string, name_claim: string) =>
        storage.write((transaction) => insertApp(transaction, appRow({ id, name_claim })));
      const outcomes = await Promise.allSettled([
        claim('app_2', 'first'),
        claim('app_3', 'taken'),
        claim('app_4', 'last'),
      ]);
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled'],
      );
      assert.equal(constraintOf(outcomes[1]), 'name_claims_pkey');
      assert.equal(await findApp(storage.reader, { id: 'app_3' }), null);
    });

    onStorage('of concurrent writes that claim one name, exactly one succeeds', async (storage) => {
      await insertOneApp(storage);
      const outcomes = await Promise.allSettled(
        ['app_2', 'app_3', 'app_4', 'app_5'].map((id) =>
          storage.write((transaction) => insertApp(transaction, appRow({ id, name_claim: 'wanted' }))),
        ),
      );
      const refused = outcomes.filter(({ status }) => status === 'rejected');
      assert.deepEqual(refused.map(constraintOf), Array(3).fill('name_claims_pkey'));
    });

    onStorage('an approved name that another app holds is refused like a current one', async (storage) => {
      await storage.write(async (transaction) => {
        await insertDeveloper(transaction, developerRow());
        await insertApp(transaction, appRow({ name_claim: 'current', approved_name_key: 'approved' }));
        await insertApp(transaction, appRow({ id: 'app_2', name_claim: 'other' }));
      });
      const renamed = appRow({ id: 'app_2', name_claim: 'approved' });
      const outcomes = await Promise.allSettled([
        storage.write((transaction) => insertApp(transaction, appRow({ id: 'app_3', name_claim: 'approved' }))),
        storage.write((transaction) => updateApp(transaction, renamed)),
      ]);
      assert.deepEqual(outcomes.map(constraintOf), Array(2).fill('name_claims_pkey'));
    });

    onStorage('every other constraint has the same name on every engine', async (storage) => {
      await insertOneApp(storage);
      const [token] = sampleRows.access_tokens;
      const [name] = sampleRows.protected_names;
      assert.ok(token && name);
      await storage.write(async (transaction) => {
        await insertProtectedName(transaction, name);
        await insertAccessToken(transaction, token);
      });
      const outcomes = await Promise.allSettled([
        storage.write((transaction) => insertApp(transaction, appRow())),
        storage.write((transaction) => insertProtectedName(transaction, { ...name, id: 'other' })),
        storage.write((transaction) => insertAccessToken(transaction, { ...token, id: 'token_2' })),
      ]);
      assert.deepEqual(outcomes.map(constraintOf), ['apps_pkey', 'protected_names_kind_key', 'access_tokens_hash']);
    });

    onStorage('a read never sees what a write has not committed', async (storage) => {
      let read: Promise<unknown> | undefined;
      const write = storage.write(async (transaction) => {
        await insertDeveloper(transaction, developerRow());
        read = findDeveloper(storage.reader, { userId: 'user_1' });
        // A database in memory reads once the write has ended.
        if (engine.name !== 'sqlite in memory') await read;
        throw new Error('changed its mind');
      });
      await assert.rejects(write, /changed its mind/);
      assert.equal(await read, null);
    });

    onStorage('a write is refused because of another one only once that one can be read', async (storage) => {
      let isCommitting = engine.name === 'postgres';
      const create = async () => {
        try {
          await storage.write((transaction) => insertDeveloper(transaction, developerRow()));
        } catch {
          assert.ok(isCommitting);
          assert.ok(await findDeveloper(storage.reader, { userId: 'user_1' }));
        }
      };
      const created = [create(), create()];
      // On SQLite, all three are committed together.
      await storage.write(async () => {
        await nextTurn();
        isCommitting = true;
      });
      await Promise.all(created);
    });

    onStorage('a write sees what it has written, and what others have committed', async (storage) => {
      await storage.write((transaction) => insertDeveloper(transaction, developerRow()));
      await storage.write(async (transaction) => {
        await insertDeveloper(transaction, developerRow({ user_id: 'user_2' }));
        assert.ok(await findDeveloper(transaction, { userId: 'user_1' }));
        assert.ok(await findDeveloper(transaction, { userId: 'user_2' }));
      });
    });

    onStorage('reads complete while writes keep arriving', async (storage) => {
      await insertOneApp(storage);
      let writesLeft = 500;
      const writeRepeatedly = async () => {
        while (writesLeft > 0) {
          writesLeft -= 1;
          await storage.write(countUp);
        }
      };
      const writing = writeRepeatedly();
      for (let read = 0; read < 10; read += 1) await findApp(storage.reader, { id: 'app_1' });
      assert.ok(writesLeft > 0, 'the reads completed after the last write');
      writesLeft = 0;
      await writing;
    });

    test('a storage accepts writes until it is closed and is unavailable afterwards', async () => {
      const { url, drop } = await engine.createMigratedDatabase();
      const storage = await openStorage(url, { create: true });
      await storage.ping();
      await storage.close();
      await assert.rejects(storage.ping(), StorageUnavailable);
      await assert.rejects(storage.write(countUp), StorageUnavailable);
      await assert.rejects(findApp(storage.reader, { id: 'app_1' }), StorageUnavailable);
      await drop();
    });
  });
});

async function insertOneApp(storage: Storage): Promise<void> {
  await storage.write(async (transaction) => {
    await insertDeveloper(transaction, developerRow());
    await insertApp(transaction, appRow({ name_claim: 'taken' }));
  });
}

async function countUp(transaction: Connection): Promise<void> {
  const app = await findAppForUpdate(transaction, { id: 'app_1' });
  assert.ok(app);
  await updateApp(transaction, { ...app, installation_count: app.installation_count + 1 });
}

function constraintOf(outcome: PromiseSettledResult<unknown> | undefined): string | undefined {
  assert.equal(outcome?.status, 'rejected');
  assert.ok(outcome.reason instanceof NotUnique, String(outcome.reason));
  return outcome.reason.constraint;
}
