import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { getAppAsOperator, listApps, transferApp, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { listReviewQueue, reviewApp } from '@appregistrar/testkit/calls/review';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, eventsDuring, validationErrorsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import { approvedContent, effectiveContent } from '../../../../../client/src/operator/index.ts';
import { commandLine } from '../../../kernel/registry.ts';
import type { RevisionName } from '../../../kernel/revision.ts';
import { checkRegistry } from '../../integrity/check-registry.ts';
import type { OperatorApp } from '../app-schemas.ts';
import type { ReviewStep } from './review-status.ts';

const start = Date.parse('2026-03-01T09:30:00.000Z');
const iso = (ms: number) => new Date(start + ms).toISOString();

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = start;

  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
  });
  after(() => fixture.close());
  beforeEach(async () => {
    now = start;
    await setChangesToApproved('hold');
  });

  const setChangesToApproved = (changesToApproved: string) =>
    fixture.registry.storage.write((transaction) =>
      execute(transaction, `update settings set changes_to_approved = '${changesToApproved}'`),
    );
  const update = (appId: string, change: object) =>
    updateAppAsOperator(fixture.registry, commandLine, { appId, update: change });
  const decide = (appId: string, step: ReviewStep, revision?: RevisionName) =>
    reviewApp(fixture.registry, commandLine, {
      appId,
      step,
      revision,
      ...(step === 'reject-change' && { details: { message: 'Why.' } }),
    });
  const transfer = (appId: string, developerId = fixture.otherDeveloper.id) =>
    transferApp(fixture.registry, commandLine, { appId, transfer: { developerId } });
  const conflict = async (appId: string, step: ReviewStep, revision?: RevisionName) => {
    const work = () => decide(appId, step, revision);
    return (await assertRefused(fixture.registry, work, 'review_status_conflict')).message;
  };
  const queued = async (id: string) =>
    (await listReviewQueue(fixture.registry, { query: { limit: 100 }, showsNotes: true })).items.find(
      ({ app }) => app.id === id,
    );
  const waitingSince = async (id: string) => (await queued(id))?.waitingSince;

  /** An approved app at revision 1 that was changed each second: revision 2 after one second, and so on. */
  async function changedApp(...shortDescriptions: string[]): Promise<OperatorApp> {
    const app = await fixture.newApp({ status: 'APPROVED', listingInfo: { shortDescription: 'Approved' } });
    for (const shortDescription of shortDescriptions) {
      now += 1_000;
      await update(app.id, { listingInfo: { shortDescription } });
    }
    return app;
  }
  const approvedText = (app: OperatorApp) => approvedContent(app)?.listingInfo.shortDescription;
  const approvedRevision = (app: OperatorApp) => approvedContent(app)?.revision;

  test('an app is shown with the steps that its state allows', async () => {
    const stepsOf = async (id: string) => (await getAppAsOperator(fixture.registry, id)).reviewSteps;
    const submitted = await fixture.newApp({ status: 'AWAITING_REVIEW' });
    assert.deepEqual(await stepsOf(submitted.id), ['withdraw', 'approve', 'reject']);
    const { id } = await changedApp('Two');
    assert.deepEqual(await stepsOf(id), ['approve', 'reject-change', 'revoke']);
    await setChangesToApproved('live');
    assert.deepEqual(await stepsOf(id), ['approve', 'revoke'], 'a change is in effect');
    await setChangesToApproved('hold');
    await decide(id, 'reject-change', 2);
    assert.deepEqual(await stepsOf(id), ['revoke'], 'the change is decided on');
    await transfer(id);
    assert.deepEqual(await stepsOf(id), ['approve', 'revoke'], 'the transfer awaits a decision');
  });

  test('a change is approved at the revision named, and later ones stay in the queue since the oldest of them', async () => {
    const { id } = await changedApp('Two', 'Three', 'Four');
    assert.equal(await waitingSince(id), iso(1_000));
    now += 60_000;
    const app = await decide(id, 'approve', 2);
    assert.deepEqual([approvedText(app), approvedRevision(app), app.revision], ['Two', 2, 4]);
    assert.deepEqual([app.listingInfo.shortDescription, app.reviewStatus], ['Four', 'APPROVED']);
    assert.equal(await waitingSince(id), iso(2_000), 'since revision 3 was made');
    await decide(id, 'approve', 3);
    assert.equal(await waitingSince(id), iso(3_000));
    assert.equal(approvedText(await decide(id, 'approve', 4)), 'Four');
    assert.equal(await waitingSince(id), undefined);
  });

  test('an earlier revision is named by its ETag too, which no other content has', async () => {
    const { id } = await changedApp('Two');
    const { etag } = await getAppAsOperator(fixture.registry, id);
    await update(id, { listingInfo: { shortDescription: 'Three' } });
    const other = etag.replace(/\.[^.]+$/, '.another');
    await assertRefused(fixture.registry, () => decide(id, 'approve', other), 'revision_mismatch');
    assert.equal(approvedText(await decide(id, 'approve', etag)), 'Two');
  });

  test('an approved, older or unknown revision is refused, and the refusal names the valid ones', async () => {
    const { id } = await changedApp('Two', 'Three', 'Four');
    await decide(id, 'approve', 2);
    for (const step of ['approve', 'reject-change'] as const) {
      const refused = (
        revision: number,
        code: 'review_status_conflict' | 'revision_mismatch' = 'review_status_conflict',
      ) => assertRefused(fixture.registry, () => decide(id, step, revision), code);
      assert.match((await refused(2)).message, /^Revision 2 is already approved\. Give a later one, up to 4/);
      assert.match((await refused(1)).message, /^Revision 1 is older than the approved one, 2\./);
      assert.match(
        (await refused(5, 'revision_mismatch')).message,
        /now at revision 4 and has no earlier revision that matches/,
      );
    }
  });

  test('an approved app without a change cannot be approved again', async () => {
    const { id } = await fixture.newApp({ status: 'APPROVED' });
    const message = await conflict(id, 'approve', 1);
    assert.equal(
      message,
      `The step "approve" is not allowed for an app that is APPROVED. It was approved by command-line:demo at ${iso(0)}. Allowed now: revoke.`,
    );
  });

  test('a conflict about an app with a change names the change and the allowed steps', async () => {
    const { id } = await changedApp('Two');
    for (const [changesToApproved, allowed] of [
      ['hold', 'approve, reject-change, revoke'],
      ['live', 'approve, revoke'],
    ] as const) {
      await setChangesToApproved(changesToApproved);
      const message = await conflict(id, 'submit');
      assert.match(
        message,
        /^The step "submit" is not allowed for an app that is APPROVED with a change to decide on\./,
      );
      assert.ok(message.endsWith(`Allowed now: ${allowed}.`), message);
    }
  });

  test('while changes are live, none can be rejected, and the refusal explains what to do instead', async () => {
    await setChangesToApproved('live');
    const { id } = await changedApp('Two');
    const message = await conflict(id, 'reject-change', 2);
    assert.match(message, /changesToApproved is "live".*Revert the app to its approved content, or revoke/);
    assert.equal(approvedText(await decide(id, 'approve', 2)), 'Two');
  });

  test('a rejected change leaves the queue until the next edit, and both contents stay', async () => {
    const { id } = await changedApp('Two');
    const { warnings, reviewSteps, ...before } = await getAppAsOperator(fixture.registry, id);
    now += 1_000;
    assert.deepEqual(await decide(id, 'reject-change', 2), before);
    assert.equal(await waitingSince(id), undefined);
    const message = await conflict(id, 'approve', 2);
    assert.match(message, /Its change up to revision 2 was rejected by command-line:demo at .* Allowed now: revoke\.$/);
    now += 1_000;
    await update(id, { listingInfo: { longDescription: 'More.' } });
    assert.equal(await waitingSince(id), iso(3_000));
    assert.equal(approvedText(await decide(id, 'approve', 3)), 'Two');
  });

  test('a change that is rejected at an earlier revision stays in the queue with the later ones', async () => {
    const { id } = await changedApp('Two', 'Three', 'Four');
    await decide(id, 'reject-change', 2);
    assert.equal(await waitingSince(id), iso(2_000), 'since revision 3 was made');
    for (const step of ['approve', 'reject-change'] as const) {
      const message = await conflict(id, step, 2);
      assert.match(message, /^Revision 2 is already decided\. Its change up to revision 2 was rejected by/);
    }
    assert.equal(approvedText(await decide(id, 'approve', 3)), 'Three');
    await decide(id, 'reject-change', 4);
    assert.equal(await waitingSince(id), undefined);
  });

  test('a change that ends up equal to the approved content leaves the queue by itself', async () => {
    const { id } = await changedApp('Two', 'Approved');
    assert.equal(await waitingSince(id), undefined);
    await conflict(id, 'approve', 3);
    now += 1_000;
    await update(id, { listingInfo: { shortDescription: 'Four' } });
    assert.equal(await waitingSince(id), iso(3_000));
    await assertRefused(fixture.registry, () => decide(id, 'approve', 2), 'review_status_conflict');
    await update(id, { listingInfo: { shortDescription: 'Approved' } });
    assert.equal(await waitingSince(id), undefined);
  });

  test('content that equals the approved content again counts as approved, in the view and in the list', async () => {
    const changedIds = async () => {
      const { items } = await listApps(fixture.registry, { changedSinceApproval: true, limit: 100 });
      return items.map((app) => app.id);
    };
    const { id } = await changedApp('Two');
    assert.ok((await changedIds()).includes(id));
    await update(id, { oauthInfo: { loginUrl: 'https://a.example/' } });
    await update(id, { listingInfo: { shortDescription: 'Approved' }, oauthInfo: { loginUrl: null } });
    const { approved, changedSinceApproval, revision } = await getAppAsOperator(fixture.registry, id);
    assert.deepEqual([changedSinceApproval, approved, revision], [false, undefined, 4]);
    assert.ok(!(await changedIds()).includes(id));
    await checkRegistry(fixture.registry);
  });

  test('an address that was cleared and set again stays a change, also in the view and in the list', async () => {
    const callbackUrl = 'https://a.example/callback';
    const { id } = await fixture.newApp({ status: 'APPROVED', oauthInfo: { callbackUrl } });
    await update(id, { oauthInfo: { callbackUrl: null } });
    await update(id, { oauthInfo: { callbackUrl } });
    const { approved, changedSinceApproval } = await getAppAsOperator(fixture.registry, id);
    assert.deepEqual([changedSinceApproval, approved?.revision], [true, 1]);
  });

  test('events record what was decided, and when the effective content changes', async () => {
    const { id } = await changedApp('Two', 'Three');
    const events = await eventsDuring(fixture.registry, async () => {
      await decide(id, 'approve', 2);
      await decide(id, 'reject-change', 3);
    });
    assert.deepEqual(
      events.map(({ type, after: data, effective }) => [type, data, effective]),
      [
        [
          'app.change_approved',
          { reviewStatus: 'APPROVED', revision: 2 },
          { listingInfo: { shortDescription: 'Two' } },
        ],
        ['app.change_rejected', { reviewStatus: 'APPROVED', revision: 3, message: 'Why.' }, undefined],
      ],
    );
  });

  test('the name of the revision may be taken by another app meanwhile', async () => {
    const { id } = await fixture.newApp({ name: 'Own', status: 'APPROVED' });
    await update(id, { name: 'Wanted' });
    await update(id, { name: 'Current' });
    await fixture.newApp({ name: 'Wanted' });
    const { message } = await assertRefused(fixture.registry, () => decide(id, 'approve', 2), 'name_taken');
    assert.match(message, /has the name of revision 2, "Wanted"\. Approve another revision/);
    assert.equal(approvedContent(await decide(id, 'approve', 3))?.name, 'Current');
    await assertRefused(fixture.registry, () => fixture.newApp({ name: 'Current' }), 'name_taken');
    await fixture.newApp({ name: 'Own' });
  });

  test('a blocked logo is not approved', async () => {
    const logo = await fixture.newLogo();
    const { id } = await changedApp('Two');
    await update(id, { logoId: logo.id });
    const draft = await fixture.newApp({ logoId: logo.id, status: 'AWAITING_REVIEW' });
    await fixture.registry.storage.write((transaction) =>
      execute(transaction, `update logos set blocked_at = 1 where id = '${logo.id}'`),
    );
    for (const [appId, revision] of [
      [id, 3],
      [draft.id, 1],
    ] as const) {
      const refused = await assertRefused(
        fixture.registry,
        () => decide(appId, 'approve', revision),
        'invalid_content',
      );
      assert.deepEqual(validationErrorsOf(refused), ['/logoId unusable_logo']);
    }
    assert.equal(approvedText(await decide(id, 'approve', 2)), 'Two');
  });

  test('a cleared address stays without effect until its revision or a later one is approved', async () => {
    for (const changesToApproved of ['hold', 'live']) {
      await setChangesToApproved(changesToApproved);
      const callbackUrl = 'https://a.example/callback';
      const { id } = await fixture.newApp({ status: 'APPROVED', oauthInfo: { callbackUrl } });
      const cleared = await eventsDuring(fixture.registry, () => update(id, { oauthInfo: { callbackUrl: null } }));
      assert.deepEqual(cleared.at(-1)?.effective, { oauthInfo: { callbackUrl: null } });
      await update(id, { oauthInfo: { callbackUrl } });
      assert.deepEqual((await queued(id))?.fields, ['oauthInfo.callbackUrl']);
      if (changesToApproved === 'hold') {
        assert.deepEqual(await effectiveDuring(() => decide(id, 'reject-change', 3)), []);
        await update(id, { name: `Again ${id}` });
      }
      const effective = await effectiveDuring(() => decide(id, 'approve'));
      const restored = changesToApproved === 'hold' ? [{ name: `Again ${id}`, oauthInfo: { callbackUrl } }] : [];
      assert.deepEqual(effective, restored);
      assert.equal(await waitingSince(id), undefined);
    }
  });

  test('an approval of a revision before the removal of an address does not bring it back', async () => {
    const callbackUrl = 'https://a.example/callback';
    const { id } = await fixture.newApp({ status: 'APPROVED', oauthInfo: { callbackUrl } });
    await update(id, { listingInfo: { shortDescription: 'Two' } });
    await update(id, { oauthInfo: { callbackUrl: null } });
    assert.deepEqual(await effectiveDuring(() => decide(id, 'approve', 2)), [
      { listingInfo: { shortDescription: 'Two' } },
    ]);
  });

  test('a transfer is approved at the new approved revision that it made, and its change stays', async () => {
    const { id } = await changedApp('Two');
    now += 1_000;
    const approved = approvedContent(await transfer(id));
    assert.deepEqual([(await queued(id))?.kind, await waitingSince(id)], ['transfer', iso(1_000)]);
    const app = await decide(id, 'approve', approved?.etag);
    assert.deepEqual([approvedText(app), approvedRevision(app), app.revision], ['Approved', 3, 4]);
    assert.deepEqual([(await queued(id))?.kind, await waitingSince(id)], ['change', iso(1_000)]);
    await decide(id, 'approve', 4);
    assert.equal(await queued(id), undefined);
  });

  test('no decision on a revision from before a transfer approves it', async () => {
    for (const texts of [[], ['Two'], ['Two', 'Three']]) {
      const app = await changedApp(...texts);
      const before = await getAppAsOperator(fixture.registry, app.id);
      await transfer(app.id);
      const between = await getAppAsOperator(fixture.registry, app.id);
      await transfer(app.id, fixture.developer.id);
      const numbers = Array.from({ length: between.revision }, (_, at) => at + 1);
      for (const revision of [before, between].flatMap((seen) => [
        seen.etag,
        approvedContent(seen)?.etag,
        ...numbers,
      ])) {
        await assert.rejects(decide(app.id, 'approve', revision), {
          code: /^(revision_mismatch|review_status_conflict)$/,
        });
      }
      assert.equal((await queued(app.id))?.kind, 'transfer');
      await decide(app.id, 'approve', (await getAppAsOperator(fixture.registry, app.id)).etag);
      assert.equal(await queued(app.id), undefined);
    }
  });

  test('an address that was removed stays so after a transfer and its approval', async () => {
    const oauthInfo = { callbackUrl: 'https://a.example/callback' };
    const { id } = await fixture.newApp({ status: 'APPROVED', oauthInfo });
    await update(id, { oauthInfo: { callbackUrl: null } });
    const app = await decide(id, 'approve', approvedContent(await transfer(id))?.etag);
    assert.deepEqual([effectiveContent(app)?.oauthInfo, approvedContent(app)?.oauthInfo], [{}, oauthInfo]);
  });

  test('the approval of a transfer alone leaves a rejected change rejected', async () => {
    const { id } = await changedApp('Two');
    await decide(id, 'reject-change', 2);
    await transfer(id);
    assert.match(
      await conflict(id, 'approve', 4),
      /^Revision 4 is already decided\. .* To approve only the transfer, give the approved revision, 3\.$/,
    );
    await decide(id, 'approve', 3);
    assert.equal(await queued(id), undefined);
    await update(id, { listingInfo: { shortDescription: 'Three' } });
    assert.equal(approvedText(await decide(id, 'approve', 5)), 'Three');
  });

  test('a revision that was rejected before a transfer is approved stays rejected, and later ones await a decision', async () => {
    const { id } = await changedApp('Two');
    const { approved } = await transfer(id);
    const { revision } = await update(id, { listingInfo: { shortDescription: 'Three' } });
    await decide(id, 'reject-change', revision - 1);
    await decide(id, 'approve', approved?.etag);
    const message = await conflict(id, 'approve', revision - 1);
    assert.match(message, /^Revision 4 is already decided\. Its change up to revision 4 was rejected by/);
    assert.equal(approvedText(await decide(id, 'approve', revision)), 'Three');
  });

  test('a transfer with a logo is approved at its revision, with the copy of the logo', async () => {
    const logo = await fixture.newLogo();
    const { id } = await fixture.newApp({ status: 'APPROVED', logoId: logo.id });
    const { logoId, revision } = await transfer(id);
    const { kind, fields } = (await queued(id)) ?? {};
    assert.deepEqual([kind, fields], ['transfer', []]);
    const message = await conflict(id, 'reject-change', revision);
    assert.match(message, / an app that is APPROVED with a transfer to decide on/);
    assert.equal(approvedContent(await decide(id, 'approve', revision))?.logoId, logoId);
    assert.equal(await queued(id), undefined);
  });

  test('a submission is decided at its current revision only', async () => {
    const { id } = await changedApp('Two');
    await fixture.review(id, 'revoke');
    await update(id, { listingInfo: { shortDescription: 'Three' } });
    await fixture.review(id, 'submit');
    await assertRefused(fixture.registry, () => decide(id, 'approve', 2), 'revision_mismatch');
    assert.equal(approvedText(await decide(id, 'approve', 3)), 'Three');
  });

  test('of two reviewers of one change, one decides', async () => {
    const { id } = await changedApp('Two');
    const outcomes = await Promise.allSettled([decide(id, 'approve', 2), decide(id, 'reject-change', 2)]);
    assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
    const refused = outcomes.find((outcome) => outcome.status === 'rejected');
    assert.match(refused?.reason.message, /was (approved|rejected) by command-line:demo at 2026-03-/);
  });

  test('a revision that was superseded after it was read is decided as it was read', async () => {
    const { id } = await changedApp('Two');
    const outcomes = await Promise.allSettled([
      decide(id, 'approve', 2),
      update(id, { listingInfo: { shortDescription: 'Three' } }),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'fulfilled'],
    );
    const app = await getAppAsOperator(fixture.registry, id);
    assert.deepEqual([approvedText(app), app.revision], ['Two', 3]);
    assert.ok(await waitingSince(id));
  });

  async function effectiveDuring(work: () => Promise<unknown>): Promise<unknown[]> {
    const events = await eventsDuring(fixture.registry, work);
    return events.map(({ effective }) => effective).filter((effective) => effective !== undefined);
  }
});
