import { appNotFound, Failure, requireAppId, throwIfInvalid } from '../../../kernel/failure.ts';
import { writeIdempotently } from '../../../kernel/idempotency.ts';
import type { Caller, Registry } from '../../../kernel/registry.ts';
import type { RevisionName } from '../../../kernel/revision.ts';
import type { Connection } from '../../../storage/query.ts';
import type { AppRow } from '../../../storage/tables.ts';
import type { Change, ChangeContext } from '../../events/append-event.ts';
import { disableInstallations, enableInstallations } from '../../installations/installation-changes.ts';
import { findLogoOfDeveloper } from '../../logos/logo-queries.ts';
import { requireNotSuspended } from '../../suspension/suspended-developer.ts';
import { findAppForUpdate } from '../app-queries.ts';
import { operatorView } from '../app-view.ts';
import { isClaimed } from '../change-app-content.ts';
import { approvedColumns } from '../content-snapshot.ts';
import { nextApp } from '../next-app.ts';
import type { OperatorApp } from '../operator-app.ts';
import { changesToApproved, storeApp } from '../store-app.ts';
import { readDetails, type StepDetails } from './decision-details.ts';
import { isDecision, recordDecision } from './record-decision.ts';
import { deleteClaim } from './review-queries.ts';
import type { ReviewStep } from './review-status.ts';
import { findNamedRevision, type ReviewedRevision, reviewedRevision } from './reviewed-revision.ts';
import { type ReviewState, requireTransition } from './transitions.ts';

export interface ReviewInput {
  appId: string;
  step: ReviewStep;
  /** The input of the step: an `Approval`, a `Rejection`, a `Revocation`, or nothing. */
  details?: unknown;
  /** The revisions that may have been reviewed. A decision about a change may name an earlier one than the current one. */
  ifRevision?: readonly RevisionName[] | undefined;
}

/** A review step that is allowed for the app. */
interface Step extends ReviewState, ChangeContext {
  step: ReviewStep;
  reviewed: ReviewedRevision;
  details: StepDetails;
}

/**
 * Moves an app through review. An approval enables the installations that a revocation has disabled, except those that
 * were set since. A decision and a withdrawal end the claim of the app. Refuses with `invalid_content`, `app_not_found`, `developer_suspended`, `review_status_conflict`, `precondition_failed`,
 * `revision_archived` or `name_taken`.
 */
export async function reviewApp(registry: Registry, caller: Caller, input: ReviewInput): Promise<OperatorApp> {
  const { appId, step, ifRevision } = input;
  const details = readDetails(step, input.details);
  requireAppId(appId);
  const named = await findNamedRevision(registry, input);
  try {
    return await writeIdempotently<OperatorApp>(registry, caller, {
      content: ['reviewApp', appId, step, details, ifRevision],
      work: async (transaction) => {
        // In one round trip.
        const [before, mode] = await Promise.all([
          findAppForUpdate(transaction, { id: appId }),
          changesToApproved(transaction),
        ]);
        if (!before) throw appNotFound();
        if (step === 'submit' || step === 'approve') requireNotSuspended(before);
        await requireTransition(transaction, step, { app: before, mode });
        const reviewed = await reviewedRevision(registry, transaction, { app: before, step, ifRevision, named });
        if (step === 'approve') await requireUsableLogo(transaction, before, reviewed);
        const context = { caller: { ...caller, reason: reasonOf(caller, step, details) }, at: registry.now() };
        const app = await storeStep(transaction, { ...context, step, app: before, mode, reviewed, details });
        return operatorView(registry, app, mode);
      },
    });
  } catch (error) {
    throw isClaimed(error) && named && 'content' in named ? nameTaken(named) : error;
  }
}

/** The reason in the event: that of the caller, or else the message to the developer, unless it is an approval. */
function reasonOf(caller: Caller, step: ReviewStep, { message }: StepDetails): string | undefined {
  return caller.reason ?? (step === 'approve' ? undefined : message);
}

