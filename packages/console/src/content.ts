import { appContentFields } from '../../server/src/contract/app-content-fields.ts';

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
