import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { suspendDeveloper, unsuspendDeveloper } from '@appregistrar/testkit/calls/suspension';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import type { AppRow, InstallationRow } from '../../storage/tables.ts';
import { approvedColumns } from '../apps/app-content.ts';
import { findApp } from '../apps/app-queries.ts';
import { readAppRevision } from '../apps/get-app.ts';
import { derivedColumns, newAppRow } from '../apps/next-app.ts';

const appCount = 2_000;
const installationCount = 20_000;
const megabyte = 1_048_576;
/** All rows and events together have more than twice as much. */
const heapGrowthMax = 10 * megabyte;
/** A collection takes a while. */
const readsPerCollection = 25;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  after(() => fixture.close());

  test(`${appCount} apps with ${installationCount} installations are suspended in constant memory, while reads go on`, async () => {
    const { registry } = fixture;
    const developerId = fixture.developer.id;
    const template = await fixture.newApp({ status: 'APPROVED' });
    const content = await findApp(registry.storage.reader, { id: template.id });
    assert.ok(content);
    const other = await fixture.newApp({ developerId: fixture.otherDeveloper.id, status: 'APPROVED' });
    await insertMany(appCount - 1, (index) => appRow(content, index));

    const measured = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      // What the writes before have left is free only after a turn.
      await new Promise(setImmediate);
      collectGarbage();
      const heapBefore = process.memoryUsage().heapUsed;
      let [heapMax, reads] = [0, 0];
      let isDone = false;
      const reading = (async () => {
        while (!isDone) {
          await readAppRevision(registry, other.id);
          reads += 1;
          if (reads % readsPerCollection === 0) {
            collectGarbage();
            heapMax = Math.max(heapMax, process.memoryUsage().heapUsed);
          }
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      })();
      const result = await work();
      isDone = true;
      await reading;
      const growth = Math.round((heapMax - heapBefore) / megabyte);
      assert.ok(heapMax - heapBefore < heapGrowthMax, `the heap grew by ${growth} MiB`);
      assert.ok(reads > 10, 'reads went on');
      return result;
    };

    const suspension = { reason: 'The apps send customer data elsewhere.' };
    const suspended = await measured(() =>
      suspendDeveloper(registry, commandLine, { userId: developerId, suspension }),
    );
    const restored = await measured(() => unsuspendDeveloper(registry, commandLine, developerId));
    for (const { apps, approvedApps, installations } of [suspended, restored]) {
      assert.deepEqual([apps, approvedApps, installations], [appCount, appCount, installationCount]);
    }

    function appRow(template: AppRow, index: number): AppRow {
      const named = { ...template, name: `Mass ${index}` };
      const row = newAppRow(registry, { id: newId('app'), developerId, content: named });
      const approved: AppRow = {
        ...row,
        review_status: 'APPROVED',
        ...approvedColumns(named, { revision: row.revision, revisionNonce: row.revision_nonce }),
      };
      return { ...approved, ...derivedColumns(approved) };
    }
  });

  /** The first app has a tenth of all installations. */
  const insertMany = async (apps: number, appRow: (index: number) => AppRow) => {
    const { registry } = fixture;
    let left = installationCount;
    for (let made = 0; made < apps; made += 500) {
      await registry.storage.write(async (transaction) => {
        const rows = Array.from({ length: Math.min(500, apps - made) }, (_, index) => {
          const remaining = apps - made - index;
          const count = made + index === 0 ? installationCount / 10 : Math.ceil(left / remaining);
          left -= count;
          return { ...appRow(made + index), installation_count: count };
        });
        await transaction.insertNew('apps', rows);
        for (const row of rows) {
          await transaction.insertNew(
            'installations',
            Array.from({ length: row.installation_count }, (_, index) => installationOf(row, index)),
          );
        }
      });
    }
  };

  const installationOf = (app: AppRow, index: number): InstallationRow => ({
    id: newId('installation'),
    app_id: app.id,
    workspace_id: newId('workspace'),
    user_id: newId('user'),
    enabled: 1,
    disabled_by: null,
    created_at: index,
    updated_at: null,
  });
});
