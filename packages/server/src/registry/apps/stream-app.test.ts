import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forEachEngine } from 'app-registry-testkit/engines/engines';
import { RegistryFixture } from 'app-registry-testkit/registry/registry-fixture';
import type { InstallationRow } from '../../storage/tables.ts';
import { newId } from '../type-id.ts';
import { installationView } from './app-view.ts';
import { streamApp } from './get-app.ts';

const latest = Date.parse('9999-12-31T23:59:59.999Z');
const edges = [-86_400_001, -1, 0, 1, 999, 1_000, 951_782_399_999, 951_782_400_000, latest];

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  after(() => fixture.close());

  test('a streamed list equals the JSON of the views of its installations', async () => {
    const app = await fixture.newApp();
    const anyTimes = Array.from({ length: 600 }, () => Math.floor(Math.random() * 4_102_444_800_000));
    const rows = [...edges, ...anyTimes]
      .toSorted((one, other) => one - other)
      .map(
        (created_at, at): InstallationRow => ({
          id: newId('installation'),
          app_id: app.id,
          workspace_id: newId('workspace'),
          user_id: newId('user'),
          enabled: at % 3 === 0 ? 0 : 1,
          disabled_by: at % 3 === 0 ? 'workspace' : null,
          created_at,
        }),
      );
    await fixture.registry.storage.write((transaction) => transaction.insertNew('installations', rows));

    const texts: string[] = [];
    for await (const { installations } of streamApp(fixture.registry, app.id)) texts.push(installations);
    const views = JSON.stringify(rows.map(installationView));
    assert.equal(`[${texts.filter((text) => text !== '').join(',')}]`, views);
  });
});
