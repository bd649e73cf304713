import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { revokeToken } from '@appregistrar/testkit/calls/access';
import { transferApp } from '@appregistrar/testkit/calls/apps';
import { updateDeveloper } from '@appregistrar/testkit/calls/developers';
import { setInstallationEnabled } from '@appregistrar/testkit/calls/installations';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { eventsDuring, everything } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from '../../kernel/ids.ts';
import { commandLine as caller } from '../../kernel/registry.ts';
import { updateApp } from '../apps/update-app.ts';
import { effectiveIn } from './append-event.ts';

onSqlite((engine) => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => Date.parse('2026-03-01T09:30:00.000Z') });
  });
  after(() => fixture.close());

  const update = (appId: string, change: object) =>
    updateApp(fixture.registry, caller, { appId, developerId: fixture.developer.id, update: change });

  test('an update records what differs from the approved content, until it is restored', async () => {
    const { id: appId, name } = await fixture.newApp({ status: 'APPROVED' });
    const changedBy = async (change: object) => {
      const [event] = await eventsDuring(fixture.registry, () => update(appId, change));
      return event?.details;
    };
    const shortDescription = 'Short.';
    assert.deepEqual(await changedBy({ name: newId('name') }), { changedSinceApproval: ['name'] });
    const both = ['name', 'listingInfo.shortDescription'];
    assert.deepEqual(await changedBy({ listingInfo: { shortDescription } }), { changedSinceApproval: both });
    assert.deepEqual(await changedBy({ name }), { changedSinceApproval: both.slice(1) });
    assert.deepEqual(await changedBy({ listingInfo: { shortDescription: null } }), { changedSinceApproval: [] });
    await fixture.review(appId, 'revoke');
    assert.deepEqual(await changedBy({ listingInfo: { shortDescription } }), { changedSinceApproval: both.slice(1) });
  });

  test('an event stores a value once, also if the change takes effect with it', async () => {
    const { id: appId } = await fixture.newApp({ status: 'APPROVED' });
    const longDescription = 'Long. '.repeat(200).trim();
    const change = { listingInfo: { longDescription } };
    await update(appId, change);
    const event = (await fixture.eventsOf(appId)).at(-1) ?? assert.fail();
    assert.equal(JSON.stringify(event).split(longDescription).length, 2);
    assert.deepEqual(effectiveIn(event), change);
  });

  describe('nothing is changed, and no event appended, by', () => {
    /** Each returns the work that changes nothing. */
    const noChanges: Record<string, () => Promise<() => Promise<unknown>>> = {
      'an update without a change': async () => {
        const { id, name } = await fixture.newApp();
        return () => update(id, { name });
      },
      'an update of an app in review without a change': async () => {
        const { id, name } = await fixture.newApp({ status: 'AWAITING_REVIEW' });
        return () => update(id, { name });
      },
      'an update of a developer without a change': async () => {
        const { id: userId, firstName } = fixture.developer;
        return () => updateDeveloper(fixture.registry, caller, { userId, update: { firstName } });
      },
      'a transfer to the same developer': async () => {
        const { id: appId, developerId } = await fixture.newApp();
        return () => transferApp(fixture.registry, caller, { appId, transfer: { developerId } });
      },
      'an already enabled installation': async () => {
        const { id } = await fixture.install(await fixture.newApp());
        return () => setInstallationEnabled(fixture.registry, caller, { id, enabled: true });
      },
      'an already disabled installation': async () => {
        const { id } = await fixture.install(await fixture.newApp());
        const disable = () => setInstallationEnabled(fixture.registry, caller, { id, enabled: false });
        await disable();
        return disable;
      },
      'an already revoked token': async () => {
        const { id } = await fixture.newToken('platform');
        await revokeToken(fixture.registry, caller, id);
        return () => revokeToken(fixture.registry, caller, id);
      },
    };
    for (const [name, prepare] of Object.entries(noChanges)) {
      test(name, async () => {
        const work = await prepare();
        const before = await everything(fixture.registry.storage);
        await work();
        assert.deepEqual(await everything(fixture.registry.storage), before);
      });
    }
  });
});
