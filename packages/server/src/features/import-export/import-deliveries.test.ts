import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteApp } from '@appregistrar/testkit/calls/apps';
import { createWebhook } from '@appregistrar/testkit/calls/webhooks';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { appOf, developerOf, fileOf, installationOf } from '@appregistrar/testkit/registry/import-file';
import { eventsDuring, rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import { observeClock } from '../../kernel/time.ts';
import { checkRegistry } from '../integrity/check-registry.ts';
import { importRegistry } from './import-registry.ts';

const dayMs = 86_400_000;

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
    await observeClock(fixture.registry);
    await createWebhook(fixture.registry, commandLine, { url: 'https://hooks.example.com/registry' });
  });
  after(async () => {
    await checkRegistry(fixture.registry);
    await fixture.close();
  });

  const importLines = (lines: object[], options: { deliverEvents?: boolean }) =>
    importRegistry(fixture.registry, commandLine, { open: fileOf(lines), ...options });
  const deliveredIds = async () =>
    new Set((await rowsOf(fixture.registry.storage, 'deliveries')).map((delivery) => delivery.event_id));

  /** Imports new and updated objects of each type, an approval, and purges an app whose deletion has become final. */
  async function importEverything(options: { deliverEvents?: boolean }): Promise<string[]> {
    await deleteApp(fixture.registry, commandLine, { appId: (await fixture.newApp()).id });
    now += 31 * dayMs;
    await fixture.newLogo();
    const png = Buffer.from((await rowsOf(fixture.registry.storage, 'logos'))[0]?.png ?? []).toString('base64');

    const developer = developerOf();
    const createdAt = '2024-01-01T00:00:00.000Z';
    const logo = { type: 'logo', id: newId('logo'), developerId: developer.userId, createdAt, png };
    const revoked = { ...appOf(developer.userId, newId('name')), reviewStatus: 'REJECTED' };
    const deleted = { ...appOf(developer.userId, newId('name')), deletedAt: new Date(now).toISOString() };
    const [waiting, other] = [installationOf(revoked.id), installationOf(revoked.id)];
    await fixture.newApp();
    const events = await eventsDuring(fixture.registry, async () => {
      const disabled = { enabled: false, disabledBy: ['revocation'] };
      await importLines([developer, logo, revoked, deleted, { ...waiting, ...disabled }, other], options);
      const renamed = { ...deleted, name: newId('name') };
      const approved = { ...revoked, reviewStatus: 'APPROVED' };
      const changed = { ...developer, email: 'new@example.com' };
      await importLines([changed, approved, renamed, { ...other, enabled: false }], options);
    });
    assert.deepEqual([...new Set(events.map(({ type }) => type))].toSorted(), [
      'app.created',
      'app.deleted',
      'app.purged',
      'app.updated',
      'developer.created',
      'developer.updated',
      'installation.created',
      'installation.disabled',
      'installation.enabled',
      'logo.created',
    ]);
    return events.map(({ id }) => id);
  }

  test('an import records its events, also of purges and enabled installations, and delivers none to webhooks', async () => {
    for (const options of [{}, { deliverEvents: false }]) {
      const ids = await importEverything(options);
      const delivered = await deliveredIds();
      assert.deepEqual(
        ids.filter((id) => delivered.has(id)),
        [],
      );
    }
  });

  test('an import with deliveries enabled delivers each of its events', async () => {
    const ids = await importEverything({ deliverEvents: true });
    const delivered = await deliveredIds();
    assert.deepEqual(
      ids.filter((id) => !delivered.has(id)),
      [],
    );
  });

  test('changes after an import are delivered again', async () => {
    const app = appOf(fixture.developer.userId, 'Imported quietly');
    await importLines([app], {});
    const events = await eventsDuring(fixture.registry, () => fixture.review(app.id, 'submit'));
    const delivered = await deliveredIds();
    assert.deepEqual(
      events.map(({ type, id }) => [type, delivered.has(id)]),
      [['app.submitted', true]],
    );
  });
});
