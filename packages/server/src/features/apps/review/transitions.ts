import { Failure } from '../../../kernel/failure.ts';
import { dateTime } from '../../../kernel/text.ts';
import type { Connection } from '../../../storage/query.ts';
import type { AppRow, DecisionRow } from '../../../storage/tables.ts';
import { findLatestReviewEvent } from '../../events/event-queries.ts';
import { awaitsDecisions, type ChangesToApproved } from '../next-app.ts';
import { findLastDecision } from './review-queries.ts';
import { type ReviewStep, reviewSteps } from './review-status.ts';

/** The state of an app's review. */
export interface ReviewState {
  app: AppRow;
  /** The setting for changes to approved content. */
  changesToApproved: ChangesToApproved;
}

/** The states of an app in which each step is allowed. */
const isAllowed: Record<ReviewStep, (state: ReviewState) => boolean> = {
  submit: ({ app }) => !isSuspended(app) && (app.review_status === 'DRAFT' || app.review_status === 'REJECTED'),
  withdraw: ({ app }) => app.review_status === 'AWAITING_REVIEW',
  approve: ({ app }) =>
    !isSuspended(app) && (app.review_status === 'AWAITING_REVIEW' || hasChange(app) || hasTransfer(app)),
  reject: ({ app }) => app.review_status === 'AWAITING_REVIEW',
  'reject-change': ({ app, changesToApproved }) => hasChange(app) && changesToApproved === 'hold',
  // While its developer is suspended too: else the end of the suspension would approve the app again.
  revoke: ({ app }) => awaitsDecisions(app),
};

/** The steps that the state allows. */
export function allowedSteps(state: ReviewState): ReviewStep[] {
  return reviewSteps.filter((step) => isAllowed[step](state));
}

/** Refuses a step that the state does not allow with `review_status_conflict`. */
export async function requireTransition(transaction: Connection, step: ReviewStep, state: ReviewState): Promise<void> {
  if (isAllowed[step](state)) return;
  if (step === 'reject-change' && hasChange(state.app)) throw notHeld();
  const allowed = allowedSteps(state).join(', ');
  const next = allowed === '' ? 'End the suspension first' : `Allowed now: ${allowed}`;
  throw new Failure(
    'review_status_conflict',
    `The step "${step}" is not allowed for an app that is ${describe(state.app)}.${await lastStep(transaction, state.app)} ${next}.`,
  );
}

function notHeld(): Failure {
  return new Failure(
    'review_status_conflict',
    'While the setting changesToApproved is "live", changes take effect at once and cannot be rejected. Revert the app to its approved content, or revoke the approval.',
  );
}

function describe(app: AppRow): string {
  const waiting = [...(hasChange(app) ? ['a change'] : []), ...(hasTransfer(app) ? ['a transfer'] : [])];
  if (waiting.length > 0) return `${app.review_status} with ${waiting.join(' and ')} to decide on`;
  return isSuspended(app) ? `${app.review_status} while its developer is suspended` : app.review_status;
}

function isSuspended(app: AppRow): boolean {
  return app.suspended_status !== null;
}

/** Whether a change of approved content awaits a decision. */
function hasChange(app: AppRow): boolean {
  return app.review_status === 'APPROVED' && app.change_since !== 0;
}

/** Whether a transfer of an approved app awaits a decision. */
export function hasTransfer(app: AppRow): boolean {
  return app.review_status === 'APPROVED' && app.transfer_since !== 0;
}

/** Describes the latest step, which may have been concurrent. */
async function lastStep(transaction: Connection, { id: appId }: AppRow): Promise<string> {
  const [event, decision] = await Promise.all([
    findLatestReviewEvent(transaction, { appId }),
    findLastDecision(transaction, { appId }),
  ]);
  if (decision && decision.event_id >= (event?.id ?? '')) return ` ${describeDecision(decision)}`;
  if (!event) return '';
  const done = event.type.slice('app.'.length);
  return ` It was ${done} by ${event.actor} at ${dateTime(event.occurred_at)}.`;
}

/** Describes the decision, its actor and its time. */
export function describeDecision({ step, revision, actor, decided_at: at }: DecisionRow): string {
  const done = decided[step] ?? step;
  return `${done.replace('REVISION', String(revision))} by ${actor} at ${dateTime(at)}.`;
}

const decided: Record<string, string> = {
  approve: 'It was approved',
  reject: 'It was rejected',
  'reject-change': 'Its change up to revision REVISION was rejected',
  revoke: 'It was revoked',
};
