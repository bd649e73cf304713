import type { EventType } from '@appregistrar/client';

export type { EventType };

/** All types but the test event, which every webhook receives. The compiler reports a missing one. */
const selectable: Record<Exclude<EventType, 'webhook.tested'>, true> = {
  'app.created': true,
  'app.updated': true,
  'app.submitted': true,
  'app.withdrawn': true,
  'app.approved': true,
  'app.rejected': true,
  'app.revoked': true,
  'app.change_approved': true,
  'app.change_rejected': true,
  'app.transferred': true,
  'app.deleted': true,
  'app.restored': true,
  'app.purged': true,
  'installation.created': true,
  'installation.updated': true,
  'installation.enabled': true,
  'installation.disabled': true,
  'installation.deleted': true,
  'developer.created': true,
  'developer.updated': true,
  'developer.suspended': true,
  'developer.unsuspended': true,
  'developer.erased': true,
  'logo.created': true,
  'logo.blocked': true,
  'logo.unblocked': true,
  'logo.deleted': true,
  'token.created': true,
  'token.revoked': true,
  'webhook.created': true,
  'webhook.updated': true,
  'webhook.deleted': true,
  'protected_name.created': true,
  'protected_name.updated': true,
  'protected_name.deleted': true,
  'reason_template.created': true,
  'reason_template.updated': true,
  'reason_template.deleted': true,
  'settings.updated': true,
};

/** The event types to choose from, grouped by subject. */
export const typesBySubject = Object.groupBy(
  Object.keys(selectable) as EventType[],
  (type) => type.split('.')[0] ?? '',
);
