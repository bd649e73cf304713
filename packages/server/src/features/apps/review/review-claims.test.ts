import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteApp, getAppAsOperator, restoreApp, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { claimApp, listReviewQueue, releaseApp, reviewApp } from '@appregistrar/testkit/calls/review';
import { updateSettings } from '@appregistrar/testkit/calls/settings';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, eventsDuring, rowsOf, validationErrorsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { Failure } from '../../../kernel/failure.ts';
import { newId } from '../../../kernel/ids.ts';
import { type Caller, commandLine } from '../../../kernel/registry.ts';
import { observeClock } from '../../../kernel/time.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { openRegistry } from '../../settings/settings.ts';
import { pruneClaims } from './review-claims.ts';

const start = Date.parse('2026-03-01T09:30:00.000Z');
const minuteMs = 60_000;

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = start;
  let [grace, rui]: Caller[] = [];
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
    grace = await reviewer('Grace, reviewer');
    rui = await reviewer('Rui');
  });
  after(() => fixture.close());

  const reviewer = async (name: string): Promise<Caller> => {
    const { id } = await fixture.newToken('operator', { scopes: ['review'], name });
    return { actor: id, requestId: null };
  };
  const claim = (caller: Caller | undefined, appId: string, given: object = {}) =>
    claimApp(fixture.registry, caller ?? assert.fail(), { appId, claim: given });
  const lookAt = (caller: Caller | undefined, appId: string) => claim(caller, appId, { kind: 'presence' });
  const presenceAt = async (appId: string) => (await getAppAsOperator(fixture.registry, appId)).presence;
  const release = (caller: Caller | undefined, appId: string) =>
    releaseApp(fixture.registry, caller ?? assert.fail(), appId);
  const claimOf = async (appId: string) => (await getAppAsOperator(fixture.registry, appId)).claim;
  const queueOf = async (showsNotes: boolean) =>
    (await listReviewQueue(fixture.registry, { query: {}, showsNotes })).items;

  test('a claim shows its reviewer in the queue and with the app for 15 minutes, and renewing it prolongs it', async () => {
    const { id } = await fixture.newApp({ status: 'AWAITING_REVIEW' });
    const claimed = await claim(grace, id);
    assert.deepEqual(claimed, {
      kind: 'assignment',
      actor: grace?.actor,
      actorName: 'Grace, reviewer',
      claimedAt: '2026-03-01T09:30:00.000Z',
      expiresAt: '2026-03-01T09:45:00.000Z',
    });
    assert.deepEqual(await claimOf(id), claimed);
    assert.deepEqual((await queueOf(true)).find(({ app }) => app.id === id)?.claim, claimed);
    now += 10 * minuteMs;
    const renewed = await claim(grace, id);
    assert.deepEqual(renewed, { ...claimed, expiresAt: '2026-03-01T09:55:00.000Z' });
    now += 15 * minuteMs - 1;
    assert.deepEqual(await claimOf(id), renewed);
    now += 1;
    assert.equal(await claimOf(id), undefined);
    assert.equal((await claim(rui, id)).actorName, 'Rui', 'an expired claim is free');
    await fixture.review(id, 'withdraw');
  });

  test('reviewers who look at an app are shown for a minute, and renewing that prolongs it', async () => {
    const { id } = await fixture.newApp({ status: 'AWAITING_REVIEW' });
    const at = (ms: number) => new Date(now + ms).toISOString();
    const first = await lookAt(grace, id);
    const here = { kind: 'presence', actor: grace?.actor, actorName: 'Grace, reviewer', claimedAt: at(0) };
    assert.deepEqual(first, { ...here, expiresAt: at(minuteMs) });
    assert.deepEqual(await presenceAt(id), [first]);
    now += minuteMs / 2;
    const second = await lookAt(rui, id);
    const renewed = await lookAt(grace, id);
    assert.deepEqual(renewed, { ...here, expiresAt: at(minuteMs) });
    assert.deepEqual(await presenceAt(id), [renewed, second]);
    assert.deepEqual((await queueOf(true)).find(({ app }) => app.id === id)?.presence, [renewed, second]);
    now += minuteMs;
    assert.equal(await presenceAt(id), undefined);
    assert.equal((await lookAt(grace, id)).claimedAt, at(0), 'one that has expired is not continued');
    await fixture.review(id, 'withdraw');
  });

  test('a reviewer is present at the app that they opened last', async () => {
    const [one, two] = [await fixture.newApp(), await fixture.newApp()];
    await lookAt(grace, one.id);
    now += 1_000;
    const moved = await lookAt(grace, two.id);
    assert.equal(moved.claimedAt, new Date(now).toISOString());
    assert.deepEqual([await presenceAt(one.id), await presenceAt(two.id)], [undefined, [moved]]);
  });

  test('a presence is never refused, and neither replaces an assignment nor becomes one', async () => {
    const { id } = await fixture.newApp();
    await lookAt(rui, id);
    const assigned = await claim(grace, id);
    await lookAt(rui, id);
    assert.deepEqual(await claimOf(id), assigned);
    await lookAt(grace, id);
    assert.deepEqual(await claimOf(id), assigned);
    await release(grace, id);
    assert.equal(await claimOf(id), undefined);
    assert.equal((await presenceAt(id))?.length, 2, 'a release ends the assignment only');
  });

  test('of two windows of a reviewer that open different apps at the same time, one counts', async () => {
    const apps = [await fixture.newApp(), await fixture.newApp(), await fixture.newApp()];
    await Promise.all(apps.map(({ id }) => lookAt(grace, id)));
    const present = await Promise.all(apps.map(({ id }) => presenceAt(id)));
    assert.equal(present.filter((one) => one !== undefined).length, 1);
  });

  test('a caller without access to review data sees no claim', async () => {
    const { id } = await fixture.newApp({ status: 'AWAITING_REVIEW' });
    await claim(grace, id);
    await lookAt(grace, id);
    const hidden = [await getAppAsOperator(fixture.registry, id, { showsNotes: false }), ...(await queueOf(false))];
    assert.ok(hidden.every((one) => !('claim' in one) && !('presence' in one)));
    await fixture.review(id, 'withdraw');
  });

  test('an app that another reviewer has claimed is refused by their name, unless it is taken over', async () => {
    const { id } = await fixture.newApp({ status: 'AWAITING_REVIEW' });
    await claim(grace, id);
    const refusal = await assertRefused(fixture.registry, () => claim(rui, id), 'app_claimed');
    assert.ok(refusal.message.includes(`"Grace, reviewer" (${grace?.actor})`), refusal.message);
    await assertRefused(fixture.registry, () => release(rui, id), 'app_claimed');
    assert.equal((await claim(rui, id, { takeOver: true })).actorName, 'Rui');
    await assertRefused(fixture.registry, () => claim(grace, id, { takeOver: false }), 'app_claimed');
    await fixture.review(id, 'withdraw');
  });

  test('of reviewers who claim an app at the same time, in one process or two, exactly one succeeds', async () => {
    const { id } = await fixture.newApp({ status: 'AWAITING_REVIEW' });
    const { logoBaseUrl: _, ...settings } = fixture.registry;
    const other = await openRegistry(
      await openStorage(fixture.databaseUrl),
      { ...settings, logoBaseUrl: 'https://apps.example.com/logos' },
      fixture.registry,
    );
    const claims = [grace, rui, grace, rui].map((caller, at) =>
      claimApp(at < 2 ? fixture.registry : other, caller ?? assert.fail(), { appId: id, claim: {} }),
    );
    const outcomes = await Promise.allSettled(claims);
    const winners = new Set(outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value.actor] : [])));
    const refusals = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    assert.equal(winners.size, 1);
    assert.deepEqual([(await claimOf(id))?.actor], [...winners]);
    assert.equal(refusals.length, 2);
    for (const refusal of refusals) assert.ok(refusal instanceof Failure && refusal.code === 'app_claimed');
    await other.storage.close();
    await fixture.review(id, 'withdraw');
  });

  test('each decision of anyone and a withdrawal end the claim, and a refused decision does not', async () => {
    const { registry } = fixture;
    const decide = (appId: string, step: 'approve' | 'reject' | 'revoke') =>
      reviewApp(registry, rui ?? assert.fail(), {
        appId,
        step,
        ...(step !== 'approve' && { details: { message: 'No.' } }),
      });
    const { id } = await fixture.newApp({ status: 'AWAITING_REVIEW' });
    await claim(grace, id);
    await assertRefused(registry, () => decide(id, 'revoke'), 'review_status_conflict');
    assert.ok(await claimOf(id));
    for (const step of ['approve', 'revoke'] as const) {
      await claim(grace, id);
      await decide(id, step);
      assert.equal(await claimOf(id), undefined, step);
    }
    await claim(grace, id);
    await fixture.review(id, 'submit');
    assert.ok(await claimOf(id), 'a submission is no decision');
    await decide(id, 'reject');
    assert.equal(await claimOf(id), undefined);
    await fixture.review(id, 'submit');
    await claim(grace, id);
    await fixture.review(id, 'withdraw');
    assert.equal(await claimOf(id), undefined);
  });

  test('the setting that approves all changes ends their claims', async () => {
    const { registry } = fixture;
    const app = await fixture.newApp({ status: 'APPROVED' });
    await updateAppAsOperator(registry, commandLine, { appId: app.id, update: { name: `${app.name} again` } });
    await claim(grace, app.id);
    await updateSettings(registry, commandLine, { update: { changesToApproved: 'hold' }, existing: 'approve' });
    assert.equal(await claimOf(app.id), undefined);
    await updateSettings(registry, commandLine, { update: { changesToApproved: 'live' } });
  });

  test('a deleted app has no claim, neither when it is restored', async () => {
    const { id } = await fixture.newApp({ status: 'AWAITING_REVIEW' });
    await claim(grace, id);
    await deleteApp(fixture.registry, commandLine, { appId: id });
    await assertRefused(fixture.registry, () => claim(grace, id), 'app_not_found');
    await restoreApp(fixture.registry, commandLine, id);
    assert.equal(await claimOf(id), undefined);
    await fixture.review(id, 'withdraw');
  });

  test('a release ends only the caller’s own claim, and succeeds without one', async () => {
    const { id } = await fixture.newApp();
    await claim(grace, id);
    assert.deepEqual(await release(grace, id), { appId: id, wasClaimed: true });
    assert.deepEqual(await release(grace, id), { appId: id, wasClaimed: false });
    assert.deepEqual(await release(rui, id), { appId: id, wasClaimed: false });
    assert.equal(await claimOf(id), undefined);
  });

  test('a claim made while the clock was ahead is ignored once the clock is right', async () => {
    const { id } = await fixture.newApp();
    now += 3_600_000;
    await claim(grace, id);
    now -= 3_600_000;
    assert.equal(await claimOf(id), undefined);
    assert.equal((await claim(rui, id)).actorName, 'Rui');
    now -= 30_000;
    assert.ok(await claimOf(id), 'clocks of processes differ a little');
    now += 30_000;
  });

  test('claims append no events, and only expired ones are deleted once the clock is trusted', async () => {
    const { id } = await fixture.newApp();
    const events = await eventsDuring(fixture.registry, async () => {
      await claim(grace, id);
      await release(grace, id);
      await claim(grace, id);
      await lookAt(grace, id);
    });
    assert.deepEqual(events, []);
    const { machine } = fixture.registry;
    const atBoot = { ...fixture.registry, machine: { ...machine, bootId: 'a machine that was just started' } };
    now += 15 * minuteMs;
    assert.equal(await pruneClaims(atBoot), 0, 'a single reading of a clock proves nothing');
    const stored = async () => {
      const { storage } = fixture.registry;
      return [...(await rowsOf(storage, 'review_claims')), ...(await rowsOf(storage, 'review_presence'))];
    };
    assert.ok((await stored()).length > 0);
    await observeClock(fixture.registry);
    now += 7 * 60 * minuteMs;
    const { id: current } = await fixture.newApp();
    await claim(grace, current);
    assert.ok((await pruneClaims(fixture.registry)) > 0);
    assert.deepEqual(
      (await stored()).map(({ app_id }) => app_id),
      [current],
    );
  });

  test('an unknown app and a wrong request are refused', async () => {
    await assertRefused(fixture.registry, () => claim(grace, newId('app')), 'app_not_found');
    await assertRefused(fixture.registry, () => claim(grace, 'app_1'), 'app_not_found');
    await assertRefused(fixture.registry, () => release(grace, newId('app')), 'app_not_found');
    const { id } = await fixture.newApp();
    const refusal = await assertRefused(
      fixture.registry,
      () => claim(grace, id, { takeOver: 'yes' }),
      'invalid_content',
    );
    assert.deepEqual(validationErrorsOf(refusal), ['/takeOver wrong_type']);
    await assertRefused(fixture.registry, () => lookAt(grace, newId('app')), 'app_not_found');
    for (const given of [{ kind: 'ownership' }, { kind: 'presence', takeOver: true }, null, 'presence']) {
      await assertRefused(fixture.registry, () => claim(grace, id, given as object), 'invalid_content');
    }
  });
});
