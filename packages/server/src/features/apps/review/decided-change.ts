import type { Change } from '../../../registry/events/append-event.ts';
import type { AppRow } from '../../../storage/tables.ts';

/** The event that the current content of a changed app was approved. */
export function changeApproved(before: AppRow, after: AppRow): Change {
  return {
    type: 'app.change_approved',
    appId: after.id,
    subjectId: after.id,
    before: { reviewStatus: before.review_status },
    after: { reviewStatus: after.review_status, revision: after.revision },
  };
}
