import type { AppSummary } from '@appregistrar/client/operator';

type Status = AppSummary['reviewStatus'];

export const statusNames: Record<Status, string> = {
  DRAFT: 'Draft',
  AWAITING_REVIEW: 'Awaiting review',
  APPROVED: 'Approved',
  REJECTED: 'Rejected',
};

export function ReviewStatus({ app }: { app: AppSummary }) {
  return (
    <span class="badges">
      <span key={app.reviewStatus} class={`badge ${app.reviewStatus.toLowerCase()}`}>
        {statusNames[app.reviewStatus]}
      </span>
      {app.deletedAt && <span class="badge">Deleted</span>}
      {app.changedSinceApproval && <span class="badge changed">Changed since approval</span>}
    </span>
  );
}
