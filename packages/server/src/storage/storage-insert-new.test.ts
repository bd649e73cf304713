import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { emptiedStorage, execute, forEachStorage } from '@appregistrar/testkit/storage/storage-test';
import { appRow, developerRow, installationRow } from '../../test/storage/sample-rows.ts';
import { insertApp } from '../features/apps/app-queries.ts';
import { insertInstallation } from '../features/installations/installation-queries.ts';
import type { Connection } from './query.ts';
import type { Storage } from './storage.ts';
import type { InstallationRow } from './tables.ts';

/** Inserts skip and return rows that conflict with another row. */
forEachStorage((engine) => {
  describe('insertNew', () => {
    const onStorage = emptiedStorage(engine);

    onStorage('skips and returns rows that conflict with a stored one', async (storage) => {
      const inserted = installation('inserted', 'workspace_inserted');
      const sameId = installation('stored', 'workspace_other');
      const sameWorkspace = installation('other', 'workspace_stored');
      const conflicting = await insertInstallations(storage, [sameId, inserted, sameWorkspace]);
      assert.deepEqual(conflicting, [sameId, sameWorkspace]);
      assert.deepEqual(await storedInstallations(storage), ['inserted workspace_inserted', 'stored workspace_stored']);
    });

    onStorage('skips and returns rows that conflict with an earlier one of the same call', async (storage) => {
      const rows = [
        installation('a', 'workspace_a'),
        installation('a', 'workspace_b'),
        installation('b', 'workspace_a'),
        installation('b', 'workspace_b'),
        installation('b', 'workspace_b'),
      ];
      const refused = await insertInstallations(storage, rows);
      assert.deepEqual(refused, [rows[1], rows[2], rows[4]]);
      assert.deepEqual(await storedInstallations(storage), [
        'a workspace_a',
        'b workspace_b',
        'stored workspace_stored',
      ]);
    });

    onStorage('inserts a row whose id was used only by a refused row', async (storage) => {
      const rows = [installation('a', 'workspace_stored'), installation('a', 'workspace_a')];
      assert.deepEqual(await insertInstallations(storage, rows), [rows[0]]);
      assert.deepEqual(await storedInstallations(storage), ['a workspace_a', 'stored workspace_stored']);
    });

    onStorage('accepts zero rows and a thousand rows', async (storage) => {
      assert.deepEqual(await insertInstallations(storage, []), []);
      const rows = Array.from({ length: 1_000 }, (_, at) => installation(`i${at}`, `workspace_${at}`));
      assert.deepEqual(await insertInstallations(storage, rows), []);
      assert.equal((await storedInstallations(storage)).length, 1_001);
    });

    onStorage('inserts nothing if one row refers to a missing row', async (storage) => {
      const rows = [installation('a', 'workspace_a'), { ...installation('b', 'workspace_b'), app_id: 'app_9' }];
      await assert.rejects(insertInstallations(storage, rows));
      assert.deepEqual(await storedInstallations(storage), ['stored workspace_stored']);
    });
  });
});

function installation(id: string, workspaceId: string): InstallationRow {
  return installationRow({ id, workspace_id: workspaceId });
}

/** Inserts beside an existing installation, `stored` in `workspace_stored`. */
async function insertInstallations(storage: Storage, rows: InstallationRow[]): Promise<InstallationRow[]> {
  await storage.write(async (transaction) => {
    await transaction.insertNew('developers', [developerRow()]);
    if ((await apps(transaction)) > 0) return;
    await insertApp(transaction, appRow());
    await insertInstallation(transaction, installation('stored', 'workspace_stored'));
  });
  return storage.write((transaction) => transaction.insertNew('installations', rows));
}

async function apps(connection: Connection): Promise<number> {
  return (await execute(connection, 'select id from apps')).length;
}

async function storedInstallations({ reader }: Storage): Promise<string[]> {
  const rows = await execute<InstallationRow>(reader, 'select id, workspace_id from installations order by id');
  return rows.map((row) => `${row.id} ${row.workspace_id}`);
}
