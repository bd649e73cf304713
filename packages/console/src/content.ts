import { appContentFields } from '../../server/src/features/apps/app-content.ts';

/** Labels of the fields of events other than content. */
const otherLabels: Record<string, string> = {
  approvedLogoId: 'Approved logo',
  approvedRevision: 'Approved revision',
  batch: 'Batched',
  changed: 'Changed',
  changedSinceApproval: 'Changed since approval',
  code: 'Code',
  copyOf: 'Copy of',
  createdAt: 'Created',
  deletedAt: 'Deleted',
  developerId: 'Developer',
  developerIds: 'Developers who may use it',
  developerSuspended: 'Developer suspended',
  disableInstallations: 'Disables installations',
  disabledBy: 'Disabled by',
  effective: 'In effect now',
  effectiveOnly: 'Effective changes only',
  enabled: 'Enabled',
  expiresAt: 'Expires',
  fields: 'Field messages',
  kind: 'Kind',
  message: 'Message',
  reason: 'Reason',
  'replaces.expiresAt': 'Replaced token expires',
  'replaces.id': 'Replaces',
  requestsAtOnce: 'Concurrent requests',
  restoredRevision: 'Restored revision',
  reviewStatus: 'Status',
  revision: 'Revision',
  revokedAt: 'Revoked',
  scopes: 'Scopes',
  submittedAt: 'Submitted',
  suspendedAt: 'Suspended',
  toRevision: 'Reverted to',
  types: 'Types',
  untilApproved: 'Until approved',
  updatedAt: 'Changed',
  userId: 'User',
  workspaceId: 'Workspace',
};

/** The label of a field of an event; its path if this console does not know it. */
export function labelOf(path: string): string {
  return appContentFields.find((field) => field.path === path)?.label ?? otherLabels[path] ?? path;
}
