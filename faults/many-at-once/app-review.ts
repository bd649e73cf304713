import type { ReviewStatus, ReviewStep } from '../../packages/server/src/features/apps/review/review-status.ts';
import { changed, isLive } from './app-changes.ts';
import { type AppState, hasChange } from './app-state.ts';
import { withCause, withoutCause } from './installations.ts';
import type { AppRequest } from './operations.ts';

type ReviewRequest = Extract<AppRequest, { kind: 'review' }>;

/** In which state an app can be taken through each step. */
const isAllowed: Record<ReviewStep, (state: AppState) => boolean> = {
  submit: ({ status }) => status === 'DRAFT' || status === 'REJECTED',
  withdraw: ({ status }) => status === 'AWAITING_REVIEW',
  approve: (state) => state.status === 'AWAITING_REVIEW' || hasChange(state),
  reject: ({ status }) => status === 'AWAITING_REVIEW',
  'reject-change': (state) => state.mode === 'hold' && hasChange(state),
  revoke: isLive,
};

export function refusalOfReview(state: AppState, { step, ifRevision }: ReviewRequest): string | null {
  const { revision, approved, rejectedChange } = state;
  if (!isDecision({ step }) && (ifRevision ?? revision) !== revision) return 'precondition_failed';
  if (state.suspension && (step === 'submit' || step === 'approve')) return 'developer_suspended';
  if (!isAllowed[step](state)) return 'review_status_conflict';
  if (!isOfChange(state, step)) return (ifRevision ?? revision) === revision ? null : 'revision_mismatch';
  const reviewed = ifRevision ?? revision;
  if (reviewed > revision) return 'revision_mismatch';
  if (reviewed <= (approved?.revision ?? 0)) return 'review_status_conflict';
  const isQueuedAgain = rejectedChange === revision && state.changeSince !== null;
  return reviewed <= (rejectedChange ?? 0) && !isQueuedAgain ? 'review_status_conflict' : null;
}

/** The state after a step that is allowed. */
export function reviewed(state: AppState, request: ReviewRequest, at: string | undefined): AppState | null {
  const { step, reason = null, disables } = request;
  if (step === 'submit') return changed(state, { status: 'AWAITING_REVIEW' }, { at });
  if (step === 'withdraw') return changed(state, { status: statusBefore(state) }, { at });
  if (step === 'approve') return approved(state, request, at);
  if (step === 'reject-change') return changeRejected(state, request);
  const suspension = afterRevocation(state);
  const next = changed(state, { status: 'REJECTED', reason, rejectedChange: null, suspension }, { at });
  if (next && step === 'revoke' && disables) next.installations = state.installations.map(withCause('revocation'));
  return next;
}

/** The end of a suspension gives a revoked app back as REJECTED. */
function afterRevocation({ suspension }: AppState): AppState['suspension'] {
  return suspension?.from === 'APPROVED' ? { ...suspension, from: 'REJECTED' } : suspension;
}

/** Whether a step names the revision that was reviewed. */
export function isDecision({ step }: { step: ReviewStep }): boolean {
  return step === 'approve' || step === 'reject' || step === 'reject-change';
}

/** Whether a step decides about a change of the approved app, at any of its revisions. */
function isOfChange({ status }: AppState, step: ReviewStep): boolean {
  return status === 'APPROVED' && (step === 'approve' || step === 'reject-change');
}

/** The status from before the submission: an app that was rejected or revoked has a reason. */
function statusBefore({ reason }: AppState): ReviewStatus {
  return reason === null ? 'DRAFT' : 'REJECTED';
}

function approved(state: AppState, { ifRevision }: ReviewRequest, at: string | undefined): AppState | null {
  const revision = ifRevision ?? state.revision;
  const content = state.revisions.get(revision)?.content ?? state.content;
  const changeSince = undecidedSince(state, revision);
  const given = { status: 'APPROVED', reason: null, rejectedChange: null, approved: { revision, content } } as const;
  const next = changed(state, { ...given, changeSince }, { at });
  return next && { ...next, installations: state.installations.map(withoutCause('revocation')) };
}

function changeRejected(state: AppState, { ifRevision }: ReviewRequest): AppState | null {
  const rejectedChange = ifRevision ?? state.revision;
  return changed(state, { rejectedChange, changeSince: undecidedSince(state, rejectedChange) }, {});
}

/** When the first revision after a decision was made; null when there is none. */
function undecidedSince({ revisions }: AppState, decided: number): AppState['changeSince'] {
  return revisions.get(decided + 1)?.at ?? null;
}
