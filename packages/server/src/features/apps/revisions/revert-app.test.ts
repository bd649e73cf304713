import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { getAppAsOperator, transferApp, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, eventsDuring, validationErrorsOf, withoutNonce } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { revertApp } from '../../../../test/calls/revisions.ts';
import { archiveFirstEvents } from '../../../../test/registry/archive-first-events.ts';
import { newId } from '../../../kernel/ids.ts';
import { commandLine } from '../../../kernel/registry.ts';
import { findApp } from '../app-queries.ts';
import { undecidedColumns } from '../next-app.ts';

describe('revertApp', () => {
  forEachEngine((engine) => {
    let fixture: RegistryFixture;
    let now = Date.parse('2026-03-01T09:30:00.000Z');
    before(async () => {
      fixture = await RegistryFixture.open(engine, { now: () => now });
    });
    after(() => fixture.close());

    const update = (appId: string, change: object) => {
      now += 60_000;
      return updateAppAsOperator(fixture.registry, commandLine, { appId, update: change });
    };
    const revert = (appId: string, given: object, ifRevision?: number[]) => {
      now += 60_000;
      return revertApp(fixture.registry, commandLine, { appId, revert: given, ifRevision });
    };
    const refused = (appId: string, given: object, code: Parameters<typeof assertRefused>[2]) =>
      assertRefused(fixture.registry, () => revert(appId, given), code);
    const rowOf = async (id: string) => (await findApp(fixture.registry.storage.reader, { id })) ?? assert.fail();

    test('the approved content is restored as a new revision, and the app leaves the queue', async () => {
      const app = await fixture.newApp({
        status: 'APPROVED',
        logoId: (await fixture.newLogo()).id,
        oauthInfo: { loginUrl: 'https://a.example/', callbackUrl: 'https://a.example/back' },
      });
      await update(app.id, { name: newId('name'), oauthInfo: { loginUrl: null }, logoId: null });
      await update(app.id, { oauthInfo: { callbackUrl: 'https://evil.example/' } });
      assert.notEqual((await rowOf(app.id)).waiting_since, 0);

      let reverted = app;
      const reason = 'The account was taken over.';
      const events = await eventsDuring(fixture.registry, async () => {
        reverted = await revert(app.id, { toApproved: true, reason });
      });
      const { name, logoId, oauthInfo, listingInfo } = app;
      const { warnings, reviewSteps, ...shown } = await getAppAsOperator(fixture.registry, app.id);
      assert.deepEqual(
        { ...reverted, updatedAt: app.updatedAt, etag: app.etag },
        {
          ...shown,
          name,
          logoId,
          oauthInfo,
          listingInfo,
          updatedAt: app.updatedAt,
          etag: app.etag,
        },
      );
      assert.equal(reverted.revision, 4);
      const after = await rowOf(app.id);
      assert.deepEqual([undecidedColumns(after), after.cleared_since_approval, after.waiting_since], [[], null, 0]);

      const [updated, ...others] = events;
      assert.deepEqual(
        [updated?.type, withoutNonce(updated?.after)],
        ['app.updated', { name, logoId, oauthInfo, revision: 4 }],
      );
      assert.deepEqual(updated?.details, { changedSinceApproval: [], restoredRevision: 1 });
      assert.deepEqual([updated?.reason, others], [reason, []]);
    });

    test('an approved address that was removed and set again has effect again', async () => {
      const oauthInfo = { loginUrl: 'https://a.example/' };
      const { id } = await fixture.newApp({ status: 'APPROVED', oauthInfo });
      await update(id, { oauthInfo: { loginUrl: null } });
      await update(id, { oauthInfo });
      assert.deepEqual(undecidedColumns(await rowOf(id)), ['login_url']);
      assert.equal((await revert(id, { toApproved: true })).revision, 4);
      assert.deepEqual(undecidedColumns(await rowOf(id)), []);
      assert.equal((await rowOf(id)).waiting_since, 0);
    });

    test('a revision or a time that was never approved makes a change to review', async () => {
      const { id } = await fixture.newApp({ status: 'APPROVED' });
      await update(id, { listingInfo: { shortDescription: 'Second.' } });
      const second = new Date(now).toISOString();
      await update(id, { listingInfo: { shortDescription: null } });
      assert.equal((await rowOf(id)).waiting_since, 0);
      for (const target of [{ toRevision: 2 }, { toTime: second }]) {
        const reverted = await revert(id, target);
        assert.equal(reverted.listingInfo.shortDescription, 'Second.');
        assert.notEqual((await rowOf(id)).waiting_since, 0);
        await revert(id, { toApproved: true });
      }
    });

    test('content that the app already has changes nothing, also while it awaits review', async () => {
      const app = await fixture.newApp({ status: 'AWAITING_REVIEW' });
      let reverted: unknown;
      const events = await eventsDuring(fixture.registry, async () => {
        reverted = await revert(app.id, { toRevision: 1 });
      });
      assert.deepEqual([reverted, events], [app, []]);
    });

    test('exactly one target is required, and every error is reported', async () => {
      const { id } = await fixture.newApp();
      const errorsOf = async (given: object) => validationErrorsOf(await refused(id, given, 'invalid_content'));
      assert.deepEqual(await errorsOf({}), [' required']);
      assert.deepEqual(await errorsOf({ toApproved: false, toRevision: 0, reason: '' }), [
        '/toApproved not_allowed',
        '/toRevision not_allowed',
        '/reason too_short',
        '/toApproved not_allowed',
        '/toRevision not_allowed',
      ]);
      assert.deepEqual(await errorsOf({ toTime: '2999-01-01T00:00:00.000Z' }), ['/toTime not_allowed']);
    });

    test('the rules of an update apply', async () => {
      const { id, name } = await fixture.newApp();
      await update(id, { name: newId('name') });
      await refused(id, { toApproved: true }, 'app_not_approved');
      await refused(id, { toRevision: 3 }, 'revision_not_found');
      await refused(id, { toTime: '2000-01-01T00:00:00.000Z' }, 'revision_not_found');
      await refused(newId('app'), { toRevision: 1 }, 'app_not_found');
      await assert.rejects(revert(id, { toRevision: 1 }, [1]), { code: 'precondition_failed' });
      await fixture.review(id, 'submit');
      await refused(id, { toRevision: 1 }, 'app_under_review');
      await fixture.review(id, 'withdraw');
      await fixture.newApp({ name });
      assert.match((await refused(id, { toRevision: 1 }, 'name_taken')).message, /Choose other content/);
      await archiveFirstEvents(fixture.registry, id, 2);
      await refused(id, { toRevision: 1 }, 'revision_archived');
    });

    test('after a transfer, the copy of the logo comes back, and no logo of an earlier developer', async () => {
      const [first, second] = [await fixture.newLogo(), await fixture.newLogo()];
      const app = await fixture.newApp({ logoId: first.id });
      await update(app.id, { logoId: second.id, listingInfo: { shortDescription: 'Second.' } });
      const transfer = { developerId: fixture.otherDeveloper.id };
      const copied = await transferApp(fixture.registry, commandLine, { appId: app.id, transfer });
      await update(app.id, { logoId: null, listingInfo: { shortDescription: 'Fourth.' } });
      const reverted = await revert(app.id, { toRevision: 2 });
      assert.deepEqual([reverted.logoId, reverted.listingInfo.shortDescription], [copied.logoId, 'Second.']);
      const failure = await refused(app.id, { toRevision: 1 }, 'invalid_content');
      assert.deepEqual(validationErrorsOf(failure), ['/toRevision unusable_logo']);
    });
  });
});
