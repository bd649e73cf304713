import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { execute } from '../../../storage/testing/storage-test.ts';
import { listStoredApps, listStoredIdentities } from '../../../storage/testing/stored-apps.ts';
import { updateAppAsOperator } from '../../apps/update-app-as-operator.ts';
import { commandLine } from '../../registry.ts';
import { createProtectedName } from '../protected-names/create-protected-name.ts';
import { alignSkeletons } from './align-skeletons.ts';
import { identityRowsOf } from './identities.ts';
import { refreshStaleApps } from './refresh-stale-apps.ts';
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
  const stale = async () => (await rowsOf(fixture.registry.storage, 'stale_apps')).length;
  const refresh = () => refreshStaleApps(fixture.registry, { signal });
  const align = () => alignSkeletons(fixture.registry, { signal });

  async function assertComplete(): Promise<void> {
    const { reader } = fixture.registry.storage;
    const expected = (await listStoredApps(reader)).flatMap(identityRowsOf);
    const sorted = expected.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
    assert.deepEqual([await listStoredIdentities(reader), await stale()], [sorted, 0]);
  }

  describe('refreshing stale apps', () => {
    test('completes what an older program has changed: names, hosts and the place in the queue', async () => {
      const app = await fixture.newApp({ status: 'APPROVED', oauthInfo: { loginUrl: 'https://one.example/' } });
      await run(
        `update apps set login_url = 'https://two.example/', revision = revision + 1, updated_at = 5000000000000 where id = '${app.id}'`,
      );
      assert.equal(await stale(), 1);
      assert.equal(await refresh(), 1);
      await assertComplete();
      const [row] = await listStoredApps(fixture.registry.storage.reader);
      assert.deepEqual([row?.change_since, row?.waiting_since], [5_000_000_000_000, 5_000_000_000_000]);
      assert.equal(await refresh(), 0);
    });

    test('works through any number of apps in batches, and resumes where it was stopped', async () => {
      for (let count = 0; count < 7; count++) await fixture.newApp();
      await run(
        `insert into apps (id, developer_id, name, name_key, background_color, review_status, installation_count, revision, platform_revision, created_at, updated_at)
          with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 250)
          select 'app_' || n, '${fixture.developer.userId}', 'Old ' || n, 'old ' || n, '#ffffff', 'DRAFT', 0, 1, 1, 1, 1 from numbers`,
      );
      assert.equal(await stale(), 250);
      const stopped = new AbortController();
      stopped.abort();
      await assert.rejects(refreshStaleApps(fixture.registry, stopped), { name: 'AbortError' });
      assert.equal(await stale(), 150);
      assert.equal(await refresh(), 150);
      await assertComplete();
    });

    test('leaves an approved name to the app that took it while only older programs ran', async () => {
      const app = await fixture.newApp({ name: 'First', status: 'APPROVED' });
      await run(
        `update apps set approved_name_key = null, derived_from = null, name = 'Second', name_key = 'second', name_claim = 'second', revision = 2 where id = '${app.id}'`,
      );
      const other = await fixture.newApp({ name: 'First' });
      await refresh();
      await assertComplete();
      const change = (appId: string, update: object) =>
        updateAppAsOperator(fixture.registry, commandLine, { appId, update });
      await change(app.id, { listingInfo: { shortDescription: 'Changes as before.' } });
      await change(other.id, { name: 'Third' });
    });

    test('skips an app whose approved content is damaged, and no other', async () => {
      const app = await fixture.newApp({ status: 'APPROVED' });
      await fixture.newApp();
      await run(
        `update apps set approved_content = '{}', derived_from = null, revision = 2 where id = '${app.id}'`,
        `insert into stale_apps select id from apps where id <> '${app.id}'`,
        `delete from app_identities where app_id <> '${app.id}'`,
      );
      assert.equal(await refresh(), 2);
      const identities = await listStoredIdentities(fixture.registry.storage.reader);
      assert.deepEqual([new Set(identities.map(({ app_id }) => app_id)).size, await stale()], [2, 0]);
    });
  });

  describe('the version of the skeletons', () => {
    test('is stored, and leads to new skeletons where it was older', async () => {
      await align();
      assert.deepEqual(await rowsOf(fixture.registry.storage, 'identity_versions'), [{ skeletons: skeletonVersion }]);
      await fixture.newApp();
      await fixture.newApp({ status: 'APPROVED' });
      await createProtectedName(fixture.registry, commandLine, { name: 'Acme' });
      await run(
        `update identity_versions set skeletons = '9.0.0.1'`,
        `update app_identities set skeleton = 'old'`,
        `update protected_names set key = 'old'`,
      );
      await align();
      assert.equal(await stale(), 2);
      await refresh();
      await assertComplete();
      assert.deepEqual(await rowsOf(fixture.registry.storage, 'identity_versions'), [{ skeletons: skeletonVersion }]);
      assert.deepEqual(
        (await rowsOf(fixture.registry.storage, 'protected_names')).map(({ key }) => key),
        ['acrne'],
      );
    });

    for (const version of [skeletonVersion, '17.0.0.10', '18.0.0.1']) {
      test(`changes nothing where ${version} is stored, which is no older`, async () => {
        await fixture.newApp();
        await run(`insert into identity_versions values ('${version}')`);
        await align();
        assert.equal(await stale(), 0);
        assert.deepEqual(await rowsOf(fixture.registry.storage, 'identity_versions'), [{ skeletons: version }]);
      });
    }
  });
});

function keyOf({ app_id, source, field }: { app_id: string; source: string; field: string }): string {
  return `${app_id} ${source} ${field}`;
}
