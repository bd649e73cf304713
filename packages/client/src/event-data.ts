import type { ListingInfoUpdate, OauthInfoUpdate, ReviewStatus } from './types/app.ts';

/**
 * The `data` of each event type. Later versions may add fields.
 *
 * @example
 * const describe = ({ changedSinceApproval = [] }: EventData['app.updated']) => changedSinceApproval.join(', ');
 * visit(event, { 'app.updated': ({ data }) => console.log(describe(data)), _other: () => {} });
 */
export interface EventData {
  'developer.created': { after: { userId: string } };
  /** `changed` contains the names of the changed fields, without their values. */
  'developer.updated': { changed: string[] };
  /** Their tokens are refused, their apps revoked, and the installations of these disabled. */
  'developer.suspended': { after: SuspensionInEvent & { suspendedAt: string; reason: string } };
  /** What the suspension did was undone. */
  'developer.unsuspended': { before: { suspendedAt: string; reason: string }; after: SuspensionInEvent };
  /** The personal data was erased; the apps remain. */
  'developer.erased': object;

  'app.created': { after: AppCreated } & EffectiveChange;
  'app.updated': AppUpdated;
  'app.submitted': ReviewStep;
  'app.withdrawn': ReviewStep;
  'app.approved': Decision & EffectiveChange;
  'app.rejected': Decision;
  /** The approval was revoked. */
  'app.revoked': Decision & EffectiveChange;
  /** A change or a transfer of an approved app was approved. */
  'app.change_approved': Decision & EffectiveChange;
  /** A change to an approved app was rejected: its approved content stays in effect. */
  'app.change_rejected': Decision;
  /** The app was transferred to another developer. */
  'app.transferred': { before: AppOwner; after: AppOwner } & EffectiveChange;
  'app.deleted': { before: AppInEvent; after?: { deletedAt: string } } & EffectiveChange;
  'app.restored': { after: AppInEvent } & EffectiveChange;
  /** The app can no longer be restored. */
  'app.purged': object;

  'installation.created': { after: InstallationInEvent };
  /** Changed by an import. */
  'installation.updated': { before: InstallationChange; after: InstallationChange };
  'installation.enabled': { before: InstallationSwitch; after: InstallationSwitch };
  /** Also when it is still disabled, now by other causes. */
  'installation.disabled': { before: InstallationSwitch; after: InstallationSwitch };
  'installation.deleted': { before: InstallationInEvent };

  'logo.created': { after: { developerId: string; copyOf?: string } };
  'logo.blocked': { after: { developerId: string; reason: string } };
  'logo.unblocked': { before: { developerId: string; reason: string } };
  'logo.deleted': { before: { developerId: string } };

  'token.issued': { after: TokenInEvent };
  'token.revoked': { after: { revokedAt: string } };

  'webhook.created': { after: WebhookInEvent };
  /** Never contains the URL, which may hold a secret. */
  'webhook.updated': { changed: string[]; before?: WebhookInEvent; after?: WebhookInEvent };
  'webhook.deleted': { before?: WebhookInEvent };

  'protected_name.created': { after: ProtectedNameInEvent };
  'protected_name.deleted': { before: ProtectedNameInEvent };
  'reason_template.created': { after: ReasonTemplateInEvent };
  'reason_template.updated': { before: ReasonTemplateInEvent; after: ReasonTemplateInEvent };
  'reason_template.deleted': { before: ReasonTemplateInEvent };

  /** Settings of the registry, of which only the changed ones are included. */
  'settings.updated': { before: SettingsInEvent; after: SettingsInEvent };
  /** Sent to a single webhook to test it. */
  'webhook.tested': object;
}

/**
 * The content of an app: null for a field without a value, absent for a field that the event does not include.
 *
 * @example
 * const nameOf = ({ name = 'unknown' }: AppContentInEvent) => name;
 * visit(event, { 'app.created': ({ data }) => console.log(nameOf(data.after)), _other: () => {} });
 */
export interface AppContentInEvent {
  name?: string;
  logoId?: string | null;
  /** The fields of an update of the listing. */
  listingInfo?: Given<ListingInfoUpdate>;
  /** The fields of an update of the sign-in URLs. */
  oauthInfo?: Given<OauthInfoUpdate>;
}

/**
 * What a change altered of the content of an app that a platform may act on.
 *
 * @example
 * const describe = ({ effective }: EffectiveChange) => effective?.oauthInfo?.callbackUrl ?? 'no new callback URL';
 * visit(event, { 'app.approved': ({ data }) => console.log(describe(data)), _other: () => {} });
 */
