import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { blockLogo } from '@appregistrar/testkit/calls/logos';
import { listReviewQueue, reviewApp } from '@appregistrar/testkit/calls/review';
import { updateSettings } from '@appregistrar/testkit/calls/settings';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, eventsDuring, rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { someoneWaits } from '@appregistrar/testkit/storage/storage-test';
import { approvedContent, effectiveContent } from '../../../../../client/src/operator/index.ts';
import { commandLine } from '../../../kernel/registry.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { openRegistry } from '../../settings/settings.ts';
import { findAppForUpdate } from '../app-queries.ts';
import { getApp, readAppRevision } from '../get-app.ts';
import { updateApp } from '../update-app.ts';

const start = Date.parse('2026-03-01T09:30:00.000Z');
const callbackUrl = 'https://a.example/callback';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let passedMs = 0;
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => start + passedMs });
  });
  after(() => fixture.close());

  const later = () => {
    passedMs += 60_000;
    return new Date(start + passedMs).toISOString();
  };
  const edit = (appId: string, update: object) =>
    updateApp(fixture.registry, commandLine, { appId, developerId: fixture.developer.id, update });
  const switchTo = (changesToApproved: 'live' | 'hold', existing?: 'approve' | 'hold') =>
    updateSettings(fixture.registry, commandLine, { update: { changesToApproved }, ...(existing && { existing }) });
  const hold = () => switchTo('hold', 'hold');
  const live = () => switchTo('live');
  const shown = async (id: string) => {
    const { name, updatedAt } = (await getApp(fixture.registry, id)).app;
    return { name, updatedAt, tag: await readAppRevision(fixture.registry, id) };
  };
  const approvedApp = (name: string) => fixture.newApp({ name, status: 'APPROVED', oauthInfo: { callbackUrl } });

  test('live: Get App shows a change at once', async () => {
    const app = await approvedApp('Live');
    const before = await shown(app.id);
    const updatedAt = later();
    await edit(app.id, { name: 'Live 2' });
    const after = await shown(app.id);
    assert.deepEqual([after.name, after.updatedAt], ['Live 2', updatedAt]);
    assert.notEqual(after.tag, before.tag);
  });

  test('hold: Get App shows the approved name and time under the same tag, Update App the developer’s own', async () => {
    await hold();
    const app = await approvedApp('Held');
    const before = await shown(app.id);
    const updatedAt = later();
    const { app: own } = await edit(app.id, { name: 'Held 2', oauthInfo: { callbackUrl: 'https://evil.example/' } });
    assert.deepEqual([own.name, own.updatedAt, own.reviewStatus], ['Held 2', updatedAt, 'APPROVED']);
    assert.deepEqual(await shown(app.id), before);
    const view = await getAppAsOperator(fixture.registry, app.id);
    const effective = effectiveContent(view);
    assert.deepEqual([approvedContent(view)?.name, view.name, effective?.name], ['Held', 'Held 2', 'Held']);
    assert.equal(effective?.oauthInfo.callbackUrl, callbackUrl);
    assert.deepEqual(view.effective, { source: 'approved' });
    await live();
  });

  test('hold: an app that was never approved is shown as it is, and one that is no longer approved as it was', async () => {
    await hold();
    const draft = await fixture.newApp({ name: 'A draft' });
    await edit(draft.id, { name: 'A draft 2' });
    assert.equal((await shown(draft.id)).name, 'A draft 2');

    const app = await approvedApp('Revoked');
    await fixture.review(app.id, 'revoke');
    const { tag } = await shown(app.id);
    later();
    await edit(app.id, { name: 'Revoked 2' });
    assert.deepEqual([(await shown(app.id)).name, (await shown(app.id)).tag], ['Revoked', tag]);
    assert.equal((await getAppAsOperator(fixture.registry, app.id)).effective, null);
    const at = later();
    await fixture.review(app.id, 'submit');
    assert.deepEqual([(await shown(app.id)).name, (await shown(app.id)).updatedAt], ['Revoked', at]);
    await fixture.review(app.id, 'approve');
    assert.equal((await shown(app.id)).name, 'Revoked 2');
    await live();
  });

  test('a removed address has no effect from then on in both modes, also when it is set again', async () => {
    for (const changesToApproved of ['live', 'hold']) {
      if (changesToApproved === 'hold') await hold();
      const app = await approvedApp(`Removal, ${changesToApproved}`);
      const view = () => getAppAsOperator(fixture.registry, app.id);
      const effective = async () => effectiveContent(await view())?.oauthInfo.callbackUrl;
      const [event] = await eventsDuring(fixture.registry, () => edit(app.id, { oauthInfo: { callbackUrl: null } }));
      assert.deepEqual(event?.effective, { oauthInfo: { callbackUrl: null } });
      assert.equal(await effective(), undefined);
      await edit(app.id, { oauthInfo: { callbackUrl } });
      assert.equal(await effective(), changesToApproved === 'live' ? callbackUrl : undefined);
      const approved = approvedContent(await view());
      assert.equal(approved?.oauthInfo.callbackUrl, callbackUrl, 'what was approved is history');
    }
    await live();
  });

  test('the approved name stays claimed beside the current one in both modes, until the app is deleted', async () => {
    for (const changesToApproved of ['live', 'hold']) {
      if (changesToApproved === 'hold') await hold();
      const app = await approvedApp(`Claimed ${changesToApproved}`);
      await edit(app.id, { name: `Claimed ${changesToApproved} 2` });
      await edit(app.id, { name: `Claimed ${changesToApproved} 3` });
      const other = await fixture.newApp();
      const rename = (name: string) => edit(other.id, { name });
      for (const name of [`CLAIMED ${changesToApproved}`, `claimed ${changesToApproved} 3`]) {
        await assertRefused(fixture.registry, () => rename(name), 'name_taken');
        await assertRefused(fixture.registry, () => fixture.newApp({ name }), 'name_taken');
      }
      await rename(`Claimed ${changesToApproved} 2`);
      const claims = (await rowsOf(fixture.registry.storage, 'name_claims')).filter(({ app_id }) => app_id === app.id);
      assert.deepEqual(
        claims.map(({ name_key }) => name_key),
        [`claimed ${changesToApproved}`, `claimed ${changesToApproved} 3`],
      );
    }
    await live();
  });

  test('the event of an edit under hold says nothing of the effective content, and under live it does', async () => {
    const app = await approvedApp('Events');
    const eventsOf = async (name: string) =>
      (await eventsDuring(fixture.registry, () => edit(app.id, { name }))).map(({ type, effective }) => [
        type,
        effective,
      ]);
    assert.deepEqual(await eventsOf('Events 2'), [['app.updated', { name: 'Events 2' }]]);
    await hold();
    assert.deepEqual(await eventsOf('Events 3'), [['app.updated', undefined]]);
    await live();
  });

  test('a switch changes what every process shows at once, at its time, with an event for each app, and back', async () => {
    const app = await approvedApp('Switched');
    const same = await approvedApp('Unchanged');
    later();
    await edit(app.id, { name: 'Switched 2' });
    const { storage: _, ...settings } = fixture.registry;
    const other = await openRegistry(await openStorage(fixture.databaseUrl), settings);
    const elsewhere = async (id: string) => (await getApp(other, id)).app;
    const before = [await shown(app.id), await shown(same.id)] as const;
    for (const [name, change] of [
      ['Switched', hold],
      ['Switched 2', live],
      ['Switched', hold],
      ['Switched 2', live],
    ] as const) {
      const revision = await readAppRevision(other, app.id);
      const at = later();
      const events = await eventsDuring(fixture.registry, change);
      const ofApp = events.filter(({ app_id }) => app_id === app.id);
      assert.deepEqual(
        ofApp.map(({ type, before: old, after: data, effective }) => [type, old, data, effective]),
        [['app.updated', {}, {}, { name }]],
      );
      assert.ok(!events.some(({ app_id }) => app_id === same.id));
      assert.notEqual(await readAppRevision(other, app.id), revision);
      const { name: seen, updatedAt } = await elsewhere(app.id);
      assert.deepEqual([seen, updatedAt], [name, at]);
      const { updatedAt: sameTime } = await elsewhere(same.id);
      assert.equal(sameTime, before[1].updatedAt);
    }
    await other.storage.close();
  });

  test('a switch to hold approves no blocked logo, whose change is held instead', async () => {
    const [logo, blocked] = [await fixture.newLogo(), await fixture.newLogo()];
    const { id } = await fixture.newApp({ status: 'APPROVED', logoId: logo.id });
    await edit(id, { logoId: blocked.id });
    await blockLogo(fixture.registry, commandLine, { id: blocked.id, block: { reason: 'A stolen trademark.' } });
    await switchTo('hold', 'approve');
    const app = await getAppAsOperator(fixture.registry, id);
    assert.deepEqual([approvedContent(app)?.logoId, effectiveContent(app)?.logoId], [logo.id, logo.id]);
    await live();
  });

  test('a switch that waits for a change is later than that change', async () => {
    const app = await approvedApp('Waited for');
    later();
    await edit(app.id, { name: 'Waited for 2' });
    const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const change = fixture.registry.storage.write(async (transaction) => {
      await findAppForUpdate(transaction, { id: app.id });
      locked.resolve();
      await released.promise;
    });
    await locked.promise;
    const switched = hold();
    await someoneWaits(fixture.registry.storage);
    const at = later();
    released.resolve();
    await Promise.all([change, switched]);
    const { name, updatedAt } = await shown(app.id);
    assert.deepEqual([name, updatedAt], ['Waited for', at]);
    await live();
  });

  test('a switch to hold lists the changed apps until "existing" decides about them, and can approve them', async () => {
    const app = await approvedApp('Undecided');
    await edit(app.id, { name: 'Undecided 2' });
    const refusal = await assertRefused(fixture.registry, () => switchTo('hold'), 'changes_undecided');
    assert.match(refusal.message, new RegExp(app.id));
    const before = await shown(app.id);
    later();
    const events = await eventsDuring(fixture.registry, () => switchTo('hold', 'approve'));
    assert.ok(events.some(({ type, app_id }) => type === 'app.change_approved' && app_id === app.id));
    const { name, updatedAt } = await shown(app.id);
    assert.deepEqual([name, updatedAt], ['Undecided 2', before.updatedAt], 'what is shown has not changed');
    assert.equal((await getAppAsOperator(fixture.registry, app.id)).changedSinceApproval, false);
    await live();
  });

  test('a rejected change awaits a decision again once a switch to live gives it effect', async () => {
    await hold();
    const app = await approvedApp('Rejected');
    const waitingSince = async () => {
      const { items } = await listReviewQueue(fixture.registry, { query: { limit: 100 }, showsNotes: true });
      return items.find((item) => item.app.id === app.id)?.waitingSince;
    };
    await edit(app.id, { name: 'Rejected 2' });
    const rejection = { step: 'reject-change', details: { message: 'No.' }, revision: 2 } as const;
    await reviewApp(fixture.registry, commandLine, { appId: app.id, ...rejection });
    assert.equal(await waitingSince(), undefined);
    const at = later();
    await live();
    assert.equal(effectiveContent(await getAppAsOperator(fixture.registry, app.id))?.name, 'Rejected 2');
    assert.equal(await waitingSince(), at);
    later();
    await hold();
    assert.equal(await waitingSince(), at);
    await live();
    await reviewApp(fixture.registry, commandLine, { appId: app.id, step: 'approve', revision: 2 });
    assert.equal(await waitingSince(), undefined);
  });
});
