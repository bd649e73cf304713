import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { listTokens, revokeToken } from '@appregistrar/testkit/calls/access';
import {
  createApp,
  deleteApp,
  getAppAsOperator,
  restoreApp,
  transferApp,
  updateAppAsOperator,
} from '@appregistrar/testkit/calls/apps';
import { createDeveloper, getDeveloper, updateDeveloper } from '@appregistrar/testkit/calls/developers';
import { createInstallation, getInstallation, setInstallationEnabled } from '@appregistrar/testkit/calls/installations';
import { reviewApp } from '@appregistrar/testkit/calls/review';
import { eraseDeveloper, suspendDeveloper, unsuspendDeveloper } from '@appregistrar/testkit/calls/suspension';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { appOf, fileOf, installationOf } from '@appregistrar/testkit/registry/import-file';
import { assertRefused, contentOf, eventsDuring, everything } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { planOf } from '../../../test/storage/query-plan.ts';
import { sampleRows } from '../../../test/storage/sample-rows.ts';
import { check } from '../../kernel/check.ts';
import { runOrTry } from '../../kernel/dry-run.ts';
import { newId } from '../../kernel/ids.ts';
import { commandLine, type Registry } from '../../kernel/registry.ts';
import { authenticate } from '../access/access-token.ts';
import { findApp } from '../apps/app-queries.ts';
import { catchUp } from '../apps/comparison/projections.ts';
import { getApp, readAppRevision } from '../apps/get-app.ts';
import { updateApp } from '../apps/update-app.ts';
import { OperatorDeveloper } from '../developers/developer.ts';
import { listTransfersSince } from '../events/event-queries.ts';
import { importRegistry } from '../import-export/import-registry.ts';
import { checkRegistry } from '../integrity/check-registry.ts';