export interface EffectiveChange {
  /**
   * The fields of the effective content that changed; all fields if the app has become effective; null if it is not
   * effective any more. Absent if the change altered none of it.
   */
  effective?: AppContentInEvent | null;
}

/** A field is absent or has a value, which may be null. */
type Given<Update> = { [Field in keyof Update]?: Exclude<Update[Field], undefined> };

/**
 * Which revision of an app's content a change has made.
 *
 * @example
 * const describe = ({ revision }: MadeRevision) => `revision ${revision}`;
 * visit(event, { 'app.created': ({ data }) => console.log(describe(data.after)), _other: () => {} });
 */
export interface MadeRevision {
  revision: number;
  /** The random part of the `ETag` of the revision, which distinguishes it from another revision with the same number. */
  revisionNonce: string;
}

/**
 * A new app. The review status is present if an import created it.
 *
 * @example
 * const describe = ({ name, developerId }: AppCreated) => `${name} of ${developerId}`;
 * visit(event, { 'app.created': ({ data }) => console.log(describe(data.after)), _other: () => {} });
 */
export interface AppCreated extends AppContentInEvent, MadeRevision {
  developerId: string;
  reviewStatus?: ReviewStatus;
  reason?: string;
}

/**
 * An app in an event.
 *
 * @example
 * const describe = ({ name, revision }: AppInEvent) => `${name} at revision ${revision}`;
 * visit(event, { 'app.restored': ({ data }) => console.log(describe(data.after)), _other: () => {} });
 */
export interface AppInEvent extends AppContentInEvent {
  developerId: string;
  reviewStatus: ReviewStatus;
  revision: number;
}

/**
 * The changes of an app.
 *
 * @example
 * const isNew = ({ after }: AppUpdated) => after.oauthInfo?.callbackUrl !== undefined;
 * visit(event, { 'app.updated': ({ data }) => console.log(isNew(data)), _other: () => {} });
 */
export interface AppUpdated extends EffectiveChange {
  /** The changed fields before the change. */
  before: AppChange;
  /** The same fields after the change. */
  after: AppChange;
  /**
   * The content fields, such as `oauthInfo.callbackUrl`, that differ from the approved content. Empty if none differ;
   * absent if the app was never approved.
   */
  changedSinceApproval?: string[];
  /** The earlier revision whose content was restored, if the change did that. */
  restoredRevision?: number;
}

/**
 * The changed fields of an app. After a change of its content, with the revision that it has made. Before it, the previous
 * revision is absent if its number is one less.
 *
 * @example
 * const names = (change: AppChange) => Object.keys(change);
 * visit(event, { 'app.updated': ({ data }) => console.log(names(data.after)), _other: () => {} });
 */
