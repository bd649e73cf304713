import type { OperatorApp } from 'app-registry-client/operator';
import { type AppContentField, appContentFields, contentValue } from '../../server/src/contract/app-content-fields.ts';

type Content = Pick<OperatorApp, 'name' | 'logoId' | 'listingInfo' | 'oauthInfo'>;

/** One field of what a developer edits of an app, as it is now and as it was earlier. */
export interface ContentRow {
  label: string;
  now: string | undefined;
  earlier: string | undefined;
  hasChanged: boolean;
}

/** The content of an app, beside what it was earlier, if that is given. */
export function contentRows(now: Content, earlier: Content | undefined): ContentRow[] {
  return appContentFields.map((field) => {
    const row = { label: field.label, now: valueIn(now, field), earlier: earlier && valueIn(earlier, field) };
    return { ...row, hasChanged: earlier !== undefined && row.now !== row.earlier };
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

function valueIn({ name, logoId, listingInfo, oauthInfo }: Content, field: AppContentField): string | undefined {
  return (
    contentValue({ name, logoId, listingInfo: { ...listingInfo }, oauthInfo: { ...oauthInfo } }, field) ?? undefined
  );
}
