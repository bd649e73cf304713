import type { OperatorApp } from '../../contract/operator-app.ts';
import {
  NoDetails,
  Rejection,
  type ReviewStatus,
  type ReviewStep,
  Revocation,
  reviewSteps,
} from '../../contract/review.ts';
import { findAppForUpdate } from '../../storage/queries/apps.ts';
import { findLatestReviewEvent } from '../../storage/queries/events.ts';
import type { Connection } from '../../storage/query.ts';
import type { AppRow } from '../../storage/tables.ts';
import { operatorView } from '../apps/app-view.ts';
import { approvedColumns } from '../apps/content-snapshot.ts';
import { nextApp } from '../apps/next-app.ts';
import { RevisionMismatch } from '../apps/revision-condition.ts';
import { changesToApproved, storeApp } from '../apps/store-app.ts';
import { dateTime } from '../date-time.ts';
import type { Change } from '../events/append-event.ts';
import { appNotFound, Failure, requireAppId, requireValid } from '../failure.ts';
import { disableInstallations, enableInstallations } from '../installations/revoked-installations.ts';
import type { Caller, Registry } from '../registry.ts';
import { isNamed, type RevisionName } from '../revision.ts';

interface Transition {
  from: readonly ReviewStatus[];
  to: ReviewStatus;
  event: 'app.submitted' | 'app.withdrawn' | 'app.approved' | 'app.rejected' | 'app.revoked';
  details: typeof NoDetails | typeof Rejection | typeof Revocation;
}

/** Decision 28. */
const transitions: Record<ReviewStep, Transition> = {
  submit: { from: ['DRAFT', 'REJECTED'], to: 'AWAITING_REVIEW', event: 'app.submitted', details: NoDetails },
  withdraw: { from: ['AWAITING_REVIEW'], to: 'DRAFT', event: 'app.withdrawn', details: NoDetails },
  approve: { from: ['AWAITING_REVIEW'], to: 'APPROVED', event: 'app.approved', details: NoDetails },
  reject: { from: ['AWAITING_REVIEW'], to: 'REJECTED', event: 'app.rejected', details: Rejection },
  revoke: { from: ['APPROVED'], to: 'REJECTED', event: 'app.revoked', details: Revocation },
};

export interface ReviewInput {
  appId: string;
  step: ReviewStep;
  /** The input of the step: a `Rejection`, a `Revocation`, or nothing. */
  details?: unknown;
  /** The revisions that may have been reviewed; any other current revision is refused. */
  ifRevision?: readonly RevisionName[] | undefined;
}

/**
 * Moves an app through review. An approval enables the installations that a revocation has disabled, except those that
 * were set since. Refuses with `invalid_content`, `app_not_found`, `review_status_conflict` or `precondition_failed`.
 */
export async function reviewApp(registry: Registry, caller: Caller, input: ReviewInput): Promise<OperatorApp> {
  const transition = transitions[input.step];
  const details: Partial<Revocation> = requireValid(transition.details, input.details ?? {});
  const { reason, disableInstallations: disables } = details;
  requireAppId(input.appId);

  const { app, mode } = await registry.storage.write(async (transaction) => {
    const before = await findAppForUpdate(transaction, { id: input.appId });
    if (!before) throw appNotFound();
    await requireTransition(registry, transaction, { app: before, ...input });
    const at = registry.now();
    const mode = await changesToApproved(transaction);
    const after = nextApp(before, moved(before, { step: input.step, to: transition.to, at, reason }), { at, mode });
    const change: Change = {
      type: transition.event,
      appId: after.id,
      subjectId: after.id,
      before: { reviewStatus: before.review_status },
      after: {
        reviewStatus: after.review_status,
        revision: after.revision,
        ...(reason !== undefined && { reason }),
      },
    };
    const context = { caller: { ...caller, reason: reason ?? caller.reason }, at };
    await storeApp(transaction, context, { before, after, mode, change });
    const review = { ...context, appId: after.id };
    if (disables) await disableInstallations(transaction, review);
    if (input.step === 'approve') await enableInstallations(transaction, review);
    return { app: after, mode };
  });
  return operatorView(registry, app, mode);
}

async function requireTransition(
  registry: Registry,
  transaction: Connection,
  { app, step, ifRevision }: ReviewInput & { app: AppRow },
): Promise<void> {
  const status = app.review_status;
  if (!transitions[step].from.includes(status)) {
    const allowed = reviewSteps.filter((other) => transitions[other].from.includes(status));
    throw new Failure(
      'review_status_conflict',
      `An app that is ${status} cannot be taken through "${step}".${await lastStep(transaction, app)} Allowed now: ${allowed.join(', ')}.`,
    );
  }
  if (ifRevision && !isNamed(registry, app, ifRevision)) {
    throw new RevisionMismatch(
      registry,
      app,
      `The app is now at revision ${app.revision}, which is not the reviewed one. Review the current revision.`,
    );
  }
}

/** Describes the latest step, which may have been concurrent. */
async function lastStep(transaction: Connection, { id }: AppRow): Promise<string> {
  const event = await findLatestReviewEvent(transaction, { appId: id });
  if (!event) return '';
  const done = event.type.slice('app.'.length);
  return ` It was ${done} by ${event.actor} at ${dateTime(event.occurred_at)}.`;
}

interface Step {
  step: ReviewStep;
  to: ReviewStatus;
  at: number;
  reason: string | undefined;
}

/** What the step itself changes. */
function moved(app: AppRow, { step, to, at, reason }: Step): Partial<AppRow> {
  return {
    review_status: to,
    // An older program that submits it again leaves the value unchanged.
    submitted_at: step === 'submit' ? at : 0,
    ...(reason !== undefined && { rejection_reason: reason }),
    ...(step === 'approve' && {
      rejection_reason: null,
      ...approvedColumns(app, { revision: app.revision, stamp: app.revision_stamp }),
    }),
  };
}