/** Stores a step that is allowed, with all that follows from it. Returns the app. */
async function storeStep(transaction: Connection, taken: Step): Promise<AppRow> {
  const { step, app, mode, reviewed, details, caller, at } = taken;
  const after = nextApp(app, moved(taken), { at, mode });
  const change = reviewChange(taken, after);
  const event = await storeApp(transaction, { caller, at }, { before: app, after, mode, change });
  if (event && isDecision(step)) await recordDecision(transaction, { app, step, reviewed, details, event });
  if (step === 'withdraw') await deleteClaim(transaction, { appId: app.id });

  const review = { caller, at, appId: app.id };
  if (details.disableInstallations) await disableInstallations(transaction, review);
  if (step === 'approve') await enableInstallations(transaction, review);
  return after;
}

/** The columns that the step itself changes. */
function moved({ step, app, reviewed, details: { message }, at }: Step): Partial<AppRow> {
  switch (step) {
    case 'submit':
      return { review_status: 'AWAITING_REVIEW', submitted_at: at };
    case 'withdraw':
      // As before the submission: an app that was rejected or revoked has a reason until it is approved.
      return { review_status: app.rejection_reason === null ? 'DRAFT' : 'REJECTED', submitted_at: 0 };
    case 'approve':
      return {
        review_status: 'APPROVED',
        submitted_at: 0,
        transfer_since: 0,
        rejection_reason: null,
        ...approvedColumns(reviewed.content, reviewed),
        ...(reviewed.nextAt !== null && { change_since: reviewed.nextAt }),
      };
    case 'reject-change':
      return { change_since: reviewed.nextAt ?? 0 };
    default:
      return {
        review_status: 'REJECTED',
        submitted_at: 0,
        rejection_reason: message ?? null,
        // The status that the end of a suspension restores.
        ...(app.suspended_status === 'APPROVED' && { suspended_status: 'REJECTED' }),
      };
  }
}

/** The data of its event: everything except the note. */
function reviewChange({ step, app, reviewed, details: { code, message, fields } }: Step, after: AppRow): Change {
  const isRejected = step === 'reject' || step === 'revoke';
  return {
    type: eventTypeOf(step, app),
    appId: after.id,
    subjectId: after.id,
    before: { reviewStatus: app.review_status },
    after: {
      reviewStatus: after.review_status,
      revision: reviewed.revision,
      ...(code !== undefined && { code }),
      ...(message !== undefined && { message, ...(isRejected && { reason: message }) }),
      ...(fields && { fields }),
    },
  };
}

function eventTypeOf(step: ReviewStep, app: AppRow) {
  if (step === 'approve' && app.review_status === 'APPROVED') return 'app.change_approved';
  return eventTypes[step];
}

const eventTypes = {
  submit: 'app.submitted',
  withdraw: 'app.withdrawn',
  approve: 'app.approved',
  reject: 'app.rejected',
  'reject-change': 'app.change_rejected',
  revoke: 'app.revoked',
} as const satisfies Record<ReviewStep, Change['type']>;

/** Refuses to approve a logo that is gone or blocked. The approved one stays with a transfer. */
async function requireUsableLogo(
  transaction: Connection,
  app: AppRow,
  { revision, content: { logo_id: id } }: ReviewedRevision,
): Promise<void> {
  if (id === null || revision === app.approved_revision) return;
  const logo = await findLogoOfDeveloper(transaction, { id, developerId: app.developer_id });
  if (logo?.blocked_at === null) return;
  throwIfInvalid([
    {
      pointer: '/logoId',
      code: 'unusable_logo',
      detail: `The logo of revision ${revision} is ${logo ? 'blocked' : 'gone'}. Approve another revision, or have the developer set another logo.`,
    },
  ]);
}

function nameTaken({ revision, content: { name } }: Pick<ReviewedRevision, 'revision' | 'content'>): Failure {
  return new Failure(
    'name_taken',
    `Another app has the name of revision ${revision}, ${JSON.stringify(name)}. Approve another revision, or have one of the apps renamed.`,
  );
}
