import { check } from '../contract/check.ts';
import type { EventType } from '../contract/event.ts';
import type { OperatorApp } from '../contract/operator-app.ts';
import { ReviewReason, type ReviewStatus } from '../contract/review.ts';
import { findAppForUpdate, updateApp } from '../storage/apps.ts';
import type { AppRow } from '../storage/tables.ts';
import { approvedColumns } from './app-content.ts';
import { operatorView } from './app-view.ts';
import { appendEvent } from './append-event.ts';
import { appNotFound, Failure, refuseFaults, requireAppId } from './failure.ts';
import type { Caller, Registry } from './registry.ts';
import { disableInstallations, enableInstallations } from './revoked-installations.ts';

export type ReviewStep = 'submit' | 'withdraw' | 'approve' | 'reject' | 'revoke';

interface Transition {
  from: readonly ReviewStatus[];
  to: ReviewStatus;
  event: EventType;
  needsReason?: true;
}

/** Decision 28. */
const transitions: Record<ReviewStep, Transition> = {
  submit: { from: ['DRAFT', 'REJECTED'], to: 'AWAITING_REVIEW', event: 'app.submitted' },
  withdraw: { from: ['AWAITING_REVIEW'], to: 'DRAFT', event: 'app.withdrawn' },
  approve: { from: ['AWAITING_REVIEW'], to: 'APPROVED', event: 'app.approved' },
  reject: { from: ['AWAITING_REVIEW'], to: 'REJECTED', event: 'app.rejected', needsReason: true },
  revoke: { from: ['APPROVED'], to: 'REJECTED', event: 'app.revoked', needsReason: true },
};

export interface ReviewInput {
  appId: string;
  step: ReviewStep;
  /** Why, for `reject` and `revoke`. */
  reason?: string | undefined;
  /** The revision that was reviewed, for `approve` and `reject`: another one is refused. */
  revision?: number | undefined;
  /** For `revoke`: whether all installations are disabled too, until the app is approved again. */
  disableInstallations?: boolean | undefined;
}

/**
 * Moves an app through review. An approval enables the installations again that a revocation has disabled,
 * but for those that somebody has set since. Refuses with `invalid_content`, `app_not_found`,
 * `review_status_conflict` or `precondition_failed`.
 */
export async function reviewApp(registry: Registry, caller: Caller, input: ReviewInput): Promise<OperatorApp> {
  const transition = transitions[input.step];
  if (transition.needsReason) refuseFaults(check(ReviewReason, { reason: input.reason }));
  requireAppId(input.appId);

  const app = await registry.storage.write(async (transaction) => {
    const before = await findAppForUpdate(transaction, { id: input.appId });
    if (!before) throw appNotFound();
    requireTransition(before, input);
    const at = Math.max(registry.now(), before.updated_at);
    const after = moved(before, { ...input, to: transition.to, at });
    await updateApp(transaction, after);
    await appendEvent(transaction, {
      caller,
      at,
      type: transition.event,
      appId: after.id,
      subjectId: after.id,
      before: { reviewStatus: before.review_status },
      after: {
        reviewStatus: after.review_status,
        revision: after.revision,
        ...(transition.needsReason && { reason: input.reason }),
      },
    });
    const review = { caller, at, appId: after.id };
    if (input.step === 'revoke' && input.disableInstallations) await disableInstallations(transaction, review);
    if (input.step === 'approve') await enableInstallations(transaction, review);
    return after;
  });
  return operatorView(registry, app);
}

function requireTransition(app: AppRow, { step, revision }: ReviewInput): void {
  if (!transitions[step].from.includes(app.review_status)) {
    const allowed = (Object.keys(transitions) as ReviewStep[]).filter((other) =>
      transitions[other].from.includes(app.review_status),
    );
    throw new Failure(
      'review_status_conflict',
      `An app that is ${app.review_status} cannot be taken through "${step}". Allowed now: ${allowed.join(', ')}.`,
    );
  }
  if (revision !== undefined && revision !== app.revision) {
    throw new Failure(
      'precondition_failed',
      `The app is at revision ${app.revision}, and revision ${revision} was reviewed. Review what it is now.`,
    );
  }
}

function moved(app: AppRow, { step, to, at, reason }: ReviewInput & { to: ReviewStatus; at: number }): AppRow {
  return {
    ...app,
    review_status: to,
    updated_at: at,
    platform_revision: app.platform_revision + 1,
    ...(transitions[step].needsReason && { rejection_reason: reason ?? null }),
    ...(step === 'approve' && {
      rejection_reason: null,
      ...approvedColumns(app, app.revision),
    }),
  };
}
