import { type AppContentField, appContentFields, contentValue } from '../../server/src/contract/app-content-fields.ts';
import type { OperatorApp } from './api/operations.ts';

type Content = Pick<OperatorApp, 'name' | 'logoId' | 'listingInfo' | 'oauthInfo'>;

/** One field of what a developer edits of an app, as it is now and as it was approved. */
interface ContentRow {
  label: string;
  now: string | undefined;
  approved: string | undefined;
  hasChanged: boolean;
}

/** The content of an app, beside what was approved of it if it ever was. */
export function contentRows(app: OperatorApp): ContentRow[] {
  const valueIn = ({ name, logoId, listingInfo, oauthInfo }: Content, field: AppContentField) =>
    contentValue({ name, logoId, listingInfo, oauthInfo }, field) ?? undefined;
  return appContentFields.map((field) => {
    const now = valueIn(app, field);
    const approved = app.approved && valueIn(app.approved, field);
    return { label: field.label, now, approved, hasChanged: app.approved !== undefined && now !== approved };
  });
}

/** What events hold besides content. */
const otherLabels: Record<string, string> = {
  changedSinceApproval: 'Other than approved',
  developerId: 'Developer',
  developerSuspended: 'Developer suspended',
  disableInstallations: 'Disables installations',
  disabledBy: 'Disabled by',
  effective: 'Is effective',
  enabled: 'Is enabled',
  reason: 'Reason',
  reviewStatus: 'Status',
  revision: 'Revision',
  userId: 'Installed by',
  workspaceId: 'Workspace',
};

/** What people call a field of an event; its path where this console does not know it. */
export function labelOf(path: string): string {
  return appContentFields.find((field) => field.path === path)?.label ?? otherLabels[path] ?? path;
}