export interface AppChange extends AppContentInEvent, Partial<MadeRevision> {
  developerId?: string;
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
 * const describe = ({ before, after }: ReviewStep) => `${before.reviewStatus} to ${after.reviewStatus}`;
 * visit(event, { 'app.submitted': ({ data }) => console.log(describe(data)), _other: () => {} });
 */
export interface ReviewStep {
  before: { reviewStatus: ReviewStatus };
  /** `developerSuspended` is present if the step follows from a suspension of the developer (true), or from its end (false). */
  after: { reviewStatus: ReviewStatus; revision: number; developerSuspended?: boolean };
}

/**
 * A decision of a reviewer about a revision of an app.
 *
 * @example
 * const describe = ({ after }: Decision) => `${after.code ?? 'decided'}: ${after.message ?? ''}`;
 * visit(event, { 'app.rejected': ({ data }) => console.log(describe(data)), _other: () => {} });
 */
export interface Decision extends ReviewStep {
  after: ReviewStep['after'] & {
    /** Why, for programs. */
    code?: string;
    /** For the developer. */
    message?: string;
    /** Messages for the developer about single fields, each named by a JSON Pointer such as `/oauthInfo/callbackUrl`. */
    fields?: { pointer: string; message: string }[];
    /** The earlier name of `message`, in a rejection or revocation. */
    reason?: string;
  };
}

/**
 * How much a suspension of a developer, or its end, has changed.
 *
 * @example
 * const describe = ({ apps, installations }: SuspensionInEvent) => `${apps} apps, ${installations} installations`;
 * visit(event, { 'developer.suspended': ({ data }) => console.log(describe(data.after)), _other: () => {} });
 */
export interface SuspensionInEvent {
  /** Valid tokens. */
  tokens: number;
  apps: number;
  /** Those of them that were APPROVED, or are again. */
  approvedApps: number;
  installations: number;
}

/**
 * Why an installation is disabled: by its workspace, with the approval of its app, or with the developer of the app. A newer
 * registry may send another one: handle unknown values.
 *
 * @example
 * const isBlocked = (causes: DisablingCause[] = []) => causes.includes('suspension');
 * visit(event, { 'installation.disabled': ({ data }) => console.log(isBlocked(data.after.disabledBy)), _other: () => {} });
 */
export type DisablingCause = 'workspace' | 'revocation' | 'suspension';

/**
 * The owner of an app, its logo, of which the new developer receives a copy, and its revision: a transfer makes a new one.
 *
 * @example
 * const ownerOf = ({ developerId }: AppOwner) => developerId;
 * visit(event, { 'app.transferred': ({ data }) => console.log(ownerOf(data.after)), _other: () => {} });
 */
export interface AppOwner extends MadeRevision {
  developerId: string;
  logoId: string | null;
  /** That of the approved content, if it is not the current one. */
  approvedLogoId?: string;
}

/**
 * Whether an installation is enabled.
 *
 * @example
 * const describe = ({ enabled }: InstallationSwitch) => (enabled ? 'on' : 'off');
 * visit(event, { 'installation.disabled': ({ data }) => console.log(describe(data.after)), _other: () => {} });
 */
export interface InstallationSwitch {
  enabled: boolean;
  /** Why it is disabled; absent when it is enabled. */
  disabledBy?: DisablingCause[];
  /** Whether the next approval of the app enables it again. */
  untilApproved?: boolean;
}

/**
 * An installation in an event.
 *
 * @example
 * const describe = ({ workspaceId, userId }: InstallationInEvent) => `${userId} in ${workspaceId}`;
 * visit(event, { 'installation.created': ({ data }) => console.log(describe(data.after)), _other: () => {} });
 */
export interface InstallationInEvent extends Omit<InstallationSwitch, 'disabledBy'> {
  workspaceId: string;
  userId: string;
}

/**
 * The changed fields of an installation.
 *
 * @example
 * const names = (change: InstallationChange) => Object.keys(change);
 * visit(event, { 'installation.updated': ({ data }) => console.log(names(data.after)), _other: () => {} });
 */
export interface InstallationChange extends Partial<Omit<InstallationSwitch, 'disabledBy'>> {
  userId?: string;
  createdAt?: string;
}

/**
 * A token in an event, without the token itself.
 *
 * @example
 * const describe = ({ kind, expiresAt }: TokenInEvent) => `${kind} until ${expiresAt}`;
 * visit(event, { 'token.issued': ({ data }) => console.log(describe(data.after)), _other: () => {} });
 */
export interface TokenInEvent {
  kind: 'developer' | 'platform' | 'operator';
  developerId?: string;
  scopes?: ('read' | 'portal' | 'review' | 'install' | 'admin')[];
  createdAt: string;
  expiresAt: string;
  updatesPerMinute?: number;
  readsPerMinute?: number;
  revokedAt?: string;
}

/**
 * A webhook in an event, without its URL and secret.
 *
 * @example
 * const describe = ({ name, enabled }: WebhookInEvent) => `${name}: ${enabled}`;
 * visit(event, { 'webhook.created': ({ data }) => console.log(describe(data.after)), _other: () => {} });
 */
export interface WebhookInEvent {
  name?: string | null;
  /** Null: every type. */
  types?: string[] | null;
  batch?: boolean;
  /** Null: the default. */
  effectiveOnly?: boolean;
  requestsAtOnce?: number | null;
  enabled?: boolean;
  disabledReason?: string;
}

/**
 * A name or a host that only some developers may use.
 *
 * @example
 * const describe = ({ name, host }: ProtectedNameInEvent) => name ?? host;
 * visit(event, { 'protected_name.created': ({ data }) => console.log(describe(data.after)), _other: () => {} });
 */
export interface ProtectedNameInEvent {
  name?: string;
  host?: string;
  developerIds: string[];
  note?: string;
}

/**
 * A template of reasons in its events.
 *
 * @example
 * const describe = ({ title, message }: ReasonTemplateInEvent) => `${title}: ${message}`;
 * visit(event, { 'reason_template.created': ({ data }) => console.log(describe(data.after)), _other: () => {} });
 */
export interface ReasonTemplateInEvent {
  title: string;
  message: string;
  code?: string;
}

/**
 * The changed settings of the registry.
 *
 * @example
 * const describe = ({ uniqueNames }: SettingsInEvent) => (uniqueNames ? 'unique' : 'may be shared');
 * visit(event, { 'settings.updated': ({ data }) => console.log(describe(data.after)), _other: () => {} });
 */
export interface SettingsInEvent {
  /** Whether no two apps may have the same name. */
  uniqueNames?: boolean;
  changesToApproved?: 'live' | 'hold';
}
