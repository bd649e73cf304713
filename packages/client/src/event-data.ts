import type { ListingInfoUpdate, OauthInfoUpdate, ReviewStatus } from './types/app.ts';

/**
 * The `data` of each event type. Later versions may add fields.
 *
 * @example
 * const describe = ({ changedSinceApproval = [] }: EventData['app.updated']) => changedSinceApproval.join(', ');
 * visit(event, { 'app.updated': ({ data }) => console.log(describe(data)), _other: () => {} });
 */
export interface EventData {
  /** A developer was created. */
  'developer.created': Created<DeveloperInEvent>;
  /** Personal data was changed. */
  'developer.updated': ChangedFields;
  /** Their tokens are refused, their apps revoked, and the installations of these disabled. */
  'developer.suspended': Created<SuspensionInEvent & SuspensionReason>;
  /** What the suspension did was undone. */
  'developer.unsuspended': Changed<SuspensionReason, SuspensionInEvent>;
  /** The personal data was erased; the apps remain. */
  'developer.erased': object;

  /** An app was created. */
  'app.created': Created<AppCreated> & EffectiveChange;
  /** The content of the app was changed. */
  'app.updated': AppUpdated;
  /** The app was submitted for review. */
  'app.submitted': ReviewStep;
  /** The submission was withdrawn. */
  'app.withdrawn': ReviewStep;
  /** The submitted app was approved. */
  'app.approved': Decision & EffectiveChange;
  /** The submitted app was rejected. */
  'app.rejected': Decision;
  /** The approval was revoked. */
  'app.revoked': Decision & EffectiveChange;
  /** A change or a transfer of an approved app was approved. */
  'app.change_approved': Decision & EffectiveChange;
  /** A change to an approved app was rejected: its approved content stays in effect. */
  'app.change_rejected': Decision;
  /** The app was transferred to another developer. */
  'app.transferred': Changed<AppOwner> & EffectiveChange;
  /** The app was deleted. `after` says when, if it can be restored. */
  'app.deleted': Deleted<AppInEvent> & Partial<Created<Deletion>> & EffectiveChange;
  /** The deleted app was restored. */
  'app.restored': Created<AppInEvent> & EffectiveChange;
  /** The app can no longer be restored. */
  'app.purged': object;

  /** An app was installed in a workspace. */
  'installation.created': Created<InstallationInEvent>;
  /** Changed by an import. */
  'installation.updated': Changed<InstallationChange>;
  /** The installation was enabled. */
  'installation.enabled': Changed<InstallationSwitch>;
  /** Also when it is still disabled, now by other causes. */
  'installation.disabled': Changed<InstallationSwitch>;
  /** The installation was deleted. */
  'installation.deleted': Deleted<InstallationInEvent>;

  /** A logo was uploaded, or copied for the new developer of an app. */
  'logo.created': Created<LogoInEvent & LogoCopy>;
  /** The image was withdrawn. */
  'logo.blocked': Created<LogoInEvent & LogoBlockInEvent>;
  /** The image is served again. */
  'logo.unblocked': Deleted<LogoInEvent & LogoBlockInEvent>;
  /** The logo was deleted. */
  'logo.deleted': Deleted<LogoInEvent>;

  /** A token was created. */
  'token.created': Created<TokenInEvent>;
  /** The token was revoked. */
  'token.revoked': Created<TokenRevocation>;

  /** A webhook was created. */
  'webhook.created': Created<WebhookInEvent>;
  /** Never contains the URL, which may hold a secret. */
  'webhook.updated': ChangedFields & Partial<Changed<WebhookInEvent>>;
  /** The webhook was deleted. */
  'webhook.deleted': Partial<Deleted<WebhookInEvent>>;

  /** A name or a host was protected. */
  'protected_name.created': Created<ProtectedNameInEvent>;
  /** A protected name or host was changed. */
  'protected_name.updated': Changed<ProtectedNameInEvent>;
  /** A name or a host is no longer protected. */
  'protected_name.deleted': Deleted<ProtectedNameInEvent>;
  /** A template of reasons was created. */
  'reason_template.created': Created<ReasonTemplateInEvent>;
  /** A template of reasons was changed. */
  'reason_template.updated': Changed<ReasonTemplateInEvent>;
  /** A template of reasons was deleted. */
  'reason_template.deleted': Deleted<ReasonTemplateInEvent>;

  /** Settings of the registry, of which only the changed ones are included. */
  'settings.updated': Changed<SettingsInEvent>;
  /** Sent to a single webhook to test it. */
  'webhook.tested': object;
}

interface Created<State> {
  /** The state after the change. */
  after: State;
}

interface Deleted<State> {
  /** The state before the change. */
  before: State;
}

type Changed<Before, After = Before> = Deleted<Before> & Created<After>;

interface ChangedFields {
  /** The names of the changed fields, without their values. */
  changed: string[];
}

interface DeveloperInEvent {
  /** The user id of the platform. */
  userId: string;
}

interface SuspensionReason {
  /** When the developer was suspended. */
  suspendedAt: string;
  /** Why the developer was suspended. */
  reason: string;
}

interface Deletion {
  /** When the app was deleted. */
  deletedAt: string;
}

interface LogoInEvent {
  /** Whose apps can use it. */
  developerId: string;
}

interface LogoCopy {
  /** The logo that it is a copy of. */
  copyOf?: string;
}

