import type { AppSummary } from '@appregistrar/client/operator';

type Status = AppSummary['reviewStatus'];

export const statusNames: Record<Status, string> = {
  DRAFT: 'Draft',
  AWAITING_REVIEW: 'Awaiting review',
  APPROVED: 'Approved',
  REJECTED: 'Rejected',
};

/** The one state that matters most: an app that is deleted or changed was approved, or not, before that. */
export function ReviewStatus({ app }: { app: AppSummary }) {
  const [state, name] = shownStatus(app);
  return (
    <span key={state} class={`badge ${state}`}>
      {name}
    </span>
  );
}

function shownStatus({ reviewStatus, deletedAt, changedSinceApproval }: AppSummary): [state: string, name: string] {
  if (deletedAt) return ['deleted', 'Deleted'];
  if (reviewStatus === 'APPROVED' && changedSinceApproval) return ['changed', 'Changed since approval'];
  return [reviewStatus.toLowerCase(), statusNames[reviewStatus]];
}
