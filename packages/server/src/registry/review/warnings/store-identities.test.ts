import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { appOf, developerOf, fileOf } from '@appregistrar/testkit/registry/import-file';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { appRow } from '../../../storage/testing/default-rows.ts';
import { listStoredApps, listStoredIdentities } from '../../../storage/testing/stored-apps.ts';
import { deleteApp } from '../../apps/delete-app.ts';
import { restoreApp } from '../../apps/restore-app.ts';
import { updateAppAsOperator } from '../../apps/update-app-as-operator.ts';
import { importRegistry } from '../../import-export/import-registry.ts';
import { commandLine } from '../../registry.ts';
import { identityRowsOf } from './identities.ts';
import { updateIdentities } from './store-identities.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  after(() => fixture.close());

  /** The stored names and hosts, which must be those of the stored apps. */
  async function identities(appId: string): Promise<string[]> {
    const { reader } = fixture.registry.storage;
    const stored = await listStoredIdentities(reader);
    const expected = (await listStoredApps(reader)).flatMap(identityRowsOf);
    const texts = (rows: typeof stored) => rows.map((row) => JSON.stringify(row)).toSorted();
    assert.deepEqual(texts(stored), texts(expected));
    return stored.filter((row) => row.app_id === appId).map(({ source, value }) => `${source} ${value}`);
  }

  test('the names and hosts of an app follow it from its creation to its deletion', async () => {
    const { registry } = fixture;
    const { id } = await fixture.newApp({ name: 'One', oauthInfo: { loginUrl: 'https://in.one.example/' } });
    const change = (update: object) => updateAppAsOperator(registry, commandLine, { appId: id, update });
    assert.deepEqual(await identities(id), ['current example.one.in.', 'current one']);

    await fixture.review(id, 'submit');
    await fixture.review(id, 'approve');
    assert.deepEqual(await identities(id), ['approved example.one.in.', 'approved one']);

    await change({ name: 'Two', oauthInfo: { callbackUrl: 'https://127.0.0.1/' } });
    assert.deepEqual(await identities(id), [
      'approved example.one.in.',
      'approved one',
      'current 127.0.0.1.',
      'current two',
    ]);

    await change({ name: 'One', oauthInfo: { loginUrl: null } });
    assert.deepEqual(await identities(id), ['approved one', 'current 127.0.0.1.']);

    await fixture.review(id, 'revoke');
    assert.deepEqual(await identities(id), ['approved one', 'current 127.0.0.1.']);

    await deleteApp(registry, commandLine, { appId: id });
    assert.deepEqual(await identities(id), []);
    await restoreApp(registry, commandLine, id);
    assert.deepEqual(await identities(id), ['approved one', 'current 127.0.0.1.']);
  });

  test('an import stores those of the apps that it creates and changes', async () => {
    const developer = developerOf();
    const draft = { ...appOf(developer.userId, 'Draft'), oauthInfo: { callbackUrl: 'https://back.example/' } };
    const approved = { ...appOf(developer.userId, 'Approved'), reviewStatus: 'APPROVED' };
    const run = (...lines: object[]) =>
      importRegistry(fixture.registry, commandLine, { open: fileOf([developer, ...lines] as never) });
    await run(draft, approved);
    assert.deepEqual(await identities(draft.id), ['current example.back.', 'current draft']);
    assert.deepEqual(await identities(approved.id), ['approved approved']);
    await run({ ...draft, name: 'Draft two' }, approved);
    assert.deepEqual(await identities(draft.id), ['current example.back.', 'current draft two']);
  });

  test('a change of anything else reads and writes nothing for them', async () => {
    const app = appRow({ review_status: 'APPROVED', login_url: 'https://one.example/' });
    const changed = { ...app, short_description: 'Other', logo_id: 'logo_1', revision: 2, installation_count: 3 };
    const unused = new Proxy({} as never, { get: () => assert.fail('the database is used') });
    await updateIdentities(unused, app, changed);
    await updateIdentities(
      unused,
      { ...app, review_status: 'DRAFT' },
      { ...changed, review_status: 'AWAITING_REVIEW' },
    );
    await assert.rejects(updateIdentities(unused, app, { ...changed, login_url: null }), /the database is used/);
  });
});
