import type { EventData } from '../../contract/event.ts';
import type { ContentEventData } from '../../contract/event-data.ts';
import type { ContentField } from '../../contract/event-query.ts';
import type { AppContent, AppRow } from '../../storage/tables.ts';
import { dateTime } from '../date-time.ts';
import { allContent } from './app-content.ts';
import { optional, submittedAt } from './app-view.ts';

/** Some columns of an app's content as events tell them, under the names of the interface. */
export function contentEventData(content: AppContent, columns: readonly (keyof AppContent)[]): ContentEventData {
  const value = (column: keyof AppContent) => (columns.includes(column) ? content[column] : undefined);
  const told = {
    name: value('name'),
    logoId: value('logo_id'),
    listingInfo: defined({
      shortDescription: value('short_description'),
      longDescription: value('long_description'),
      backgroundColor: value('background_color'),
    }),
    oauthInfo: defined({ loginUrl: value('login_url'), callbackUrl: value('callback_url') }),
  };
  return told as ContentEventData;
}

function defined(group: object): object | undefined {
  return Object.values(group).some((value) => value !== undefined) ? group : undefined;
}

/** An app as the events of its deletion and return tell it. */
export function appEventData(app: AppRow): EventData['app.restored']['after'] {
  return {
    developerId: app.developer_id,
    reviewStatus: app.review_status,
    revision: app.revision,
    ...contentEventData(app, allContent),
  };
}

/** What an event tells of a change of these columns. */
export function contentUpdated(
  before: AppRow,
  after: AppRow,
  changed: readonly (keyof AppContent)[],
): EventData['app.updated'] {
  return {
    before: contentEventData(before, changed),
    after: contentEventData(after, changed),
    ...changedSinceApproval(after),
  };
}

/** The same of a change that an import made, of whatever an app has. */
export function appUpdated(before: AppRow, after: AppRow): EventData['app.updated'] {
  const changed = allContent.filter((column) => after[column] !== before[column]);
  const told = (row: AppRow) => ({
    ...contentEventData(row, changed),
    ...(changed.length === 0 && after.revision !== before.revision && { revision: row.revision }),
    ...(after.review_status !== before.review_status && { reviewStatus: row.review_status }),
    ...(submittedAt(after) !== submittedAt(before) && optional({ submittedAt: submittedAt(row) })),
    ...(after.rejection_reason !== before.rejection_reason && { reason: row.rejection_reason }),
    ...(after.approved_content !== before.approved_content && { approvedRevision: row.approved_revision }),
    ...(after.created_at !== before.created_at && { createdAt: dateTime(row.created_at) }),
    ...(after.updated_at !== before.updated_at && { updatedAt: dateTime(row.updated_at) }),
  });
  return { before: told(before), after: told(after), ...changedSinceApproval(after) };
}

/** Stored with the event, so that it tells the same whenever it is read or delivered. */
function changedSinceApproval(app: AppRow): Pick<EventData['app.updated'], 'changedSinceApproval'> {
  if (app.approved_content === null) return {};
  const approved: AppContent = JSON.parse(app.approved_content);
  const changed = allContent.filter((column) => app[column] !== approved[column]);
  return { changedSinceApproval: changed.map((column) => fields[column]) };
}

const fields: Record<keyof AppContent, ContentField> = {
  name: 'name',
  logo_id: 'logoId',
  short_description: 'listingInfo.shortDescription',
  long_description: 'listingInfo.longDescription',
  background_color: 'listingInfo.backgroundColor',
  login_url: 'oauthInfo.loginUrl',
  callback_url: 'oauthInfo.callbackUrl',
};
