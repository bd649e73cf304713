import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { forEachEngine, sqliteInMemory } from '@appregistrar/testkit/engines/engines';
import { emptiedStorage, execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { appRow, developerRow } from '../../../test/storage/sample-rows.ts';
import type { Connection, Statement } from '../../storage/query.ts';
import type { Storage } from '../../storage/storage.ts';
import { insertApp, updateApp, updateAppContent } from './app-queries.ts';

forEachEngine((engine) => {
  const onStorage = emptiedStorage(engine);

  onStorage('the flag for changes since approval follows the revisions', async (storage) => {
    const app = appRow({ id: 'app_1', revision: 1 });
    await storage.write(async (transaction) => {
      await transaction.insertNew('developers', [developerRow()]);
      await insertApp(transaction, app);
    });
    const after = async (change: string) => {
      await storage.write((transaction) => execute(transaction, change));
      return (await changedApps(storage)).includes('app_1');
    };
    assert.equal(await after('update apps set revision = 2'), false);
    assert.equal(await after('update apps set approved_revision = 2'), false);
    assert.equal(await after('update apps set revision = 3, short_description = null'), true);
    assert.equal(await after('update apps set revision = 4, approved_revision = 2'), true);
    assert.equal(await after('update apps set revision = 5, approved_revision = 5'), false);
    assert.equal(await after('update apps set approved_revision = 4'), true);
    assert.equal(await after('update apps set approved_revision = null'), false);

    await storage.write((transaction) => updateApp(transaction, { ...app, revision: 6, approved_revision: 5 }));
    assert.deepEqual(await changedApps(storage), ['app_1']);
    await storage.write((transaction) => updateAppContent(transaction, { ...app, revision: 5 }));
    assert.deepEqual(await changedApps(storage), []);
  });

  onStorage('the flag is correct for inserted apps, single or in bulk', async (storage) => {
    await storage.write(async (transaction) => {
      await transaction.insertNew('developers', [developerRow()]);
      await insertApp(transaction, apps[0] as (typeof apps)[number]);
      assert.deepEqual(await transaction.insertNew('apps', apps), [apps[0]]);
    });
    assert.deepEqual(await changedApps(storage), ['app_0', 'app_3']);
  });
});

describe('sqlite', () => {
  // SQLite would rewrite every index of a generated column, even if its value stays the same.
  storageTest(
    sqliteInMemory,
    'an update of content writes the row and only the two indexes of its time',
    async (storage) => {
      let statement: Statement | undefined;
      const recording = {
        builder: storage.reader.builder,
        run: async (updating: Statement) => {
          statement = updating;
          return 1;
        },
      } as Connection;
      await updateAppContent(recording, appRow());
      const steps = await storage.reader.rows<Step>({
        ...statement,
        name: '',
        sql: `explain ${statement?.sql}`,
      } as never);
      // The steps of the triggers follow and start at 0 again.
      const end = steps.findIndex(({ addr }, at) => at > 0 && addr === 0);
      const own = steps.slice(0, end === -1 ? undefined : end).map(({ opcode }) => opcode);
      assert.ok(own.includes('Insert'));
      const ofIndexes = own.filter((opcode) => /^Idx(Insert|Delete)$/.test(opcode));
      assert.deepEqual(ofIndexes, ['IdxDelete', 'IdxDelete', 'IdxInsert', 'IdxInsert']);
    },
  );
});

interface Step {
  addr: number;
  opcode: string;
}

const apps = [
  { revision: 2, approved_revision: 1 },
  { revision: 1, approved_revision: 1 },
  { revision: 2, approved_revision: null },
  { revision: 3, approved_revision: 1 },
].map((revisions, at) => appRow({ id: `app_${at}`, name_key: `app ${at}`, ...revisions }));

async function changedApps({ reader }: Storage): Promise<unknown[]> {
  const rows = await execute(reader, 'select id from apps where changed_since_approval = 1 order by id');
  return rows.map(({ id }) => id);
}
