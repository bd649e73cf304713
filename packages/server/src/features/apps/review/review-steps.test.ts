import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { reviewApp } from '@appregistrar/testkit/calls/review';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, validationErrorsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { approvedContent } from '../../../../../client/src/operator/index.ts';
import { commandLine } from '../../../kernel/registry.ts';
import { findApp, replaceApp } from '../app-queries.ts';
import { updateApp } from '../update-app.ts';
import { type ReviewStatus, type ReviewStep, reviewStatuses } from './review-status.ts';

const steps: ReviewStep[] = ['submit', 'withdraw', 'approve', 'reject', 'reject-change', 'revoke'];

/** The result of each step, by the status in which it is allowed. */
const allowed: Record<ReviewStatus, Partial<Record<ReviewStep, ReviewStatus>>> = {
  DRAFT: { submit: 'AWAITING_REVIEW' },
  AWAITING_REVIEW: { withdraw: 'DRAFT', approve: 'APPROVED', reject: 'REJECTED' },
  APPROVED: { revoke: 'REJECTED' },
  REJECTED: { submit: 'AWAITING_REVIEW' },
};

/** The steps that brought the fixture's app to each status. */
const lastSteps: Partial<Record<ReviewStatus, string>> = {
  AWAITING_REVIEW: 'submitted',
  APPROVED: 'approved',
  REJECTED: 'rejected',
};

const isRejection = (step: ReviewStep) => step === 'reject' || step === 'reject-change' || step === 'revoke';

