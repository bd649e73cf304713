import type { Decision, EventData, ReviewStep } from '../../event-data.ts';
import type { ReviewStatus } from '../../types/app.ts';

const at = '2026-11-21T12:00:00.000Z';
const developerId = 'developer_01jq3v2f5ced7a8g9h0j1k2m3n';
const content = {
  name: 'Invoice Sync',
  listingInfo: {
    shortDescription: 'Keeps invoices and ledgers in step.',
    longDescription: null,
    backgroundColor: '#0b5fff',
  },
  oauthInfo: {
    loginUrl: 'https://invoices.example.com/login',
    callbackUrl: 'https://invoices.example.com/oauth/callback',
  },
};
const app = { ...content, developerId, revision: 3 };
const made = (revision: number) => ({ revision, revisionNonce: 'q5L-YRbWlS84' });
const suspension = { tokens: 2, apps: 3, approvedApps: 1, installations: 40 };
const installation = { workspaceId: 'workspace_1', userId: 'user_1', enabled: true };
const webhook = {
  name: 'Billing',
  types: ['app.approved'],
  effectiveOnly: false,
  batch: false,
  requestsAtOnce: null,
  enabled: true,
};
const reasonTemplate = { title: 'Callback does not respond', message: 'The callback URL does not respond.' };
const protectedName = { name: 'Invoice Sync', developerIds: [developerId] };
const reason = 'Reported as malware.';

/** Data of each type, as a registry could send it. */
export const sampleData: EventData = {
  'developer.created': { after: { userId: 'user_1' } },
  'developer.updated': { changed: ['email'] },
  'developer.suspended': { after: { ...suspension, suspendedAt: at, reason } },
  'developer.unsuspended': { before: { suspendedAt: at, reason }, after: suspension },
  'developer.erased': {},

  'app.created': { after: { ...content, developerId, ...made(1) } },
  'app.updated': {
    before: { name: 'Invoices' },
    after: { name: 'Invoice Sync', ...made(3) },
    changedSinceApproval: ['name'],
    effective: { name: 'Invoice Sync' },
  },
  'app.submitted': step('DRAFT', 'AWAITING_REVIEW'),
  'app.withdrawn': step('AWAITING_REVIEW', 'DRAFT'),
  'app.approved': { ...step('AWAITING_REVIEW', 'APPROVED'), effective: content },
  'app.rejected': decision('AWAITING_REVIEW', 'REJECTED', 'The callback URL does not respond.'),
  'app.revoked': { ...decision('APPROVED', 'REJECTED', reason), effective: null },
  'app.change_approved': step('APPROVED', 'APPROVED'),
  'app.change_rejected': decision('APPROVED', 'APPROVED', 'The new name is that of another product.'),
  'app.transferred': {
    before: { developerId, logoId: null, ...made(3) },
    after: { developerId: 'developer_01jq3v2f5ced7a8g9h0j1k2m3p', logoId: null, ...made(4) },
  },
  'app.deleted': { before: { ...app, reviewStatus: 'APPROVED' }, after: { deletedAt: at }, effective: null },
  'app.restored': { after: { ...app, reviewStatus: 'DRAFT' } },
  'app.purged': {},

  'installation.created': { after: installation },
  'installation.updated': { before: { userId: 'user_1' }, after: { userId: 'user_2' } },
  'installation.enabled': { before: { enabled: false, disabledBy: ['workspace'] }, after: { enabled: true } },
  'installation.disabled': { before: { enabled: true }, after: { enabled: false, disabledBy: ['workspace'] } },
  'installation.deleted': { before: installation },

  'logo.created': { after: { developerId } },
  'logo.blocked': { after: { developerId, reason } },
  'logo.unblocked': { before: { developerId, reason } },
  'logo.deleted': { before: { developerId } },

  'token.created': { after: { kind: 'developer', developerId, createdAt: at, expiresAt: '2027-11-21T12:00:00.000Z' } },
  'token.revoked': { after: { revokedAt: at } },

  'webhook.created': { after: webhook },
  'webhook.updated': { changed: ['name'], before: { name: 'Invoices' }, after: { name: 'Billing' } },
  'webhook.deleted': { before: webhook },

  'protected_name.created': { after: protectedName },
  'protected_name.updated': { before: protectedName, after: { ...protectedName, note: 'Ask first.' } },
  'protected_name.deleted': { before: protectedName },
  'reason_template.created': { after: reasonTemplate },
  'reason_template.updated': { before: reasonTemplate, after: { ...reasonTemplate, code: 'broken_address' } },
  'reason_template.deleted': { before: reasonTemplate },

  'settings.updated': { before: { uniqueNames: false }, after: { uniqueNames: true } },
  'webhook.tested': {},
};

function step(before: ReviewStatus, after: ReviewStatus): ReviewStep {
  return { before: { reviewStatus: before }, after: { reviewStatus: after, revision: 3 } };
}

function decision(before: ReviewStatus, after: ReviewStatus, message: string): Decision {
  const { after: decided, ...rest } = step(before, after);
  return { ...rest, after: { ...decided, message } };
}
