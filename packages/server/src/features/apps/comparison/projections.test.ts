import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteApp, restoreApp, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { search } from '@appregistrar/testkit/calls/search';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { appOf, developerOf, fileOf } from '@appregistrar/testkit/registry/import-file';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { execute, listStoredApps, listStoredComparisonKeys } from '@appregistrar/testkit/storage/storage-test';
import { commandLine, type Registry } from '../../../kernel/registry.ts';
import { markForProjection } from '../../../storage/kernel-queries.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { Storage } from '../../../storage/storage.ts';
import { importRegistry } from '../../import-export/import-registry.ts';
import { comparisonKeyRows } from './comparison-keys.ts';
import { deleteMarks, marksMax } from './projection-queries.ts';
import { catchUp } from './projections.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  after(() => fixture.close());

  /** The stored names and hosts, which must be those of the stored apps. */
  async function comparisonKeys(appId: string): Promise<string[]> {
    const { reader } = fixture.registry.storage;
    await catchUp(fixture.registry);
    const stored = await listStoredComparisonKeys(reader);
    const expected = (await listStoredApps(reader)).flatMap(comparisonKeyRows);
    const texts = (rows: typeof stored) => rows.map((row) => JSON.stringify(row)).toSorted();
    assert.deepEqual(texts(stored), texts(expected));
    return stored.filter((row) => row.app_id === appId).map(({ source, value }) => `${source} ${value}`);
  }

  test('the names and hosts of an app follow it from its creation to its deletion', async () => {
    const { registry } = fixture;
    const { id } = await fixture.newApp({ name: 'One', oauthInfo: { loginUrl: 'https://in.one.example/' } });
    const change = (update: object) => updateAppAsOperator(registry, commandLine, { appId: id, update });
    assert.deepEqual(await comparisonKeys(id), ['current example.one.in.', 'current one']);

    await fixture.review(id, 'submit');
    await fixture.review(id, 'approve');
    assert.deepEqual(await comparisonKeys(id), ['approved example.one.in.', 'approved one']);

    await change({ name: 'Two', oauthInfo: { callbackUrl: 'https://127.0.0.1/' } });
    assert.deepEqual(await comparisonKeys(id), [
      'approved example.one.in.',
      'approved one',
      'current 127.0.0.1.',
      'current two',
    ]);

    await change({ name: 'One', oauthInfo: { loginUrl: null } });
    assert.deepEqual(await comparisonKeys(id), ['approved one', 'current 127.0.0.1.']);

    await fixture.review(id, 'revoke');
    assert.deepEqual(await comparisonKeys(id), ['approved one', 'current 127.0.0.1.']);

    await deleteApp(registry, commandLine, { appId: id });
    assert.deepEqual(await comparisonKeys(id), []);
    await restoreApp(registry, commandLine, id);
    assert.deepEqual(await comparisonKeys(id), ['approved one', 'current 127.0.0.1.']);
  });

  test('an import stores those of the apps that it creates and changes', async () => {
    const developer = developerOf();
    const draft = { ...appOf(developer.userId, 'Draft'), oauthInfo: { callbackUrl: 'https://back.example/' } };
    const approved = { ...appOf(developer.userId, 'Approved'), reviewStatus: 'APPROVED' };
    const run = (...lines: object[]) =>
      importRegistry(fixture.registry, commandLine, { open: fileOf([developer, ...lines] as never) });
    await run(draft, approved);
    assert.deepEqual(await comparisonKeys(draft.id), ['current example.back.', 'current draft']);
    assert.deepEqual(await comparisonKeys(approved.id), ['approved approved']);
    await run({ ...draft, name: 'Draft two' }, approved);
    assert.deepEqual(await comparisonKeys(draft.id), ['current example.back.', 'current draft two']);
  });

  test('a change of anything else marks nothing', async () => {
    const { id } = await fixture.newApp({ status: 'APPROVED', oauthInfo: { loginUrl: 'https://one.example/' } });
    const draft = await fixture.newApp();
    await catchUp(fixture.registry);
    const change = (update: object) => updateAppAsOperator(fixture.registry, commandLine, { appId: id, update });
    await change({ listingInfo: { shortDescription: 'Other' } });
    await fixture.review(draft.id, 'submit');
    assert.deepEqual(await marks(), []);
    await change({ oauthInfo: { loginUrl: null } });
    assert.deepEqual(await marks(), [{ subject_id: id, version: 1 }]);
  });

  const rename = (id: string, name: string, registry = fixture.registry) =>
    updateAppAsOperator(registry, commandLine, { appId: id, update: { name } });
  const found = async (q: string, registry = fixture.registry) =>
    (await search(registry, { query: { q }, isAdmin: true })).items.map((hit) => 'name' in hit && hit.name);
  const marks = (storage = fixture.registry.storage) => rowsOf(storage, 'pending_projections');

  /** A registry on the same database, as another process has it. */
  async function otherProcess(): Promise<Registry> {
    return { ...fixture.registry, storage: await openStorage(fixture.databaseUrl) };
  }

  test('updates leave one mark and write no projection, and the search that follows finds the last of them', async () => {
    const { id } = await fixture.newApp();
    await catchUp(fixture.registry);
    const { reader } = fixture.registry.storage;
    const before = await listStoredComparisonKeys(reader);
    for (const name of ['Glacier', 'Iceberg', 'Snowdrift']) await rename(id, name);
    assert.deepEqual(await marks(), [{ subject_id: id, version: 3 }]);
    assert.deepEqual(await listStoredComparisonKeys(reader), before);
    assert.deepEqual([await found('snowdrift'), await found('glacier')], [['Snowdrift'], []]);
    assert.deepEqual(await marks(), []);
  });

  test('a process finds what others have just committed, also while all of them catch up', async () => {
    const processes = [fixture.registry, await otherProcess(), await otherProcess()];
    const { id } = await fixture.newApp();
    for (let round = 0; round < 10; round += 1) {
      const name = `Wanderer ${round}`;
      await rename(id, name, processes[round % 3]);
      for (const names of await Promise.all(processes.map((registry) => found(name, registry)))) {
        assert.deepEqual(names, [name]);
      }
    }
    for (const { storage } of processes.slice(1)) await storage.close();
  });

  test('updates while others search are found by the search that follows each', async () => {
    const other = await otherProcess();
    const apps = await Promise.all(Array.from({ length: 4 }, () => fixture.newApp()));
    await Promise.all(
      apps.map(async ({ id }, at) => {
        const registry = at % 2 === 0 ? fixture.registry : other;
        for (let round = 0; round < 5; round += 1) {
          const name = `Nomad ${at} of round ${round}`;
          await rename(id, name, registry);
          assert.ok((await found(name, registry)).includes(name), name);
        }
      }),
    );
    await other.storage.close();
  });

  test('what a process has not caught up with before it died, another one does', async () => {
    const { id } = await fixture.newApp();
    const process = await otherProcess();
    await rename(id, 'Survivor', process);
    await process.storage.close();
    assert.equal((await marks()).length > 0, true);
    const next = await otherProcess();
    assert.deepEqual(await found('survivor', next), ['Survivor']);
    await next.storage.close();
  });

  test('a mark is removed only at the version that was processed', async () => {
    const { storage } = fixture.registry;
    await catchUp(fixture.registry);
    const id = 'app_marked';
    const remove = (version: number) =>
      storage.write((transaction) => deleteMarks(transaction, storage.engine, [{ subject_id: id, version }]));
    await storage.write(async (transaction) => {
      await markForProjection(transaction, { subjectId: id });
      await markForProjection(transaction, { subjectId: id });
    });
    await remove(1);
    assert.deepEqual(await marks(), [{ subject_id: id, version: 2 }]);
    await remove(2);
    assert.deepEqual(await marks(), []);
  });

  // SQLite has one write at a time.
  const onPostgres = engine.name === 'postgres' ? test : () => {};
  onPostgres('a search waits for no update that has not ended, which the next search finds', async () => {
    const { storage } = fixture.registry;
    const { id } = await fixture.newApp({ name: 'Harbour' });
    const isSearched = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const update = storage.write(async (transaction) => {
      await execute(
        transaction,
        `update apps set name_key = 'lighthouse', name_claim = 'lighthouse' where id = '${id}'`,
      );
      await markForProjection(transaction, { subjectId: id });
      begun.resolve();
      await isSearched.promise;
    });
    await begun.promise;
    assert.deepEqual(await found('arbour'), ['Harbour']);
    isSearched.resolve();
    await update;
    assert.deepEqual([await found('ighthous'), await found('arbour')], [['Harbour'], []]);
    assert.deepEqual(await marks(), []);
  });

  test('a transaction processes a bounded number of marks, and later ones prolong no search', async () => {
    const { registry } = fixture;
    await catchUp(registry);
    const idOf = (at: number) => `app_${String(at).padStart(3, '0')}`;
    const mark = (ids: string[]) =>
      registry.storage.write(async (transaction) => {
        for (const subjectId of ids) await markForProjection(transaction, { subjectId });
      });
    await mark(Array.from({ length: 2 * marksMax + 1 }, (_, at) => idOf(at)));
    const left: number[] = [];
    // The storage itself, but for what each write finds and what is marked after it.
    const storage: Storage = Object.create(registry.storage, {
      reader: { value: registry.storage.reader },
      write: {
        async value(...given: Parameters<Storage['write']>) {
          left.push((await marks(registry.storage)).length);
          const result = await registry.storage.write(...given);
          await mark([idOf(500 + left.length)]);
          return result;
        },
      },
    });
    await catchUp({ storage });
    assert.deepEqual(left, [2 * marksMax + 1, marksMax + 2, 3]);
    await catchUp(registry);
    assert.deepEqual(await marks(), []);
  });
});