interface LogoBlockInEvent {
  /** Why it was blocked. */
  reason: string;
}

interface TokenRevocation {
  /** When it was revoked. */
  revokedAt: string;
}

/**
 * The content of an app: null for a field without a value, absent for a field that the event does not include.
 *
 * @example
 * const nameOf = ({ name = 'unknown' }: AppContentInEvent) => name;
 * visit(event, { 'app.created': ({ data }) => console.log(nameOf(data.after)), _other: () => {} });
 */
export interface AppContentInEvent {
  /** Unique in the registry, regardless of case. */
  name?: string;
  /** `logo_…`. */
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
  /** The number of the revision. */
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
  /** The user id of the developer. */
  developerId: string;
  /** Where the app is in review. */
  reviewStatus?: ReviewStatus;
  /** The message of a rejection. */
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
  /** The user id of the developer. */
  developerId: string;
  /** Where the app is in review. */
  reviewStatus: ReviewStatus;
  /** The number of the revision. */
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
  /** The user id of the developer. */
  developerId?: string;
  /** Where the app is in review. */
  reviewStatus?: ReviewStatus;
  /** When it was submitted. */
  submittedAt?: string;
  /** The message of a rejection. */
  reason?: string | null;
  /** The number of the approved revision. */
  approvedRevision?: number | null;
  /** When it was created. */
  createdAt?: string;
  /** When its content or status last changed. */
  updatedAt?: string;
  /** When it was deleted. */
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
  /** The state before the step. */
  before: {
    /** The review status before the step. */
    reviewStatus: ReviewStatus;
  };
  /** The state after the step. */
  after: {
    /** The review status after the step. */
    reviewStatus: ReviewStatus;
    /** The revision that the step is about. */
    revision: number;
    /** Present if the step follows from a suspension of the developer (true), or from its end (false). */
    developerSuspended?: boolean;
  };
}

/**
 * A decision of a reviewer about a revision of an app.
 *
 * @example
 * const describe = ({ after }: Decision) => `${after.code ?? 'decided'}: ${after.message ?? ''}`;
 * visit(event, { 'app.rejected': ({ data }) => console.log(describe(data)), _other: () => {} });
 */
export interface Decision extends ReviewStep {
  /** The state after the decision, and the decision. */
  after: ReviewStep['after'] & {
    /** Why, for programs. */
    code?: string;
    /** For the developer. */
    message?: string;
    /** Messages for the developer about single fields. */
    fields?: {
      /** A JSON Pointer (RFC 6901) to the field, such as `/oauthInfo/callbackUrl`. */
      pointer: string;
      /** For the developer. */
      message: string;
    }[];
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
  /** Apps of the developer. */
  apps: number;
  /** Those of them that were APPROVED, or are again. */
  approvedApps: number;
  /** Installations of these apps. */
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
  /** The user id of the developer. */
  developerId: string;
  /** `logo_…`; null if it has none. */
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
  /** Whether the workspace can use the app. */
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
  /** The workspace id of the platform. */
  workspaceId: string;
  /** Who installed the app. */
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
  /** Who installed the app. */
  userId?: string;
  /** When it was installed. */
  createdAt?: string;
}

/**
 * A token in an event, without the token itself.
 *
 * @example
 * const describe = ({ kind, expiresAt }: TokenInEvent) => `${kind} until ${expiresAt}`;
 * visit(event, { 'token.created': ({ data }) => console.log(describe(data.after)), _other: () => {} });
 */
export interface TokenInEvent {
  /** Which operations it is good for. */
  kind: 'developer' | 'platform' | 'operator';
  /** Whose apps it can update, if it is of kind `developer`. */
  developerId?: string;
  /** What it may do, if it is of kind `operator`. */
  scopes?: ('read' | 'portal' | 'review' | 'install' | 'admin')[];
  /** When it was issued. */
  createdAt: string;
  /** When it expires. */
  expiresAt: string;
  /** Its quota of updates; absent for the default. */
  updatesPerMinute?: number;
  /** Its quota of reads; absent for the default. */
  readsPerMinute?: number;
  /** Its quota of requests to the operator API; absent for the default. */
  requestsPerMinute?: number;
  /** The rotated token that it replaces, and until when that one is valid; absent for any other. */
  replaces?: {
    /** Its id. */
    id: string;
    /** A UTC time with milliseconds, ending in `Z`. */
    expiresAt: string;
  };
  /** When it was revoked, if it was. */
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
  /** For people. */
  name?: string | null;
  /** Null: every type. */
  types?: string[] | null;
  /** Whether it receives several events in one request. */
  batch?: boolean;
  /** Whether it receives only events that carry `effective`. */
  effectiveOnly?: boolean;
  /** The maximum number of concurrent requests. Null: the default. */
  requestsAtOnce?: number | null;
  /** Whether events are sent to it. */
  enabled?: boolean;
  /** Why the registry disabled it. */
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
  /** The protected name, unless it is a host. */
  name?: string;
  /** The protected host. */
  host?: string;
  /** The developers who may use it. */
  developerIds: string[];
  /** For reviewers. */
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
  /** What reviewers select it by. */
  title: string;
  /** The message for the developer. */
  message: string;
  /** The reason, for programs. */
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
  /** Whether a change to an approved app is shown immediately, or held until it is approved. */
  changesToApproved?: 'live' | 'hold';
  /** Within how many hours reviewers aim to decide on what awaits review. */
  reviewTargetHours?: number;
}