interface Step {
  appId: string;
  step: ReviewStep;
  revision?: number;
  reason?: string | undefined;
}

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = Date.parse('2026-03-01T09:30:00.000Z');

  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
  });
  after(() => fixture.close());

  const review = ({ appId, step, revision, reason }: Step) =>
    reviewApp(fixture.registry, commandLine, {
      appId,
      step,
      revision,
      ...(isRejection(step) && { details: { message: reason } }),
    });
  const refused = (input: Step, code: Parameters<typeof assertRefused>[2]) =>
    assertRefused(fixture.registry, () => review(input), code);
  const update = (appId: string, change: object) =>
    updateApp(fixture.registry, commandLine, { appId, developerId: fixture.developer.id, update: change });

  test('a decision by ETag is refused for other content at the same revision, and one by number is not', async () => {
    const { registry } = fixture;
    const app = await fixture.newApp();
    const row = await findApp(registry.storage.reader, { id: app.id });
    assert.ok(row);
    const decide = (revision: number | string) =>
      reviewApp(registry, commandLine, { appId: app.id, step: 'approve', revision });
    const submitted = async (name: string) => {
      await update(app.id, { name });
      const { etag } = await review({ appId: app.id, step: 'submit' });
      return etag;
    };
    const lost = await submitted('Lost');
    await registry.storage.write((transaction) => replaceApp(transaction, row));
    const stored = await submitted('Stored');
    const numberOf = (etag: string) => Number.parseInt(etag.slice(1), 10);
    assert.equal(numberOf(lost), numberOf(stored));
    await assertRefused(registry, () => decide(lost), 'revision_mismatch');
    assert.equal(approvedContent(await decide(stored))?.name, 'Stored');
    await review({ appId: app.id, step: 'revoke', reason: 'Again.' });
    await review({ appId: app.id, step: 'submit' });
    assert.equal((await decide(numberOf(lost))).reviewStatus, 'APPROVED');
  });

  for (const status of reviewStatuses) {
    describe(`an app that is ${status}`, () => {
      for (const step of steps) {
        const to = allowed[status][step];
        if (to) {
          test(`becomes ${to} by ${step}`, async () => {
            const { id } = await fixture.newApp({ status });
            assert.equal((await review({ appId: id, step, reason: 'Why.' })).reviewStatus, to);
          });
        } else {
          test(`refuses ${step} and lists the allowed steps`, async () => {
            const { id } = await fixture.newApp({ status });
            const { message } = await refused({ appId: id, step, reason: 'Why.' }, 'review_status_conflict');
            const others = Object.keys(allowed[status]).join(', ');
            const done = lastSteps[status]
              ? ` It was ${lastSteps[status]} by command-line:demo at 2026-03-01T09:30:00.000Z.`
              : '';
            assert.equal(
              message,
              `The step "${step}" is not allowed for an app that is ${status}.${done} Allowed now: ${others}.`,
            );
          });
        }
      }
    });
  }

  describe('the reviewed revision', () => {
    for (const step of ['approve', 'reject'] as const) {
      test(`must be the current one to ${step}`, async () => {
        const { id } = await fixture.newApp();
        await update(id, { listingInfo: { shortDescription: 'Changed.' } });
        await review({ appId: id, step: 'submit' });
        for (const revision of [0, 1, 3]) {
          const { message } = await refused({ appId: id, step, revision, reason: 'Why.' }, 'revision_mismatch');
          assert.match(message, /now at revision 2, which is not the reviewed one/);
        }
        const app = await review({ appId: id, step, revision: 2, reason: 'Why.' });
        assert.equal(app.revision, 2);
      });
    }

    test('does not count review steps', async () => {
      const { id } = await fixture.newApp({ status: 'AWAITING_REVIEW' });
      await review({ appId: id, step: 'withdraw' });
      await review({ appId: id, step: 'submit' });
      assert.equal(approvedContent(await review({ appId: id, step: 'approve', revision: 1 }))?.revision, 1);
    });
  });

  describe('a reason', () => {
    for (const step of ['reject', 'revoke'] as const) {
      const status = step === 'reject' ? 'AWAITING_REVIEW' : 'APPROVED';

      test(`is needed to ${step}, as a text of 1 to 2,000 characters`, async () => {
        const { id: appId } = await fixture.newApp({ status });
        const errorsFor = async (reason: string | undefined) =>
          validationErrorsOf(await refused({ appId, step, reason }, 'invalid_content'));
        assert.deepEqual(await errorsFor(undefined), ['/message required']);
        assert.deepEqual(await errorsFor(''), ['/message too_short']);
        assert.deepEqual(await errorsFor('x'.repeat(2001)), ['/message too_long']);
        assert.deepEqual(await errorsFor('alert \u0007'), ['/message invalid_format']);
        assert.deepEqual(await errorsFor(' \n\u3164'), ['/message invalid_format']);
        const reason = `Line one.\n\t${'𝄞'.repeat(1989)}`;
        assert.equal((await review({ appId, step, reason })).rejectionReason, reason);
      });
    }

    test('is refused for an approval', async () => {
      const { id: appId } = await fixture.newApp();
      const why = { appId, step: 'approve', details: { reason: 'Why.' } } as const;
      const refusal = await assertRefused(
        fixture.registry,
        () => reviewApp(fixture.registry, commandLine, why),
        'invalid_content',
      );
      assert.deepEqual(validationErrorsOf(refusal), ['/reason unknown_field']);
    });

    test('remains until the app is approved', async () => {
      const { id: appId } = await fixture.newApp({ status: 'AWAITING_REVIEW' });
      await review({ appId, step: 'reject', reason: 'First.' });
      assert.equal((await review({ appId, step: 'submit' })).rejectionReason, 'First.');
      await review({ appId, step: 'reject', reason: 'Second.' });
      assert.equal((await review({ appId, step: 'submit' })).rejectionReason, 'Second.');
      assert.equal((await review({ appId, step: 'approve' })).rejectionReason, undefined);
    });
  });

  describe('what was approved', () => {
    test('is preserved through everything that happens to the app', async () => {
      const listingInfo = { backgroundColor: '#0b5fff', shortDescription: 'Short.' };
      const { id, name, etag } = await fixture.newApp({ status: 'APPROVED', listingInfo });
      await update(id, { name: `${name} 2`, listingInfo: { shortDescription: null } });
      const revoked = await review({ appId: id, step: 'revoke', reason: 'Why.' });
      const difference = { revision: 1, etag, name, listingInfo: { shortDescription: 'Short.' } };
      assert.deepEqual([revoked.approved, revoked.changedSinceApproval], [difference, true]);
      assert.deepEqual(approvedContent(revoked), { revision: 1, etag, name, listingInfo, oauthInfo: {} });
      await review({ appId: id, step: 'submit' });
      const again = await review({ appId: id, step: 'approve' });
      assert.deepEqual([again.approved, again.changedSinceApproval, again.revision], [undefined, false, 2]);
    });

    test('remains APPROVED when the content changes, and is marked', async () => {
      const { id } = await fixture.newApp({ status: 'APPROVED' });
      const { app } = await update(id, { listingInfo: { backgroundColor: '#123' } });
      assert.equal(app.reviewStatus, 'APPROVED');
      const revoked = await review({ appId: id, step: 'revoke', reason: 'Why.' });
      assert.equal(revoked.changedSinceApproval, true);
    });

    test('is absent before the first approval', async () => {
      const app = await fixture.newApp({ status: 'REJECTED' });
      assert.ok(!('approved' in app) && !('changedSinceApproval' in app));
    });
  });

  describe('updatedAt', () => {
    test('is the time of each step', async () => {
      const { id: appId, createdAt } = await fixture.newApp();
      assert.equal(createdAt, new Date(now).toISOString());
      for (const step of ['submit', 'withdraw', 'submit', 'reject', 'submit', 'approve', 'revoke'] as const) {
        now += 1;
        const app = await review({ appId, step, reason: 'Why.' });
        assert.deepEqual([app.updatedAt, app.createdAt], [new Date(now).toISOString(), createdAt], step);
      }
    });

    test('never goes back when the clock does', async () => {
      const { id: appId, updatedAt } = await fixture.newApp();
      now -= 60_000;
      assert.equal((await review({ appId, step: 'submit' })).updatedAt, updatedAt);
      assert.equal((await review({ appId, step: 'approve' })).updatedAt, updatedAt);
      assert.equal((await update(appId, { listingInfo: { backgroundColor: '#123' } })).app.updatedAt, updatedAt);
    });
  });

  test('of two concurrent reviewers, one decides', async () => {
    const { id: appId } = await fixture.newApp({ status: 'AWAITING_REVIEW' });
    const decided = await Promise.allSettled([
      review({ appId, step: 'approve' }),
      review({ appId, step: 'reject', reason: 'Why.' }),
    ]);
    assert.deepEqual(decided.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
    const refused = decided.find((outcome) => outcome.status === 'rejected');
    assert.match(refused?.reason.message, /It was (approved|rejected) by command-line:demo at 2026-03-/);
  });

  test('an unknown app or an invalid id is not found', async () => {
    for (const appId of ['app_01jq3v9y6ae0xv5m6b7k8c9d0e', '', 'app', 'no\u0000id', '\ud800']) {
      for (const step of steps) await refused({ appId, step, reason: 'Why.' }, 'app_not_found');
    }
  });
});
