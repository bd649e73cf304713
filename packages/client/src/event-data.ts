/**
 * What an event of each type tells in its `data`. Each may get more members.
 *
 * @example
 * const told = ({ changedSinceApproval = [] }: EventData['app.updated']) => changedSinceApproval.join(', ');
 * visit(event, { 'app.updated': ({ data }) => console.log(told(data)), _other: () => {} });
 */
export interface EventData {
  'developer.created': { after: { userId: string } };
  /** `changed` has the names of the members; what they hold is not told. */
  'developer.updated': { changed: string[] };
  /** The person was taken out of the record; the apps stay. */
  'developer.erased': object;

  'app.created': { after: AppContentInEvent & { developerId: string; reviewStatus?: ReviewStatus; reason?: string } };
  'app.updated': AppUpdated;
  'app.submitted': ReviewStep;
  'app.withdrawn': ReviewStep;
  'app.approved': ReviewStep;
  'app.rejected': ReviewStep;
  /** The approval was taken back. */
  'app.revoked': ReviewStep;
  /** It belongs to another developer now. */
  'app.transferred': { before: AppOwner; after: AppOwner };
  'app.deleted': { before: AppInEvent; after?: { deletedAt: string } };
  'app.restored': { after: AppInEvent };
  /** It can be restored no more. */
  'app.purged': object;

  'installation.created': { after: InstallationInEvent };
  /** An import has changed it. */
  'installation.updated': { before: InstallationChange; after: InstallationChange };
  'installation.enabled': { before: InstallationSwitch; after: InstallationSwitch };
  'installation.disabled': { before: InstallationSwitch; after: InstallationSwitch };
  'installation.deleted': { before: InstallationInEvent };

  'logo.created': { after: { developerId: string; copyOf?: string } };

  'token.issued': { after: TokenInEvent };
  'token.revoked': { after: { revokedAt: string } };

  'webhook.created': { after: WebhookInEvent };
  /** Its address is never told: it may hold a secret. */
  'webhook.updated': { changed: string[]; before?: WebhookInEvent; after?: WebhookInEvent };
  'webhook.deleted': { before?: WebhookInEvent };
  /** Sent to one webhook, to try it. */
  'webhook.tested': object;
}

/**
 * Where an app stands in review. A newer registry may tell another one: keep a default.
 *
 * @example
 * const isLive = (status: ReviewStatus) => status === 'APPROVED';
 * console.log(isLive((await client.developer.apps.current(id)).reviewStatus));
 */
export type ReviewStatus = 'DRAFT' | 'AWAITING_REVIEW' | 'APPROVED' | 'REJECTED';

/**
 * Members of what a developer edits: null where there is no value, absent where it is not told.
 *
 * @example
 * const nameOf = ({ name = 'not told' }: AppContentInEvent) => name;
 * visit(event, { 'app.created': ({ data }) => console.log(nameOf(data.after)), _other: () => {} });
 */
export interface AppContentInEvent {
  name?: string;
  logoId?: string | null;
  listingInfo?: {
    shortDescription?: string | null;
    longDescription?: string | null;
    backgroundColor?: string;
  };
  oauthInfo?: {
    loginUrl?: string | null;
    callbackUrl?: string | null;
  };
}

/**
 * An app as an event tells it.
 *
 * @example
 * const told = ({ name, revision }: AppInEvent) => `${name} at revision ${revision}`;
 * visit(event, { 'app.restored': ({ data }) => console.log(told(data.after)), _other: () => {} });
 */
export interface AppInEvent extends AppContentInEvent {
  developerId: string;
  reviewStatus: ReviewStatus;
  revision: number;
}

/**
 * What has changed of an app.
 *
 * @example
 * const isNew = ({ after }: AppUpdated) => after.oauthInfo?.callbackUrl !== undefined;
 * visit(event, { 'app.updated': ({ data }) => console.log(isNew(data)), _other: () => {} });
 */
