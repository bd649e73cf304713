import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { createProtectedName } from '@appregistrar/testkit/calls/protected-names';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { execute, listStoredApps, listStoredComparisonKeys } from '@appregistrar/testkit/storage/storage-test';
import { commandLine } from '../../../kernel/registry.ts';
import { alignSkeletons } from './align-skeletons.ts';
import { comparisonKeyRows } from './comparison-keys.ts';
import { catchUp } from './projections.ts';
import { skeletonVersion } from './skeleton.ts';

const { signal } = new AbortController();

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  beforeEach(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  afterEach(() => fixture.close());

  const run = (...statements: string[]) =>
    fixture.registry.storage.write(async (transaction) => {
      for (const text of statements) await execute(transaction, text);
    });
  const align = () => alignSkeletons(fixture.registry, { signal });
  const storedVersions = () => rowsOf(fixture.registry.storage, 'comparison_key_versions');

  async function assertComplete(): Promise<void> {
    const { reader } = fixture.registry.storage;
    const expected = (await listStoredApps(reader)).flatMap(comparisonKeyRows);
    const sorted = expected.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
    assert.deepEqual(await listStoredComparisonKeys(reader), sorted);
  }

  describe('the version of the skeletons', () => {
    test('leads to new skeletons of any number of apps, in batches that can be stopped', async () => {
      await align();
      await run(
        `update comparison_key_versions set skeletons = '9.0.0.1'`,
        `insert into apps (id, developer_id, name, name_key, background_color, review_status, installation_count, revision, revision_nonce, platform_revision, platform_revision_nonce, created_at, updated_at)
          with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 250)
          select 'app_' || n, '${fixture.developer.id}', 'Old ' || n, 'old ' || n, '#ffffff', 'DRAFT', 0, 1, 'nonce_1', 1, 'nonce_1', 1, 1 from numbers`,
      );
      const stopped = new AbortController();
      stopped.abort();
      await assert.rejects(alignSkeletons(fixture.registry, stopped), { name: 'AbortError' });
      assert.equal((await listStoredComparisonKeys(fixture.registry.storage.reader)).length, 100);
      await align();
      await assertComplete();
    });

    test('is stored, and leads to new skeletons where it was older', async () => {
      await align();
      assert.deepEqual(await storedVersions(), [{ skeletons: skeletonVersion }]);
      await fixture.newApp();
      await fixture.newApp({ status: 'APPROVED' });
      await createProtectedName(fixture.registry, commandLine, { name: 'Acme' });
      await catchUp(fixture.registry);
      await run(
        `update comparison_key_versions set skeletons = '9.0.0.1'`,
        `update app_comparison_keys set skeleton = 'old'`,
        `update protected_names set key = 'old'`,
      );
      await align();
      await assertComplete();
      assert.deepEqual(await storedVersions(), [{ skeletons: skeletonVersion }]);
      assert.deepEqual(
        (await rowsOf(fixture.registry.storage, 'protected_names')).map(({ key }) => key),
        ['acrne'],
      );
    });

    for (const version of [skeletonVersion, '17.0.0.10', '18.0.0.1']) {
      test(`changes nothing where ${version} is stored, which is no older`, async () => {
        await fixture.newApp();
        await catchUp(fixture.registry);
        await run(
          `insert into comparison_key_versions values ('${version}')`,
          `update app_comparison_keys set skeleton = 'kept'`,
        );
        await align();
        const comparisonKeys = await listStoredComparisonKeys(fixture.registry.storage.reader);
        assert.deepEqual(new Set(comparisonKeys.map(({ skeleton }) => skeleton)), new Set(['kept']));
        assert.deepEqual(await storedVersions(), [{ skeletons: version }]);
      });
    }
  });
});

function keyOf({ app_id, source, field }: { app_id: string; source: string; field: string }): string {
  return `${app_id} ${source} ${field}`;
}
