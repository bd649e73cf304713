import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { emptiedStorage, execute, forEachStorage, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { appRow, developerRow, installationRow, sampleRows, tableNames } from '../../test/storage/sample-rows.ts';
import { findAccessToken, updateRevokedAt } from '../features/access/access-queries.ts';
import {
  findApp,
  findAppForUpdate,
  findAppSnapshot,
  insertApp,
  updateApp,
  updateInstallationCount,
} from '../features/apps/app-queries.ts';
import { findDeveloper } from '../features/developers/developer-queries.ts';
import { insertEvent, listEventsOfApp } from '../features/events/event-queries.ts';
import {
  deleteInstallation,
  findInstallation,
  findInstallationInWorkspace,
  insertInstallation,
  updateInstallationCauses,
} from '../features/installations/installation-queries.ts';
import { findLogo, findLogoOfDeveloper } from '../features/logos/logo-queries.ts';
import { defineInsert } from './query.ts';
import type { Storage } from './storage.ts';
import { columns, type Tables } from './tables.ts';

/** Rows are read exactly as they were written. */
forEachStorage((engine) => {
  describe('rows', () => {
    const onStorage = emptiedStorage(engine);

    storageTest(engine, 'a row of any table is read as it was inserted', async (storage) => {
      await storage.write(async (transaction) => {
        for (const table of tableNames) {
          for (const row of sampleRows[table]) await defineInsert(table)(transaction, row as never);
        }
      });
      await assertSampleRows(storage);
    });

    storageTest(engine, 'rows inserted together are read as they were inserted', async (storage) => {
      await storage.write(async (transaction) => {
        for (const table of tableNames) {
          assert.deepEqual(await transaction.insertNew(table, sampleRows[table] as never), []);
        }
      });
      await assertSampleRows(storage);
    });

    onStorage('a missing row is found as null and listed as nothing', async ({ reader }) => {
      const found = [
        await findApp(reader, { id: 'app_1' }),
        await findDeveloper(reader, { userId: 'user_1' }),
        await findInstallation(reader, { id: 'installation_1' }),
        await findInstallationInWorkspace(reader, { appId: 'app_1', workspaceId: 'workspace_1' }),
        await findLogo(reader, { id: 'logo_1' }),
        await findLogoOfDeveloper(reader, { id: 'logo_1', developerId: 'user_1' }),
      ];
      assert.deepEqual(found, Array(found.length).fill(null));
      assert.equal(await findAppSnapshot(reader, { id: 'app_1', installationsMax: 10 }), null);
      assert.deepEqual(await listEventsOfApp(reader, { appId: 'app_1' }), []);
    });

    onStorage('an update stores every mutable column and returns the number of changed rows', async (storage) => {
      await insertSample(storage, ['developers', 'logos', 'apps']);
      const [, other] = sampleRows.apps;
      assert.ok(other);
      const changed = {
        ...other,
        id: 'app_1',
        developer_id: 'user_1',
        created_at: 1_000,
        name_claim: 'another',
        approved_name_key: null,
      };
      await storage.write(async (transaction) => {
        assert.equal(await updateApp(transaction, changed), 1);
        assert.equal(await updateApp(transaction, { ...changed, id: 'app_9' }), 0);
      });
      assert.deepEqual({ ...(await findApp(storage.reader, { id: 'app_1' })) }, changed);
    });

    onStorage('every other change affects only its columns and rows', async (storage) => {
      await insertSample(storage, ['developers', 'logos', 'apps', 'installations', 'access_tokens']);
      await storage.write(async (transaction) => {
        await updateInstallationCauses(transaction, { ids: ['installation_1'], enabled: 0, disabled_by: 'workspace' });
        assert.equal(await deleteInstallation(transaction, { id: 'installation_2' }), 1);
        assert.equal(await updateInstallationCount(transaction, { id: 'app_2', by: -1, revisionNonce: 'new' }), 1);
        assert.equal(await updateRevokedAt(transaction, { id: 'token_1', revokedAt: 5 }), 1);
      });
      const [one, two] = sampleRows.apps;
      assert.deepEqual(await rowsOf(storage, 'installations'), [
        { ...sampleRows.installations[0], enabled: 0, disabled_by: 'workspace' },
      ]);
      assert.deepEqual(await rowsOf(storage, 'apps'), [
        one,
        { ...two, installation_count: 999_999, platform_revision: 2, platform_revision_nonce: 'new' },
      ]);
      assert.deepEqual(await rowsOf(storage, 'access_tokens'), [
        { ...sampleRows.access_tokens[0], revoked_at: 5 },
        sampleRows.access_tokens[1],
      ]);
    });

    onStorage('installations are listed by time of creation and then by id', async (storage) => {
      await insertSample(storage, ['developers']);
      const installations = [
        installationRow({ id: 'installation_c', workspace_id: 'workspace_c', created_at: 20 }),
        installationRow({ id: 'installation_b', workspace_id: 'workspace_b', created_at: 20 }),
        installationRow({ id: 'installation_d', workspace_id: 'workspace_d', created_at: 3 }),
        installationRow({ id: 'installation_a', workspace_id: 'workspace_a', created_at: 100 }),
      ];
      await storage.write(async (transaction) => {
        await insertApp(transaction, appRow());
        await insertApp(transaction, appRow({ id: 'app_2' }));
        for (const row of installations) await insertInstallation(transaction, row);
      });
      const snapshot = await findAppSnapshot(storage.reader, { id: 'app_1', installationsMax: 1_000_000 });
      assert.deepEqual(
        snapshot?.installations,
        ['d', 'b', 'c', 'a'].map((letter) => {
          const { disabled_by: _, ...shown } = installationRow(
            installations.find(({ id }) => id === `installation_${letter}`),
          );
          return shown;
        }),
      );
      const withoutInstallation = await findAppSnapshot(storage.reader, { id: 'app_2', installationsMax: 1_000_000 });
      assert.deepEqual(
        [withoutInstallation?.app.id, withoutInstallation?.app.developer_user_id, withoutInstallation?.installations],
        ['app_2', 'user_1', []],
      );
      assert.equal(await findAppSnapshot(storage.reader, { id: 'app_2', installationsMax: -1 }), null);
    });

    onStorage('events of an app are listed by id', async (storage) => {
      const [, event] = sampleRows.events;
      assert.ok(event);
      await storage.write(async (transaction) => {
        for (const id of ['event_3', 'event_1', 'event_2']) await insertEvent(transaction, { ...event, id });
        await insertEvent(transaction, { ...event, id: 'event_4', app_id: 'app_2' });
      });
      const listed = await listEventsOfApp(storage.reader, { appId: 'app_1' });
      assert.deepEqual(
        listed.map(({ id }) => id),
        ['event_1', 'event_2', 'event_3'],
      );
    });

    onStorage('a row that refers to nothing is refused', async (storage) => {
      await insertSample(storage, ['developers']);
      await assert.rejects(storage.write((transaction) => insertApp(transaction, appRow({ developer_id: 'user_9' }))));
      await assert.rejects(storage.write((transaction) => insertApp(transaction, appRow({ logo_id: 'logo_9' }))));
      await assert.rejects(storage.write((transaction) => insertInstallation(transaction, installationRow())));
      assert.deepEqual(await rowsOf(storage, 'apps'), []);
      assert.deepEqual(await rowsOf(storage, 'installations'), []);
    });

    storageTest(engine, 'queries give the same rows after a newer release has added columns', async (storage) => {
      await insertSample(storage, tableNames);
      const before = await readEverything(storage);
      await storage.write(async (transaction) => {
        for (const table of tableNames) await execute(transaction, `alter table ${table} add column added_later text`);
      });
      assert.deepEqual(await readEverything(storage), before);
      await storage.write((transaction) => transaction.insertNew('developers', [developerRow({ user_id: 'user_3' })]));
    });
  });
});

async function insertSample(storage: Storage, tables: (keyof Tables)[]): Promise<void> {
  await storage.write(async (transaction) => {
    for (const table of tables) await transaction.insertNew(table, sampleRows[table] as never);
  });
}

async function assertSampleRows(storage: Storage): Promise<void> {
  for (const table of tableNames) {
    const [key] = columns[table];
    const expected = sampleRows[table].map(plain);
    const keys = new Set(expected.map((row) => row[key]));
    const stored = await rowsOf(storage, table);
    assert.deepEqual(
      stored.filter((row) => keys.has(row[key])),
      expected,
    );
  }
}

/** All rows of a table, by key. */
async function rowsOf(storage: Storage, table: keyof Tables): Promise<Record<string, unknown>[]> {
  const names = columns[table].map((name) => `"${name}"`).join(', ');
  return (await execute(storage.reader, `select ${names} from ${table} order by ${columns[table][0]}`)).map(plain);
}

/** Converts a row to a plain object with bytes as text: comparing different bytes takes hours. */
function plain(row: object): Record<string, unknown> {
  const entries = Object.entries(row);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value]),
  );
}

/** The results of the queries that return complete rows. */
async function readEverything(storage: Storage): Promise<unknown[]> {
  const { reader } = storage;
  const read = [
    await findApp(reader, { id: 'app_2' }),
    await findDeveloper(reader, { userId: 'user_2' }),
    await findInstallation(reader, { id: 'installation_2' }),
    await findInstallationInWorkspace(reader, { appId: 'app_2', workspaceId: 'workspace_1' }),
    ...(await listEventsOfApp(reader, { appId: 'app_1' })),
  ];
  const locked = await storage.write(async (transaction) => [
    await findAppForUpdate(transaction, { id: 'app_2' }),
    await findAccessToken(transaction, { id: 'token_2' }),
  ]);
  return [...read, ...locked].map((row) => plain(row ?? {}));
}