export interface AppUpdated {
  /** The members that have changed, as they were. */
  before: AppChange;
  /** The same members as they are now. */
  after: AppChange;
  /**
   * The names of the content members, such as `oauthInfo.callbackUrl`, that are not as they were approved. Empty when
   * all are; absent when the app was never approved.
   */
  changedSinceApproval?: string[];
}

/**
 * Those members of an app that have changed.
 *
 * @example
 * const names = (change: AppChange) => Object.keys(change);
 * visit(event, { 'app.updated': ({ data }) => console.log(names(data.after)), _other: () => {} });
 */
export interface AppChange extends AppContentInEvent {
  developerId?: string;
  revision?: number;
  reviewStatus?: ReviewStatus;
  submittedAt?: string;
  reason?: string | null;
  approvedRevision?: number | null;
  createdAt?: string;
  updatedAt?: string;
  deletedAt?: string;
}

/**
 * A step of review.
 *
 * @example
 * const told = ({ before, after }: ReviewStep) => `${before.reviewStatus} to ${after.reviewStatus}`;
 * visit(event, { 'app.approved': ({ data }) => console.log(told(data)), _other: () => {} });
 */
export interface ReviewStep {
  before: { reviewStatus: ReviewStatus };
  /** `reason` is given with a rejection and with a revocation. */
  after: { reviewStatus: ReviewStatus; revision: number; reason?: string };
}

/**
 * Whose app it is. The logo is told when the app has one: its new developer gets a copy.
 *
 * @example
 * const ownerOf = ({ developerId }: AppOwner) => developerId;
 * visit(event, { 'app.transferred': ({ data }) => console.log(ownerOf(data.after)), _other: () => {} });
 */
export interface AppOwner {
  developerId: string;
  logoId?: string | null;
  revision?: number;
}

/**
 * Whether an installation is enabled.
 *
 * @example
 * const told = ({ enabled }: InstallationSwitch) => (enabled ? 'on' : 'off');
 * visit(event, { 'installation.disabled': ({ data }) => console.log(told(data.after)), _other: () => {} });
 */
export interface InstallationSwitch {
  enabled: boolean;
  /** Whether the next approval of the app enables it again. */
  untilApproved?: boolean;
}

/**
 * An installation as an event tells it.
 *
 * @example
 * const told = ({ workspaceId, userId }: InstallationInEvent) => `${userId} in ${workspaceId}`;
 * visit(event, { 'installation.created': ({ data }) => console.log(told(data.after)), _other: () => {} });
 */
export interface InstallationInEvent extends InstallationSwitch {
  workspaceId: string;
  userId: string;
}

/**
 * Those members of an installation that have changed.
 *
 * @example
 * const names = (change: InstallationChange) => Object.keys(change);
 * visit(event, { 'installation.updated': ({ data }) => console.log(names(data.after)), _other: () => {} });
 */
export interface InstallationChange extends Partial<InstallationSwitch> {
  userId?: string;
  createdAt?: string;
}

/**
 * A token as an event tells it: never the token itself.
 *
 * @example
 * const told = ({ kind, expiresAt }: TokenInEvent) => `${kind} until ${expiresAt}`;
 * visit(event, { 'token.issued': ({ data }) => console.log(told(data.after)), _other: () => {} });
 */
export interface TokenInEvent {
  kind: 'developer' | 'platform' | 'operator';
  developerId?: string;
  scopes?: ('read' | 'portal' | 'review' | 'admin')[];
  createdAt: string;
  expiresAt: string;
  updatesPerMinute?: number;
  readsPerMinute?: number;
  revokedAt?: string;
}

/**
 * A webhook as an event tells it: never its address or its secret.
 *
 * @example
 * const told = ({ name, enabled }: WebhookInEvent) => `${name}: ${enabled}`;
 * visit(event, { 'webhook.created': ({ data }) => console.log(told(data.after)), _other: () => {} });
 */
export interface WebhookInEvent {
  name?: string | null;
  /** Null: every type. */
  types?: string[] | null;
  enabled?: boolean;
  disabledReason?: string;
}
