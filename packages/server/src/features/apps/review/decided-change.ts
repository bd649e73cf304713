import type { AppRow } from '../../../storage/tables.ts';
import type { Change } from '../../events/append-event.ts';

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
