import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from '../../kernel/ids.ts';
import type { InstallationRow } from '../../storage/tables.ts';
import { installationView } from '../installations/installation.ts';
import { streamApp } from './get-app.ts';

const [earliest, yearOne, latest] = [
  '0000-01-01T00:00:00.000Z',
  '0001-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
].map(Date.parse) as [number, number, number];
const edges = [-86_400_001, -1, 0, 1, 999, 1_000, 951_782_399_999, 951_782_400_000, yearOne - 1, yearOne];

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  after(() => fixture.close());

  test('a streamed list equals the JSON of the views of its installations', async () => {
    const app = await fixture.newApp();
    const now = Date.now();
    const times = [
      ...[earliest, ...edges, latest],
      ...Array.from({ length: 5_000 }, () => earliest + Math.floor(Math.random() * (latest - earliest))),
      // Many at one time, so that a text ends among them.
      ...Array.from({ length: 1_000 }, () => now + Math.floor(Math.random() * 2)),
    ];
    const rows = times
      .map(
        (created_at, at): InstallationRow => ({
          id: newId('installation'),
          app_id: app.id,
          workspace_id: newId('workspace'),
          user_id: newId('user'),
          enabled: at % 3 === 0 ? 0 : 1,
          disabled_by: at % 3 === 0 ? 'workspace' : null,
          created_at,
          updated_at: null,
        }),
      )
      .toSorted((one, other) => one.created_at - other.created_at || (one.id < other.id ? -1 : 1));
    await fixture.registry.storage.write((transaction) => transaction.insertNew('installations', rows));

    const texts: string[] = [];
    for await (const { installations } of streamApp(fixture.registry, app.id)) texts.push(installations);
    const views = JSON.stringify(rows.map(installationView));
    assert.equal(`[${texts.filter((text) => text !== '').join(',')}]`, views);
  });
});
