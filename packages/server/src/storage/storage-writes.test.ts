import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { emptiedStorage, forEachStorage } from '@appregistrar/testkit/storage/storage-test';
import {
  appRow,
  developerIds,
  developerRow,
  installationRow,
  sampleRows,
  storeDevelopers,
} from '../../test/storage/sample-rows.ts';
import { insertAccessToken } from '../features/access/access-queries.ts';
import { findApp, findAppForUpdate, insertApp, updateApp } from '../features/apps/app-queries.ts';
import {
  deleteInstallationsInWorkspace,
  findInstallation,
  insertInstallation,
} from '../features/installations/installation-queries.ts';
import { openStorage } from './open-storage.ts';
import { type Connection, defineInsert } from './query.ts';
import type { Storage } from './storage.ts';
import { NotUnique, StorageUnavailable } from './storage-failure.ts';
import type { InstallationRow } from './tables.ts';

const insertDeveloper = defineInsert('developers');
const insertProtectedName = defineInsert('protected_names');

/** A write is atomic and isolated. */
forEachStorage((engine) => {
  describe('writes', () => {
    const onStorage = emptiedStorage(engine);

    onStorage('a write returns the result of its work, which it and others can then read', async (storage) => {
      await storeDevelopers(storage, 'user_1');
      const read = await storage.write(async (transaction) => {
        await insertDeveloper(transaction, developerRow({ user_id: 'user_2' }));
        return developerIds(transaction);
      });
      assert.deepEqual(read, ['user_1', 'user_2']);
      assert.deepEqual(await developerIds(storage.reader), read);
    });

    onStorage(
      'a write that throws gives its own error and leaves nothing, of later statements either',
      async (storage) => {
        const error = new Error('changed its mind');
        let rest: Promise<unknown> = Promise.resolve();
        const write = storage.write(async (transaction) => {
          await insertDeveloper(transaction, developerRow());
          rest = (async () => {
            for (let at = 0; at < 20; at += 1) await developerIds(transaction);
            await insertDeveloper(transaction, developerRow({ user_id: 'user_2' }));
          })();
          rest.catch(() => {});
          throw error;
        });
        await assert.rejects(write, (thrown) => thrown === error);
        await Promise.allSettled([rest]);
        assert.deepEqual(await developerIds(storage.reader), []);
        await storeDevelopers(storage, 'user_1');
      },
    );

    onStorage('a statement that fails at a later row leaves none of its rows', async (storage) => {
      const write = (ids: string[]) =>
        storage.write((transaction) => {
          const rows = ids.map((id) => developerRow({ user_id: id, email: `${id}@example.com` }));
          return transaction.run(transaction.builder.insertInto('developers').values(rows).compile());
        });
      const [refused] = await Promise.allSettled([write(['user_1', 'user_2', 'user_1']), write(['user_3'])]);
      assert.ok(refused.status === 'rejected' && refused.reason instanceof NotUnique);
      await assert.rejects(write(['user_4', 'user_3']), NotUnique);
      assert.deepEqual(await developerIds(storage.reader), ['user_3']);
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
      const stored = outcomes.flatMap(({ status }, at) => (status === 'fulfilled' ? [`user_${at}`] : []));
      assert.equal(stored.length, 16);
      assert.deepEqual(await developerIds(storage.reader), stored.toSorted());
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

    onStorage(
      'of concurrent writes that claim one name, exactly one succeeds, and others are not affected',
      async (storage) => {
        await insertOneApp(storage);
        const claims = ['first', 'wanted', 'taken', 'wanted', 'wanted', 'last'];
        const outcomes = await Promise.allSettled(
          claims.map((name_claim, at) =>
            storage.write((transaction) => insertApp(transaction, appRow({ id: `app_${at + 2}`, name_claim }))),
          ),
        );
        const refused = outcomes.filter(({ status }) => status === 'rejected');
        assert.deepEqual(refused.map(constraintOf), Array(3).fill('name_claims_pkey'));
        assert.deepEqual(
          [outcomes[0]?.status, outcomes[2]?.status, outcomes[5]?.status],
          ['fulfilled', 'rejected', 'fulfilled'],
        );
        assert.equal(await findApp(storage.reader, { id: 'app_4' }), null);
      },
    );

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
        read = developerIds(storage.reader);
        // A database in memory reads once the write has ended.
        if (engine.name !== 'sqlite in memory') await read;
        throw new Error('changed its mind');
      });
      await assert.rejects(write, /changed its mind/);
      assert.deepEqual(await read, []);
    });

    onStorage('a write is refused because of another one only once that one can be read', async (storage) => {
      let isCommitting = engine.name === 'postgres';
      const create = async () => {
        try {
          await storage.write((transaction) => insertDeveloper(transaction, developerRow()));
        } catch {
          assert.ok(isCommitting);
          assert.deepEqual(await developerIds(storage.reader), ['user_1']);
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

    onStorage('reads complete while writes keep arriving, and while one stores many rows', async (storage) => {
      await insertOneApp(storage);
      let writesLeft = 100;
      const writing = (async () => {
        for (; writesLeft > 0; writesLeft -= 1) {
          await storage.write(countUp);
          await storeDevelopers(storage, ...Array.from({ length: 500 }, (_, at) => `user_${writesLeft}_${at}`));
        }
      })();
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

/** Inserts skip and return rows that conflict with another row. */
forEachStorage((engine) => {
  describe('insertNew', () => {
    const onStorage = emptiedStorage(engine);
    const stored = installation('stored', 'workspace_stored');
    const cases: [what: string, rows: InstallationRow[], conflicting: number[]][] = [
      [
        'skips and returns rows that conflict with a stored one',
        [
          installation('stored', 'workspace_other'),
          installation('inserted', 'workspace_inserted'),
          installation('other', 'workspace_stored'),
        ],
        [0, 2],
      ],
      [
        'skips and returns rows that conflict with an earlier one of the same call',
        [
          installation('a', 'workspace_a'),
          installation('a', 'workspace_b'),
          installation('b', 'workspace_a'),
          installation('b', 'workspace_b'),
          installation('b', 'workspace_b'),
        ],
        [1, 2, 4],
      ],
      [
        'inserts a row whose id was used only by a refused row',
        [installation('a', 'workspace_stored'), installation('a', 'workspace_a')],
        [0],
      ],
      ['accepts zero rows', [], []],
      [
        'accepts a thousand rows',
        Array.from({ length: 1_000 }, (_, at) => installation(`i${at}`, `workspace_${at}`)),
        [],
      ],
    ];
    for (const [what, rows, conflicting] of cases) {
      onStorage(what, async (storage) => {
        await insertOneApp(storage);
        await storage.write((transaction) => insertInstallation(transaction, stored));
        const returned = await storage.write((transaction) => transaction.insertNew('installations', rows));
        assert.deepEqual(
          returned,
          conflicting.map((at) => rows[at]),
        );
        const inserted = [stored, ...rows.filter((row) => !returned.includes(row))];
        assert.deepEqual(
          await rowsOf(storage, 'installations'),
          inserted.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
        );
      });
    }

    onStorage('inserts nothing if one row refers to a missing row', async (storage) => {
      await insertOneApp(storage);
      const rows = [installation('a', 'workspace_a'), { ...installation('b', 'workspace_b'), app_id: 'app_9' }];
      await assert.rejects(storage.write((transaction) => transaction.insertNew('installations', rows)));
      assert.deepEqual(await rowsOf(storage, 'installations'), []);
    });
  });
});

function installation(id: string, workspaceId: string): InstallationRow {
  return installationRow({ id, workspace_id: workspaceId });
}

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
