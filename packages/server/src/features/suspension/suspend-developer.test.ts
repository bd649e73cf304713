import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { listTokens, revokeToken } from '@appregistrar/testkit/calls/access';
import {
  createApp,
  deleteApp,
  getAppAsOperator,
  restoreApp,
  transferApp,
  updateAppAsOperator,
} from '@appregistrar/testkit/calls/apps';
import { createDeveloper, getDeveloper } from '@appregistrar/testkit/calls/developers';
import { createInstallation, getInstallation, setInstallationEnabled } from '@appregistrar/testkit/calls/installations';
import { reviewApp } from '@appregistrar/testkit/calls/review';
import { suspendDeveloper, unsuspendDeveloper } from '@appregistrar/testkit/calls/suspension';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, eventsDuring, everything } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { runOrTry } from '../../kernel/dry-run.ts';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import { authenticate } from '../access/access-token.ts';
import { findApp } from '../apps/app-queries.ts';
import type { OperatorApp } from '../apps/app-schemas.ts';
import { getApp, readAppRevision } from '../apps/get-app.ts';
import { updateApp } from '../apps/update-app.ts';
import { importRegistry } from '../import-export/import-registry.ts';
import { checkRegistry } from '../integrity/check-registry.ts';

const reason = 'The apps send customer data elsewhere.';
const none = { tokens: 0, apps: 0, approvedApps: 0, installations: 0 };

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => (now += 1000) });
  });
  after(() => fixture.close());

  const suspend = (userId: string) =>
    suspendDeveloper(fixture.registry, commandLine, { userId, suspension: { reason } });
  const unsuspend = (userId: string) => unsuspendDeveloper(fixture.registry, commandLine, userId);
  const newDeveloper = async () =>
    (await createDeveloper(fixture.registry, commandLine, { email: 'eve@example.com' })).userId;
  const show = (app: { id: string }) => getAppAsOperator(fixture.registry, app.id);
  const waitingSince = async ({ id }: { id: string }) =>
    (await findApp(fixture.registry.storage.reader, { id }))?.waiting_since;
  const refusal = (work: () => Promise<unknown>) => assertRefused(fixture.registry, work, 'developer_suspended');
  const inWorkspace = (appId: string, userId = newId('user')) =>
    createInstallation(fixture.registry, commandLine, { appId, workspaceId: newId('workspace'), userId });
  const set = (id: string, enabled: boolean) => setInstallationEnabled(fixture.registry, commandLine, { id, enabled });
  const causes = async (id: string) => (await getInstallation(fixture.registry, id)).disabledBy;
  const transfer = (appId: string, developerId: string) =>
    transferApp(fixture.registry, commandLine, { appId, transfer: { developerId } });
  const assertConsistent = () => checkRegistry(fixture.registry);

  /** A developer with an app in each status, and two installations of the approved one, which one workspace has disabled. */
  const withApps = async () => {
    const developerId = await newDeveloper();
    const approved = await fixture.newApp({ developerId, status: 'APPROVED' });
    const enabled = await inWorkspace(approved.id);
    const disabled = await inWorkspace(approved.id);
    await set(disabled.id, false);
    const draft = await fixture.newApp({ developerId });
    const tested = await fixture.install(draft);
    const waiting = await fixture.newApp({ developerId, status: 'AWAITING_REVIEW' });
    const rejected = await fixture.newApp({ developerId, status: 'REJECTED' });
    return { developerId, approved, enabled, disabled, draft, tested, waiting, rejected };
  };

  describe('a suspension', () => {
    test('revokes approved apps, disables all installations, and takes what waits out of the queue', async () => {
      const { developerId, approved, enabled, disabled, draft, tested, waiting, rejected } = await withApps();
      const developer = await getDeveloper(fixture.registry, developerId);
      const { suspendedAt, ...result } = await suspend(developerId);
      const counts = { tokens: 0, apps: 4, approvedApps: 1, installations: 3 };
      assert.deepEqual(result, { ...developer, suspensionReason: reason, ...counts });
      const statuses = await Promise.all([approved, draft, waiting, rejected].map(show));
      assert.deepEqual(
        statuses.map(({ reviewStatus, suspendedStatus }) => [reviewStatus, suspendedStatus]),
        [
          ['REJECTED', 'APPROVED'],
          ['DRAFT', 'DRAFT'],
          ['AWAITING_REVIEW', 'AWAITING_REVIEW'],
          ['REJECTED', 'REJECTED'],
        ],
      );
      assert.equal(statuses[0]?.rejectionReason, reason);
      assert.deepEqual(await causes(enabled.id), ['suspension']);
      assert.deepEqual(await causes(disabled.id), ['workspace', 'suspension']);
      assert.deepEqual(await causes(tested.id), ['suspension']);
      const { app } = await getApp(fixture.registry, approved.id);
      assert.deepEqual([app.reviewStatus, app.installations.map((one) => one.enabled)], ['REJECTED', [false, false]]);
      assert.deepEqual(await getDeveloper(fixture.registry, developerId), {
        ...developer,
        suspendedAt,
        suspensionReason: reason,
      });
      await assertConsistent();
    });

    test('appends an event for each app and installation, and then for itself', async () => {
      const { developerId, approved, enabled, disabled, tested } = await withApps();
      const events = await eventsDuring(fixture.registry, () => suspend(developerId));
      assert.deepEqual(
        events.map(({ type, subject_id: subject }) => [type, subject]).toSorted(),
        [
          ['app.revoked', approved.id],
          ['developer.suspended', developerId],
          ...[enabled, disabled, tested].map(({ id }) => ['installation.disabled', id]),
        ].toSorted(),
      );
      const revoked = events.find(({ type }) => type === 'app.revoked');
      assert.equal(revoked?.effective, null);
      assert.deepEqual(revoked?.after, {
        reviewStatus: 'REJECTED',
        revision: 1,
        reason,
        developerSuspended: true,
      });
      const { suspendedAt, ...after } = events.at(-1)?.after ?? {};
      assert.deepEqual(after, { reason, tokens: 0, apps: 4, approvedApps: 1, installations: 3 });
      assert.ok(suspendedAt);
    });

    test('changes the platform view of an app in any status that has installations', async () => {
      const { developerId, draft } = await withApps();
      const revision = await readAppRevision(fixture.registry, draft.id);
      await suspend(developerId);
      const suspended = await readAppRevision(fixture.registry, draft.id);
      await unsuspend(developerId);
      assert.equal(new Set([revision, suspended, await readAppRevision(fixture.registry, draft.id)]).size, 3);
    });

    test('concerns no one else', async () => {
      const other = await withApps();
      const before = await Promise.all([other.approved, other.draft, other.waiting, other.rejected].map(show));
      const { developerId } = await withApps();
      await suspend(developerId);
      assert.deepEqual(
        await Promise.all([other.approved, other.draft, other.waiting, other.rejected].map(show)),
        before,
      );
      assert.equal(await causes(other.enabled.id), undefined);
    });

    test('refuses the tokens of the developer, also those that are issued later', async () => {
      const developerId = await newDeveloper();
      const { token, id } = await fixture.newToken('developer', { developerId });
      const { token: others } = await fixture.newToken('developer');
      const isSuspended = async (text: string) => (await authenticate(fixture.registry, text))?.isSuspended;
      assert.equal(await isSuspended(token), false);
      assert.equal((await suspend(developerId)).tokens, 1);
      const { token: later } = await fixture.newToken('developer', { developerId });
      assert.deepEqual(
        [await isSuspended(token), await isSuspended(later), await isSuspended(others)],
        [true, true, false],
      );
      const listed = await listTokens(fixture.registry, { developerId });
      assert.deepEqual(
        listed.items.map(({ suspended }) => suspended),
        [true, true],
      );
      await revokeToken(fixture.registry, commandLine, id);
      assert.equal((await unsuspend(developerId)).tokens, 1);
      assert.deepEqual([await isSuspended(token), await isSuspended(later)], [undefined, false]);
    });

    test('has no effect when repeated, and retains its first time and reason', async () => {
      const { developerId } = await withApps();
      await fixture.newToken('developer', { developerId });
      const first = await suspend(developerId);
      const events = await eventsDuring(fixture.registry, async () => {
        const again = await suspendDeveloper(fixture.registry, commandLine, {
          userId: developerId,
          suspension: { reason: 'Other.' },
        });
        assert.deepEqual(again, { ...first, ...none });
      });
      assert.deepEqual(events, []);
    });

    test('needs a reason and a developer', async () => {
      const { registry } = fixture;
      const work = () => suspendDeveloper(registry, commandLine, { userId: newId('user'), suspension: {} });
      await assertRefused(registry, work, 'invalid_content');
      for (const id of [newId('user'), 'ada']) {
        await assertRefused(registry, () => suspend(id), 'developer_not_found');
        await assertRefused(registry, () => unsuspend(id), 'developer_not_found');
      }
    });
  });

  describe('while a developer is suspended', () => {
    const suspended = async () => {
      const apps = await withApps();
      await suspend(apps.developerId);
      return apps;
    };

    test('nothing of theirs is submitted, approved, installed or enabled', async () => {
      const { developerId, approved, enabled, draft, tested, waiting } = await suspended();
      const works = [
        () => fixture.review(approved.id, 'submit'),
        () => fixture.review(draft.id, 'submit'),
        () => fixture.review(waiting.id, 'approve'),
        () => inWorkspace(approved.id),
        () => fixture.install(draft),
        () => set(enabled.id, true),
        () => set(tested.id, true),
      ];
      for (const work of works) {
        const { message } = await refusal(work);
        assert.equal(
          message,
          `The developer of the app, ${developerId}, is suspended, so the app cannot be submitted, approved, installed or enabled. End the suspension first, or transfer the app to another developer.`,
        );
      }
      assert.equal(await waitingSince(waiting), 0);
    });

    test('refusals of review steps name only steps that the suspension allows', async () => {
      const { approved, draft, waiting } = await suspended();
      const message = async (work: () => Promise<unknown>) =>
        (await assertRefused(fixture.registry, work, 'review_status_conflict')).message;
      assert.equal(
        await message(() => fixture.review(draft.id, 'revoke')),
        'The step "revoke" is not allowed for an app that is DRAFT while its developer is suspended. End the suspension first.',
      );
      assert.match(
        await message(() => fixture.review(approved.id, 'reject')),
        / app that is REJECTED while its developer is suspended\. It was revoked by .* Allowed now: revoke\.$/,
      );
      assert.match(
        await message(() => fixture.review(waiting.id, 'revoke')),
        / app that is AWAITING_REVIEW while its developer is suspended\. .*Allowed now: withdraw, reject\.$/,
      );
    });

    test('an app that was approved can be revoked: it stays so when the suspension ends', async () => {
      const { developerId, approved, enabled, disabled } = await suspended();
      const revoke = (appId: string) =>
        reviewApp(fixture.registry, commandLine, {
          appId,
          step: 'revoke',
          details: { message: 'It sends spam.', disableInstallations: true },
        });
      const [event, ...others] = (await eventsDuring(fixture.registry, () => revoke(approved.id))).filter(({ type }) =>
        type.startsWith('app.'),
      );
      assert.deepEqual([event?.type, event?.after?.message, others], ['app.revoked', 'It sends spam.', []]);
      const { suspendedStatus, rejectionReason, updatedAt } = await show(approved);
      assert.deepEqual([suspendedStatus, rejectionReason], ['REJECTED', 'It sends spam.']);
      await assertRefused(fixture.registry, () => revoke(approved.id), 'review_status_conflict');
      await assertConsistent();
      await suspend(developerId);
      await unsuspend(developerId);
      const after = await show(approved);
      assert.deepEqual(
        [after.reviewStatus, after.suspendedStatus, after.rejectionReason, after.updatedAt],
        ['REJECTED', undefined, 'It sends spam.', updatedAt],
      );
      assert.deepEqual(
        [await causes(enabled.id), await causes(disabled.id)],
        [['revocation'], ['workspace', 'revocation']],
      );
      await assertConsistent();
    });

    test('no app can be transferred to them, and their requests in progress change nothing', async () => {
      const { developerId, draft } = await suspended();
      const app = await fixture.newApp();
      const { message } = await refusal(() => transfer(app.id, developerId));
      assert.equal(
        message,
        `The developer ${developerId} is suspended and cannot receive an app. End the suspension first, or choose another developer.`,
      );
      const input = { appId: draft.id, developerId, update: { name: 'Late' } };
      await refusal(() => updateApp(fixture.registry, commandLine, input));
    });

    test('an app that an operator creates for them, restores or imports is suspended too', async () => {
      const developerId = await newDeveloper();
      const deleted = await fixture.newApp({ developerId, status: 'APPROVED' });
      await deleteApp(fixture.registry, commandLine, { appId: deleted.id });
      const gone = await fixture.newApp({ developerId, status: 'APPROVED' });
      await suspend(developerId);
      await deleteApp(fixture.registry, commandLine, { appId: gone.id });

      const created = await createApp(fixture.registry, commandLine, { developerId, name: `New ${developerId}` });
      assert.equal(created.suspendedStatus, 'DRAFT');
      for (const { id } of [deleted, gone]) {
        const { reviewStatus, suspendedStatus } = await restoreApp(fixture.registry, commandLine, id);
        assert.deepEqual([reviewStatus, suspendedStatus], ['REJECTED', 'APPROVED']);
      }
      const imported = newId('app');
      const createdAt = '2026-01-01T00:00:00.000Z';
      const lines = [
        {
          type: 'app',
          id: imported,
          developerId,
          name: `Imported ${developerId}`,
          createdAt,
          reviewStatus: 'APPROVED',
        },
        { type: 'app', id: deleted.id, developerId, name: deleted.name, createdAt, reviewStatus: 'APPROVED' },
        { type: 'installation', appId: imported, workspaceId: newId('workspace'), userId: newId('user'), createdAt },
      ];
      const bytes = Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
      await importRegistry(fixture.registry, commandLine, {
        open: async function* open() {
          yield bytes;
        },
      });
      for (const id of [imported, deleted.id]) {
        const { reviewStatus, suspendedStatus } = await show({ id });
        assert.deepEqual([reviewStatus, suspendedStatus], ['REJECTED', 'APPROVED']);
      }
      const { app } = await getApp(fixture.registry, imported);
      assert.deepEqual(
        app.installations.map(({ enabled }) => enabled),
        [false],
      );
      await assertConsistent();
      await unsuspend(developerId);
      const after = await Promise.all([created, deleted, gone, { id: imported }].map(show));
      assert.deepEqual(
        after.map(({ reviewStatus }) => reviewStatus),
        ['DRAFT', 'APPROVED', 'APPROVED', 'APPROVED'],
      );
    });
  });

  describe('the end of a suspension', () => {
    test('undoes exactly what the suspension did', async () => {
      const { developerId, approved, enabled, disabled, draft, tested, waiting, rejected } = await withApps();
      const apps = [approved, draft, waiting, rejected];
      const withoutTime = async (app: OperatorApp) => {
        const { updatedAt, ...rest } = await show(app);
        return rest;
      };
      const before = await Promise.all(apps.map(withoutTime));
      const waitingBefore = await waitingSince(waiting);
      await suspend(developerId);
      const events = await eventsDuring(fixture.registry, async () => {
        const result = await unsuspend(developerId);
        const counts = { tokens: 0, apps: 4, approvedApps: 1, installations: 3 };
        assert.deepEqual(result, {
          ...(await getDeveloper(fixture.registry, developerId)),
          ...counts,
          skippedApps: 0,
          skipped: [],
        });
      });
      assert.deepEqual(await Promise.all(apps.map(withoutTime)), before);
      assert.ok(waitingBefore);
      assert.equal(await waitingSince(waiting), waitingBefore);
      assert.deepEqual(
        [await causes(enabled.id), await causes(disabled.id), await causes(tested.id)],
        [undefined, ['workspace'], undefined],
      );
      const types = events.map(({ type }) => type);
      assert.deepEqual(types.toSorted(), [
        'app.approved',
        'developer.unsuspended',
        'installation.disabled',
        'installation.enabled',
        'installation.enabled',
      ]);
      await assertConsistent();
      assert.deepEqual(await eventsDuring(fixture.registry, () => unsuspend(developerId)), []);
    });

    test('returns a change to an approved app to its place in the queue, also one that an operator made', async () => {
      const developerId = await newDeveloper();
      const [early, late] = [
        await fixture.newApp({ developerId, status: 'APPROVED' }),
        await fixture.newApp({ developerId, status: 'APPROVED' }),
      ];
      const rename = ({ id }: OperatorApp) =>
        updateAppAsOperator(fixture.registry, commandLine, { appId: id, update: { name: `Safe ${id}` } });
      await rename(early);
      const since = await waitingSince(early);
      await suspend(developerId);
      await rename(late);
      assert.deepEqual([await waitingSince(early), await waitingSince(late)], [0, 0]);
      await unsuspend(developerId);
      assert.equal(await waitingSince(early), since);
      assert.ok(await waitingSince(late));
      const { reviewStatus, changedSinceApproval } = await show(late);
      assert.deepEqual([reviewStatus, changedSinceApproval], ['APPROVED', true]);
    });

    test('skips and lists apps that were decided on, deleted or transferred meanwhile', async () => {
      const { developerId, approved, enabled, disabled, draft, tested, waiting, rejected } = await withApps();
      await suspend(developerId);
      await fixture.review(waiting.id, 'reject');
      await deleteApp(fixture.registry, commandLine, { appId: rejected.id });
      const heir = await newDeveloper();
      await transfer(approved.id, heir);
      await transfer(draft.id, heir);
      assert.deepEqual(
        [await causes(enabled.id), await causes(disabled.id), await causes(tested.id)],
        [['revocation'], ['workspace', 'revocation'], undefined],
      );
      const { skipped, skippedApps } = await unsuspend(developerId);
      assert.equal(skippedApps, 4);
      assert.deepEqual(skipped, [
        { appId: rejected.id, reason: 'deleted' },
        { appId: approved.id, reason: 'transferred' },
        { appId: draft.id, reason: 'transferred' },
        { appId: waiting.id, reason: 'decided' },
      ]);
      const { suspendedStatus, reviewStatus } = await show(waiting);
      assert.deepEqual([reviewStatus, suspendedStatus], ['REJECTED', undefined]);
      assert.equal((await show(approved)).reviewStatus, 'REJECTED');
      // Its new developer has it approved again: its installations work again.
      await fixture.review(approved.id, 'submit');
      await fixture.review(approved.id, 'approve');
      assert.deepEqual([await causes(enabled.id), await causes(disabled.id)], [undefined, ['workspace']]);
      assert.equal((await restoreApp(fixture.registry, commandLine, rejected.id)).suspendedStatus, undefined);
      await assertConsistent();
    });

    test('leaves a revocation from before it', async () => {
      const developerId = await newDeveloper();
      const app = await fixture.newApp({ developerId, status: 'APPROVED' });
      const { id } = await inWorkspace(app.id);
      const details = { reason: 'It sends spam.', disableInstallations: true };
      await reviewApp(fixture.registry, commandLine, { appId: app.id, step: 'revoke', details });
      await suspend(developerId);
      assert.deepEqual(await causes(id), ['revocation', 'suspension']);
      await unsuspend(developerId);
      assert.deepEqual(await causes(id), ['revocation']);
      assert.equal((await show(app)).rejectionReason, 'It sends spam.');
    });
  });

  describe('a dry run', () => {
    test('of a suspension and of its end changes nothing and reports what would be affected', async () => {
      const { developerId, approved, enabled, disabled, draft, tested, waiting, rejected } = await withApps();
      const { id: tokenId } = await fixture.newToken('developer', { developerId });
      const affected = {
        apps: { count: 4, ids: [approved, draft, waiting, rejected].map(({ id }) => id).toSorted() },
        installations: { count: 3, ids: [enabled, disabled, tested].map(({ id }) => id).toSorted() },
        workspaces: { count: 3, ids: [enabled, disabled, tested].map((one) => one.workspaceId).toSorted() },
        tokens: { count: 1, ids: [tokenId] },
      };
      const { registry } = fixture;
      const options = { dryRun: true, scope: { developerId } };
      const tryBoth = async () => [
        await runOrTry(registry, options, (tried) =>
          suspendDeveloper(tried, commandLine, { userId: developerId, suspension: { reason } }),
        ),
        await runOrTry(registry, options, (tried) => unsuspendDeveloper(tried, commandLine, developerId)),
      ];
      const before = await everything(registry.storage);
      const [suspension, end] = await tryBoth();
      assert.deepEqual(await everything(registry.storage), before);
      assert.deepEqual([suspension?.affected, end?.affected], [affected, affected]);
      assert.deepEqual([suspension?.dryRun, suspension?.installations, end?.installations], [true, 3, 0]);
      await suspend(developerId);
      const [, realEnd] = await tryBoth();
      assert.equal(realEnd?.installations, 3);
      assert.equal((await show(approved)).reviewStatus, 'REJECTED');
    });
  });
});
