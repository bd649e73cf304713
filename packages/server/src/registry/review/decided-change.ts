import type { AppRow } from '../../storage/tables.ts';
import type { Change } from '../events/append-event.ts';

/** The event that a change of an approved app was approved. */
export function changeApproved(before: AppRow, after: AppRow): Change {
  return {
    type: 'app.change_approved',
    appId: after.id,
    subjectId: after.id,
    before: { approvedRevision: before.approved_revision },
    after: { approvedRevision: after.approved_revision },
  };
}
