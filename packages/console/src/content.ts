import { appContentFields } from '../../server/src/contract/app-content-fields.ts';

/** What events hold besides content. */
const otherLabels: Record<string, string> = {
  approvedLogoId: 'Approved logo',
  approvedRevision: 'Approved revision',
  batch: 'In batches',
  changed: 'Changed',
  changedSinceApproval: 'Other than approved',
  code: 'Code',
  copyOf: 'Copy of',
  createdAt: 'Created',
  deletedAt: 'Deleted',
  developerId: 'Developer',
  developerSuspended: 'Developer suspended',
  disableInstallations: 'Disables installations',
  disabledBy: 'Disabled by',
  effective: 'Is effective',
  enabled: 'Is enabled',
  expiresAt: 'Expires',
  fields: 'About single fields',
  kind: 'Kind',
  message: 'Message',
  reason: 'Reason',
  requestsAtOnce: 'Requests at the same time',
  reviewStatus: 'Status',
  revision: 'Revision',
  revokedAt: 'Revoked',
  scopes: 'Scopes',
  submittedAt: 'Submitted',
  suspendedAt: 'Suspended',
  toRevision: 'Brought back',
  types: 'Types',
  untilApproved: 'Until the next approval',
  updatedAt: 'Changed',
  userId: 'User',
  workspaceId: 'Workspace',
};

/** What people call a field of an event; its path where this console does not know it. */
export function labelOf(path: string): string {
  return appContentFields.find((field) => field.path === path)?.label ?? otherLabels[path] ?? path;
}
