import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { deleteApp } from '@appregistrar/testkit/calls/apps';
import { deleteInstallation } from '@appregistrar/testkit/calls/installations';
import { suspendDeveloper, unsuspendDeveloper } from '@appregistrar/testkit/calls/suspension';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { appOf, fileOf, installationOf } from '@appregistrar/testkit/registry/import-file';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import pg from 'pg';
import { commandLine } from '../../kernel/registry.ts';
import { updateApp } from '../apps/update-app.ts';
import { importRegistry } from '../import-export/import-registry.ts';
import { checkRegistry, keyRanges } from './check-registry.ts';

const appCount = 12;
const rangeRows = { installations: 5, others: 3 };

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
    const apps = Array.from({ length: appCount }, (_, index) => appOf(fixture.developer.id, `Many ${index}`));
    const lines = [...apps, ...apps.map(({ id }) => installationOf(id))];
    await importRegistry(fixture.registry, commandLine, { open: fileOf(lines) });
  });
  after(() => fixture.close());

  /** Checks the registry in ranges of few rows. `onItem` is called in a snapshot, and `onEnd` after it. */
  async function checkObserved(given: {
    atOnce?: number;
    onItem?: (openSnapshots: number) => unknown;
    onEnd?: () => Promise<void>;
  }): Promise<{ apps: number; openMax: number }> {
    const { storage } = fixture.registry;
    const { atOnce = storage.snapshotsAtOnce, onItem, onEnd } = given;
    const changeable: { snapshotsAtOnce: number } = storage;
    const { snapshotsAtOnce, snapshot } = storage;
    changeable.snapshotsAtOnce = atOnce;
    let [open, openMax] = [0, 0];
    storage.snapshot = async function* observed(work) {
      open += 1;
      openMax = Math.max(open, openMax);
      try {
        for await (const item of snapshot.call(storage, work)) {
          yield item as never;
          await onItem?.(open);
        }
      } finally {
        open -= 1;
      }
      await onEnd?.();
      return undefined;
    };
    try {
      const { apps } = await checkRegistry(fixture.registry, { rangeRows });
      return { apps, openMax };
    } finally {
      storage.snapshot = snapshot;
      changeable.snapshotsAtOnce = snapshotsAtOnce;
      assert.equal(open, 0, 'a check waits for all snapshots that it has begun');
    }
  }

  test('no transaction lasts from one range of rows to the next', async () => {
    let ranges = 0;
    const onEnd = async () => {
      ranges += 1;
      assert.equal(await isReadBy(fixture.databaseUrl), false);
    };
    // Beside a range that is still read, the end of another's transaction would not be seen.
    assert.equal((await checkObserved({ atOnce: 1, onEnd })).apps, appCount);
    assert.ok(ranges > 10, `there were ${ranges} ranges`);
  });

  test('two ranges are read at the same time, unless the database reads only one snapshot', async () => {
    const { snapshotsAtOnce } = fixture.registry.storage;
    for (const atOnce of [1, snapshotsAtOnce]) {
      assert.equal((await checkObserved({ atOnce })).openMax, Math.min(2, atOnce));
    }
  });

  test('a check that fails waits for the range that is read beside it', async () => {
    const failure = new Error('lost');
    const onItem = (open: number) => {
      if (open === Math.min(2, fixture.registry.storage.snapshotsAtOnce)) throw failure;
    };
    await assert.rejects(checkObserved({ onItem }), failure);
  });

  test('changes during a check are not reported as inconsistencies', async () => {
    let changes = 0;
    let changed = Promise.resolve();
    const onItem = async () => {
      if (changes < 10) changed = changed.then(() => change(changes++));
      await changed;
    };
    await checkObserved({ onItem });
    assert.ok(changes >= 10, String(changes));
  });

  test('a range has a bounded number of rows, and an app is in one with all of its installations', async () => {
    const { storage } = fixture.registry;
    const sizes = async (table: 'apps' | 'installations', rowsMax: typeof rangeRows) => {
      const ids = (await rowsOf(storage, table)).map(({ id }) => id);
      const found: number[] = [];
      for await (const { low, high } of keyRanges(storage.reader, table, rowsMax)) {
        found.push(ids.filter((id) => id > low && id <= high).length);
      }
      const all = found.reduce((sum, size) => sum + size);
      assert.equal(all, ids.length);
      return found;
    };
    assert.deepEqual(await sizes('apps', { installations: 3, others: 100 }), [4, 3, 3, 2]);
    assert.deepEqual(await sizes('apps', { installations: 100, others: 5 }), [5, 4, 3]);
    assert.deepEqual(await sizes('installations', { installations: 6, others: 1 }), [6, 6, 0]);
  });

  /** Makes changes that each touch several tables. */
  async function change(round: number): Promise<void> {
    const { registry, otherDeveloper } = fixture;
    const app = await fixture.newApp({ developerId: otherDeveloper.id, status: 'APPROVED' });
    const { id } = await fixture.install(app);
    const { id: developerId } = otherDeveloper;
    await updateApp(registry, commandLine, { appId: app.id, developerId, update: { name: `Other ${round}` } });
    await suspendDeveloper(registry, commandLine, { userId: developerId, suspension: { reason: 'Spam.' } });
    await unsuspendDeveloper(registry, commandLine, developerId);
    await deleteInstallation(registry, commandLine, id);
    await deleteApp(registry, commandLine, { appId: app.id });
  }
});

/** Whether a transaction of another connection is open that keeps deleted rows or, on SQLite, the log from being copied. */
async function isReadBy(url: string): Promise<boolean> {
  if (url.startsWith('sqlite:')) {
    const database = new DatabaseSync(url.slice('sqlite:'.length));
    const copied = database.prepare('pragma wal_checkpoint(truncate)').get();
    database.close();
    return copied?.busy !== 0;
  }
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(
    `select 1 from pg_stat_activity where datname = current_database() and xact_start is not null
      and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  );
  await client.end();
  return rows.length > 0;
}