const reason = 'The apps send customer data elsewhere.';
const unchanged = { tokens: 0, apps: 0, approvedApps: 0, installations: 0 };
const ofAll = { tokens: 0, apps: 4, approvedApps: 1, installations: 3 };
/** With a name of its own: another test in this process may have compiled a schema that contains `Developer`. */
const erasedDeveloper = { ...OperatorDeveloper, $id: 'ErasedDeveloper' };

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let registry: Registry;
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => (now += 1000) });
    registry = fixture.registry;
  });
  after(() => fixture.close());
  afterEach(async () => {
    await checkRegistry(registry);
  });

  const suspend = (userId: string) => suspendDeveloper(registry, commandLine, { userId, suspension: { reason } });
  const unsuspend = (userId: string) => unsuspendDeveloper(registry, commandLine, userId);
  const erase = (userId: string) => eraseDeveloper(registry, commandLine, userId);
  const newDeveloper = async () => {
    const person = { email: 'marie@example.com', firstName: 'Marie', lastName: 'Curie' };
    return (await createDeveloper(registry, commandLine, person)).id;
  };
  const show = (app: { id: string }) => getAppAsOperator(registry, app.id);
  const showAll = (apps: { id: string }[]) => Promise.all(apps.map(show));
  const statusesOf = async (...apps: { id: string }[]) =>
    (await showAll(apps)).map(({ reviewStatus, suspendedStatus }) => [reviewStatus, suspendedStatus]);
  const waitingSince = async ({ id }: { id: string }) =>
    (await findApp(registry.storage.reader, { id }))?.waiting_since;
  const isSuspended = async (token: string) => (await authenticate(registry, token))?.isSuspended;
  const inWorkspace = (appId: string) => {
    const ids = { workspaceId: newId('workspace'), userId: newId('user') };
    return createInstallation(registry, commandLine, { appId, ...ids });
  };
  const set = (id: string, enabled: boolean) => setInstallationEnabled(registry, commandLine, { id, enabled });
  const causesOf = (...installations: { id: string }[]) =>
    Promise.all(installations.map(async ({ id }) => (await getInstallation(registry, id)).disabledBy));
  const transfer = (appId: string, developerId: string) =>
    transferApp(registry, commandLine, { appId, transfer: { developerId } });
  const revoke = (appId: string) => {
    const details = { message: 'It sends spam.', disableInstallations: true };
    return reviewApp(registry, commandLine, { appId, step: 'revoke', details });
  };
  const refusal = async (work: () => Promise<unknown>) =>
    (await assertRefused(registry, work, 'developer_suspended')).message;

  /** A developer with an app in each status, and two installations of the approved one, which one workspace has disabled. */
  const withApps = async () => {
    const developerId = await newDeveloper();
    const approved = await fixture.newApp({ developerId, status: 'APPROVED' });
    const [enabled, disabled] = [await inWorkspace(approved.id), await inWorkspace(approved.id)];
    await set(disabled.id, false);
    const draft = await fixture.newApp({ developerId });
    const tested = await fixture.install(draft);
    const waiting = await fixture.newApp({ developerId, status: 'AWAITING_REVIEW' });
    const rejected = await fixture.newApp({ developerId, status: 'REJECTED' });
    const apps = [approved, draft, waiting, rejected];
    return { developerId, approved, enabled, disabled, draft, tested, waiting, rejected, apps };
  };
  const suspended = async () => {
    const developer = await withApps();
    await suspend(developer.developerId);
    return developer;
  };

  describe('a suspension', () => {
    test('revokes approved apps, disables all installations, and takes what waits out of the queue', async () => {
      const { developerId, approved, enabled, disabled, tested, apps } = await withApps();
      const developer = contentOf(await getDeveloper(registry, developerId));
      const { suspendedAt, ...result } = contentOf(await suspend(developerId));
      assert.deepEqual(result, { ...developer, suspensionReason: reason, ...ofAll });
      assert.deepEqual(await statusesOf(...apps), [
        ['REJECTED', 'APPROVED'],
        ['DRAFT', 'DRAFT'],
        ['AWAITING_REVIEW', 'AWAITING_REVIEW'],
        ['REJECTED', 'REJECTED'],
      ]);
      assert.equal((await show(approved)).rejectionReason, reason);
      const both = ['workspace', 'suspension'];
      assert.deepEqual(await causesOf(enabled, disabled, tested), [['suspension'], both, ['suspension']]);
      const { app } = await getApp(registry, approved.id);
      assert.deepEqual([app.reviewStatus, app.installations.map((one) => one.enabled)], ['REJECTED', [false, false]]);
      const now = contentOf(await getDeveloper(registry, developerId));
      assert.deepEqual(now, { ...developer, suspendedAt, suspensionReason: reason });
    });

    test('changes the platform view of an app in any status that has installations', async () => {
      const { developerId, draft } = await withApps();
      const revisions = [await readAppRevision(registry, draft.id)];
      await suspend(developerId);
      revisions.push(await readAppRevision(registry, draft.id));
      await unsuspend(developerId);
      revisions.push(await readAppRevision(registry, draft.id));
      assert.equal(new Set(revisions).size, 3);
    });

    test('concerns no one else', async () => {
      const { apps, enabled } = await withApps();
      const before = await showAll(apps);
      await suspended();
      assert.deepEqual(await showAll(apps), before);
      assert.deepEqual(await causesOf(enabled), [undefined]);
    });

    test('refuses the tokens of the developer, also those that are issued later', async () => {
      const developerId = await newDeveloper();
      const { token, id } = await fixture.newToken('developer', { developerId });
      const { token: others } = await fixture.newToken('developer');
      assert.equal(await isSuspended(token), false);
      assert.equal((await suspend(developerId)).tokens, 1);
      const { token: later } = await fixture.newToken('developer', { developerId });
      assert.deepEqual(await Promise.all([token, later, others].map(isSuspended)), [true, true, false]);
      const { items } = await listTokens(registry, { developerId });
      assert.deepEqual(
        items.map((one) => one.suspended),
        [true, true],
      );
      await revokeToken(registry, commandLine, id);
      assert.equal((await unsuspend(developerId)).tokens, 1);
      assert.deepEqual(await Promise.all([token, later].map(isSuspended)), [undefined, false]);
    });

    test('has no effect when repeated, and retains its first time and reason', async () => {
      const { developerId: userId } = await withApps();
      const first = await suspend(userId);
      const events = await eventsDuring(registry, async () => {
        const again = await suspendDeveloper(registry, commandLine, { userId, suspension: { reason: 'Other.' } });
        assert.deepEqual(again, { ...first, ...unchanged });
      });
      assert.deepEqual(events, []);
    });

    test('needs a reason and a developer', async () => {
      const work = () => suspendDeveloper(registry, commandLine, { userId: newId('user'), suspension: {} });
      await assertRefused(registry, work, 'invalid_content');
      for (const id of [newId('user'), 'ada']) {
        for (const change of [suspend, unsuspend, erase]) {
          await assertRefused(registry, () => change(id), 'developer_not_found');
        }
      }
    });
  });

  describe('while a developer is suspended', () => {
    test('nothing of theirs is submitted, approved, installed, enabled or updated', async () => {
      const { developerId, approved, enabled, draft, tested, waiting } = await suspended();
      for (const work of [
        () => fixture.review(approved.id, 'submit'),
        () => fixture.review(draft.id, 'submit'),
        () => fixture.review(waiting.id, 'approve'),
        () => inWorkspace(approved.id),
        () => fixture.install(draft),
        () => set(enabled.id, true),
        () => set(tested.id, true),
      ]) {
        assert.equal(
          await refusal(work),
          `The developer of the app, ${developerId}, is suspended, so the app cannot be submitted, approved, installed or enabled. End the suspension first, or transfer the app to another developer.`,
        );
      }
      const input = { appId: draft.id, developerId, update: { name: 'Late' } };
      await refusal(() => updateApp(registry, commandLine, input));
      assert.equal(await waitingSince(waiting), 0);
    });

    test('refusals of review steps name only steps that the suspension allows', async () => {
      const { approved, draft, waiting } = await suspended();
      const message = async ({ id }: { id: string }, step: 'revoke' | 'reject') =>
        (await assertRefused(registry, () => fixture.review(id, step), 'review_status_conflict')).message;
      assert.equal(
        await message(draft, 'revoke'),
        'The step "revoke" is not allowed for an app that is DRAFT while its developer is suspended. End the suspension first.',
      );
      assert.match(
        await message(approved, 'reject'),
        / app that is REJECTED while its developer is suspended\. It was revoked by .* Allowed now: revoke\.$/,
      );
      assert.match(
        await message(waiting, 'revoke'),
        / app that is AWAITING_REVIEW while its developer is suspended\. .*Allowed now: withdraw, reject\.$/,
      );
    });

    test('an app that was approved can be revoked: it stays so when the suspension ends', async () => {
      const { developerId, approved, enabled, disabled } = await suspended();
      const events = await eventsDuring(registry, () => revoke(approved.id));
      const ofApp = events.filter(({ type }) => type.startsWith('app.'));
      assert.deepEqual(
        ofApp.map(({ type, after }) => [type, after?.message]),
        [['app.revoked', 'It sends spam.']],
      );
      const { suspendedStatus, rejectionReason, updatedAt } = await show(approved);
      assert.deepEqual([suspendedStatus, rejectionReason], ['REJECTED', 'It sends spam.']);
      await assertRefused(registry, () => revoke(approved.id), 'review_status_conflict');
      await suspend(developerId);
      await unsuspend(developerId);
      const after = await show(approved);
      assert.deepEqual(
        [after.reviewStatus, after.suspendedStatus, after.rejectionReason, after.updatedAt],
        ['REJECTED', undefined, 'It sends spam.', updatedAt],
      );
      assert.deepEqual(await causesOf(enabled, disabled), [['revocation'], ['workspace', 'revocation']]);
    });

    test('no app can be transferred to them', async () => {
      const { developerId } = await suspended();
      const app = await fixture.newApp();
      assert.equal(
        await refusal(() => transfer(app.id, developerId)),
        `The developer ${developerId} is suspended and cannot receive an app. End the suspension first, or choose another developer.`,
      );
    });

    test('an app that an operator creates for them, restores or imports is suspended too', async () => {
      const developerId = await newDeveloper();
      const remove = ({ id }: { id: string }) => deleteApp(registry, commandLine, { appId: id });
      const [deleted, gone] = [
        await fixture.newApp({ developerId, status: 'APPROVED' }),
        await fixture.newApp({ developerId, status: 'APPROVED' }),
      ];
      await remove(deleted);
      await suspend(developerId);
      await remove(gone);

      const created = await createApp(registry, commandLine, { developerId, name: `New ${developerId}` });
      for (const { id } of [deleted, gone]) await restoreApp(registry, commandLine, id);
      const imported = { ...appOf(developerId, `Imported ${developerId}`), reviewStatus: 'APPROVED' };
      const again = { ...imported, id: deleted.id, name: deleted.name };
      const open = fileOf([imported, again, installationOf(imported.id)]);
      await importRegistry(registry, commandLine, { open });
      const apps = [created, deleted, gone, imported];
      const revoked = ['REJECTED', 'APPROVED'];
      assert.deepEqual(await statusesOf(...apps), [['DRAFT', 'DRAFT'], revoked, revoked, revoked]);
      const { app } = await getApp(registry, imported.id);
      assert.deepEqual(
        app.installations.map(({ enabled }) => enabled),
        [false],
      );
      await unsuspend(developerId);
      const statuses = (await showAll(apps)).map(({ reviewStatus }) => reviewStatus);
      assert.deepEqual(statuses, ['DRAFT', 'APPROVED', 'APPROVED', 'APPROVED']);
    });
  });

  describe('the end of a suspension', () => {
    test('undoes exactly what the suspension did', async () => {
      const { developerId, enabled, disabled, tested, waiting, apps } = await withApps();
      const shown = async () => (await showAll(apps)).map(({ updatedAt: _, ...rest }) => rest);
      const [before, since] = [await shown(), await waitingSince(waiting)];
      await suspend(developerId);
      const events = await eventsDuring(registry, async () => {
        const result = await unsuspend(developerId);
        const developer = await getDeveloper(registry, developerId);
        assert.deepEqual(result, { ...developer, ...ofAll, skippedApps: 0, skipped: [] });
      });
      assert.deepEqual(await shown(), before);
      assert.ok(since);
      assert.equal(await waitingSince(waiting), since);
      assert.deepEqual(await causesOf(enabled, disabled, tested), [undefined, ['workspace'], undefined]);
      assert.deepEqual(events.map(({ type }) => type).toSorted(), [
        ...['app.approved', 'developer.unsuspended', 'installation.disabled'],
        ...['installation.enabled', 'installation.enabled'],
      ]);
      assert.deepEqual(await eventsDuring(registry, () => unsuspend(developerId)), []);
    });

    test('returns a change to an approved app to its place in the queue, also one that an operator made', async () => {
      const developerId = await newDeveloper();
      const early = await fixture.newApp({ developerId, status: 'APPROVED' });
      const late = await fixture.newApp({ developerId, status: 'APPROVED' });
      const rename = ({ id }: { id: string }) =>
        updateAppAsOperator(registry, commandLine, { appId: id, update: { name: `Safe ${id}` } });
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
      const { developerId, approved, enabled, disabled, draft, tested, waiting, rejected } = await suspended();
      await fixture.review(waiting.id, 'reject');
      await deleteApp(registry, commandLine, { appId: rejected.id });
      const heir = await newDeveloper();
      await transfer(approved.id, heir);
      await transfer(draft.id, heir);
      const revoked = [['revocation'], ['workspace', 'revocation'], undefined];
      assert.deepEqual(await causesOf(enabled, disabled, tested), revoked);
      const { skipped, skippedApps } = await unsuspend(developerId);
      assert.equal(skippedApps, 4);
      assert.deepEqual(skipped, [
        { appId: rejected.id, reason: 'deleted' },
        { appId: approved.id, reason: 'transferred' },
        { appId: draft.id, reason: 'transferred' },
        { appId: waiting.id, reason: 'decided' },
      ]);
      const status = ['REJECTED', undefined];
      assert.deepEqual(await statusesOf(waiting, approved), [status, status]);
      // Its new developer has it approved again: its installations work again.
      await fixture.review(approved.id, 'submit');
      await fixture.review(approved.id, 'approve');
      assert.deepEqual(await causesOf(enabled, disabled), [undefined, ['workspace']]);
      assert.equal((await restoreApp(registry, commandLine, rejected.id)).suspendedStatus, undefined);
    });

    test('leaves a revocation from before it', async () => {
      const { developerId, approved, enabled } = await withApps();
      await revoke(approved.id);
      await suspend(developerId);
      assert.deepEqual(await causesOf(enabled), [['revocation', 'suspension']]);
      await unsuspend(developerId);
      assert.deepEqual(await causesOf(enabled), [['revocation']]);
      assert.equal((await show(approved)).rejectionReason, 'It sends spam.');
    });
  });

  test('a dry run of a suspension and of its end changes nothing and reports what would be affected', async () => {
    const { developerId, approved, enabled, disabled, tested, apps } = await withApps();
    const { id: tokenId } = await fixture.newToken('developer', { developerId });
    const listed = (ids: string[]) => ({ count: ids.length, ids: ids.toSorted() });
    const installations = [enabled, disabled, tested];
    const affected = {
      apps: listed(apps.map(({ id }) => id)),
      installations: listed(installations.map(({ id }) => id)),
      workspaces: listed(installations.map(({ workspaceId }) => workspaceId)),
      tokens: listed([tokenId]),
    };
    const options = { dryRun: true, scope: { developerId } };
    const suspension = { userId: developerId, suspension: { reason } };
    const trySuspend = () => runOrTry(registry, options, (tried) => suspendDeveloper(tried, commandLine, suspension));
    const tryUnsuspend = () =>
      runOrTry(registry, options, (tried) => unsuspendDeveloper(tried, commandLine, developerId));
    const before = await everything(registry.storage);
    const [beginning, end] = [await trySuspend(), await tryUnsuspend()];
    assert.deepEqual(await everything(registry.storage), before);
    assert.deepEqual([beginning.affected, end.affected], [affected, affected]);
    assert.deepEqual([beginning.dryRun, beginning.installations, end.installations], [true, 3, 0]);
    await suspend(developerId);
    assert.equal((await tryUnsuspend()).installations, 3);
    assert.equal((await show(approved)).reviewStatus, 'REJECTED');
  });

  describe('an erasure', () => {
    const email = 'erased@developer.invalid';

    test('leaves a developer whom the database does not name, and changes nothing when repeated', async () => {
      const person = { email: 'irene@example.com', firstName: 'Irène', lastName: 'Curie-Joliot' };
      const { id: userId, createdAt } = await createDeveloper(registry, commandLine, person);
      await updateDeveloper(registry, commandLine, { userId, update: { email: 'joliot@example.com' } });
      await catchUp(registry);
      const { tokensRevoked, ...developer } = await erase(userId);
      assert.deepEqual([contentOf(developer), tokensRevoked], [{ id: userId, email, createdAt }, 0]);
      assert.equal(check(erasedDeveloper, developer), null);
      const stored = JSON.stringify(await everything(registry.storage)).toLowerCase();
      for (const trace of ['irene', 'irène', 'joliot']) assert.ok(!stored.includes(trace), trace);
      const before = await everything(registry.storage);
      assert.deepEqual(await erase(userId), { ...developer, tokensRevoked });
      assert.deepEqual(await everything(registry.storage), before);
    });

    test('keeps the apps and their history, which show no person from then on', async () => {
      const developerId = await newDeveloper();
      const { id } = await fixture.newApp({ developerId, status: 'APPROVED' });
      const [events, revision] = [await fixture.eventsOf(id), await readAppRevision(registry, id)];
      await erase(developerId);
      const read = await getApp(registry, id);
      assert.deepEqual(read.app.developer, { userId: developerId, email });
      assert.notEqual(read.revision, revision);
      assert.equal(await readAppRevision(registry, id), read.revision);
      assert.deepEqual(await fixture.eventsOf(id), events);
    });

    test('revokes the tokens of the developer, and not those of others, with an event for each and for itself', async () => {
      const developerId = await newDeveloper();
      const mine = [await fixture.newToken('developer', { developerId })];
      mine.push(await fixture.newToken('developer', { developerId }));
      const other = await fixture.newToken('developer');
      const events = await eventsDuring(registry, async () => {
        assert.equal((await erase(developerId)).tokensRevoked, 2);
      });
      for (const { token } of mine) assert.equal(await authenticate(registry, token), null);
      assert.ok(await authenticate(registry, other.token));
      assert.deepEqual(
        events.map(({ type, subject_id: subject }) => [type, subject]),
        [...mine.map(({ id }) => ['token.revoked', id]), ['developer.erased', developerId]],
      );
    });

    test("that is concurrent with an update leaves all of the person's data or none", async () => {
      const userId = await newDeveloper();
      const update = { email: 'pierre@example.com', lastName: 'P' };
      await Promise.all([erase(userId), updateDeveloper(registry, commandLine, { userId, update })]);
      const person = await getDeveloper(registry, userId);
      assert.equal(person.firstName, undefined);
      assert.equal(person.email === email, person.lastName === undefined);
    });
  });

  storageTest(engine, 'transfers are found among any number of other events', async (storage) => {
    const [event = assert.fail()] = sampleRows.events;
    const events = Array.from({ length: 5_000 }, (_, at) => ({
      ...{ ...event, id: `event_${String(at).padStart(6, '0')}`, occurred_at: at },
      type: at % 1_000 === 0 ? 'app.transferred' : 'app.updated',
    }));
    await storage.write(async (transaction) => {
      await transaction.insertNew('events', events);
      await execute(transaction, 'analyze');
    });
    assert.equal((await listTransfersSince(storage.reader, { since: 2_000 })).length, 3);
    const plan = await planOf(storage, (connection) => listTransfersSince(connection, { since: 2_000 }));
    assert.match(plan, /events_of_transfer/);
  });
});
