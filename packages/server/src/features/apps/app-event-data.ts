import { dateTime } from '../../kernel/date-time.ts';
import type { AppContent, AppRow } from '../../storage/tables.ts';
import type { EventData } from '../events/event.ts';
import { changedContentColumns, contentData } from './app-content.ts';
import { appContentFields } from './app-content-fields.ts';
import { optional, submittedAt } from './app-view.ts';
import { approvedContent } from './content-snapshot.ts';

/** An app as the events of its deletion and restoration report it. */
export function appEventData(app: AppRow): EventData['app.restored']['after'] {
  return {
    developerId: app.developer_id,
    reviewStatus: app.review_status,
    revision: app.revision,
    ...contentData(app),
  };
}

/** The revision that a content change made, as its event records it. The history is read from these events. */
export function revisionData(app: Pick<AppRow, 'revision' | 'revision_stamp'>): {
  revision: number;
  revisionStamp: string;
} {
  return { revision: app.revision, revisionStamp: app.revision_stamp };
}

/** The data of an event about a change of these columns. */
export function contentUpdated(
  before: AppRow,
  after: AppRow,
  changed: readonly (keyof AppContent)[],
): EventData['app.updated'] {
  return {
    before: contentData(before, changed),
    after: { ...contentData(after, changed), ...revisionData(after) },
    ...changedSinceApproval(after),
  };
}

/** The data of an event about an app that an import changed, in any of its columns. */
export function appUpdated(before: AppRow, after: AppRow): EventData['app.updated'] {
  const changed = changedContentColumns(before, after);
  const dataOf = (row: AppRow) => ({
    ...contentData(row, changed),
    ...(after.review_status !== before.review_status && { reviewStatus: row.review_status }),
    ...(submittedAt(after) !== submittedAt(before) && optional({ submittedAt: submittedAt(row) })),
    ...(after.rejection_reason !== before.rejection_reason && { reason: row.rejection_reason }),
    ...((after.approved_content !== before.approved_content ||
      after.approved_revision !== before.approved_revision) && {
      approvedRevision: row.approved_revision,
    }),
    ...(after.created_at !== before.created_at && { createdAt: dateTime(row.created_at) }),
    ...(after.updated_at !== before.updated_at && { updatedAt: dateTime(row.updated_at) }),
  });
  // An import may skip numbers.
  const isRevised = after.revision !== before.revision;
  return {
    before: { ...dataOf(before), ...(isRevised && { revision: before.revision }) },
    after: { ...dataOf(after), ...(isRevised && revisionData(after)) },
    ...changedSinceApproval(after),
  };
}

/** Stored with the event, so that it is the same whenever the event is read or delivered. */
function changedSinceApproval(app: AppRow): Pick<EventData['app.updated'], 'changedSinceApproval'> {
  const approved = approvedContent(app);
  if (!approved) return {};
  const changed = appContentFields.filter(({ column }) => app[column] !== approved[column]);
  return { changedSinceApproval: changed.map(({ path }) => path) };
}
