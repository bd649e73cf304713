// Written by `npm run client-types` from docs/operator-openapi.json. Do not edit.

/**
 * The review status of the app. Updates do not change it.
 */
export type ReviewStatus = 'DRAFT' | 'AWAITING_REVIEW' | 'APPROVED' | 'REJECTED';
/**
 * One of what a search has found. Later releases may add types.
 */
export type SearchHit =
  | {
      type: 'app';
      id: string;
      /**
       * Unique among the apps of the registry, regardless of case. No white space or invisible character at either end.
       */
      name: string;
      reviewStatus: ReviewStatus;
      developerId: string;
      /**
       * When it was deleted, if it was and can be restored.
       */
      deletedAt?: string;
    }
  | {
      type: 'developer';
      /**
       * The TypeID that the platform assigned to this user.
       */
      userId: string;
      email: string;
      /**
       * First name.
       */
      firstName?: string;
      /**
       * Last name.
       */
      lastName?: string;
      /**
       * When an operator suspended the developer; absent when none has.
       */
      suspendedAt?: string;
    }
  | {
      type: 'host';
      host: string;
    }
  | {
      type: 'workspace';
      workspaceId: string;
    }
  | {
      type: 'installation';
      id: string;
      appId: string;
      workspaceId: string;
    }
  | {
      type: 'logo';
      id: string;
      /**
       * The TypeID that the platform assigned to this user.
       */
      developerId: string;
    }
  | {
      type: 'webhook';
      id: string;
      /**
       * Where its events are sent by POST. It may contain a secret: anyone who knows it may be able to send there.
       */
      url: string;
      name?: string;
    }
  | {
      type: 'token';
      id: string;
      kind: 'developer' | 'platform' | 'operator';
      name?: string;
    };

/**
 * The current counts of the registry, and those of past days.
 */
export interface Overview {
  /**
   * When `apps` and `installations` were counted.
   */
  countedAt: string;
  /**
   * The number of apps in each review status.
   */
  apps: {
    draft: number;
    awaitingReview: number;
    approved: number;
    rejected: number;
  };
  /**
   * Installations of all apps, enabled and disabled.
   */
  installations: number;
  /**
   * What is in the review queue now: submissions, changes and transfers.
   */
  review: {
    awaiting: number;
    /**
     * Whether more await review than the 1000 counted.
     */
    more: boolean;
    /**
     * The `waitingSince` of the first in the review queue; absent when the queue is empty.
     */
    oldestWaitingSince?: string;
  };
  /**
   * The last counts of each day, oldest first, up to today. Days without a running server are absent.
   *
   * @maxItems 90
   */
  days: {
    /**
     * In UTC.
     */
    date: string;
    /**
     * The number of apps in each review status.
     */
    apps: {
      draft: number;
      awaitingReview: number;
      approved: number;
      rejected: number;
    };
    installations: number;
  }[];
}
/**
 * How reviews, installations and webhooks are doing.
 */
export interface Statistics {
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  madeAt: string;
  /**
   * What is in the review queue.
   */
  waiting: {
    count: number;
    /**
     * Whether more wait than the 100000 counted.
     */
    more: boolean;
    /**
     * UTC, with milliseconds and the designator `Z`.
     */
    oldestSince?: string;
    /**
     * When the one in the middle of the queue entered it; absent when the queue is empty, or not counted to its end.
     */
    medianSince?: string;
  };
  /**
   * The latest weeks, oldest first, up to the current one.
   *
   * @minItems 12
   * @maxItems 12
   */
  weeks: {
    /**
     * Its first day, in UTC.
     */
    monday: string;
    decisions: {
      /**
       * Apps and changes that were approved.
       */
      approved: number;
      /**
       * Apps that were rejected.
       */
      rejected: number;
      /**
       * Changes of approved apps that were rejected.
       */
      changesRejected: number;
      /**
       * Approvals that were taken back.
       */
      revoked: number;
    };
    /**
     * How long the median of what was decided on had waited, in milliseconds; absent when no decision of this release or a later one was made.
     */
    medianWaitMs?: number;
    /**
     * Created and deleted in that week, also by an import and with their app.
     */
    installations: {
      created: number;
      deleted: number;
    };
  }[];
  /**
   * The apps with the most new installations, less those deleted, in this week and the one before.
   *
   * @maxItems 5
   */
  growingApps: {
    id: string;
    name: string;
    created: number;
    deleted: number;
  }[];
  /**
   * How many webhooks need attention.
   */
  webhooks: {
    /**
     * Enabled webhooks whose last delivery failed.
     */
    failing: number;
    /**
     * Webhooks that the registry disabled because they failed.
     */
    disabled: number;
  };
}
/**
 * What a search has found.
 */
export interface SearchResult {
  /**
   * By type, and the best of each type first.
   */
  items: SearchHit[];
  /**
   * The types of which there are more hits than the limit.
   */
  more: string[];
}
/**
 * A developer as operators see them.
 */
export interface OperatorDeveloper {
  /**
   * The TypeID that the platform assigned to this user.
   */
  userId: string;
  email: string;
  /**
   * First name.
   */
  firstName?: string;
  /**
   * Last name.
   */
  lastName?: string;
  /**
   * When an operator suspended the developer; absent when none has.
   */
  suspendedAt?: string;
  suspensionReason?: string;
}
export interface NewDeveloper {
  userId?: string;
  email: string;
  /**
   * First name.
   */
  firstName?: string;
  /**
   * Last name.
   */
  lastName?: string;
}
/**
 * The developer who publishes an app.
 */
export interface Developer {
  /**
   * The TypeID that the platform assigned to this user.
   */
  userId: string;
  email: string;
  /**
   * First name.
   */
  firstName?: string;
  /**
   * Last name.
   */
  lastName?: string;
}
/**
 * What a reviewer should know of a developer.
 */
export interface DeveloperRecord {
  developer: OperatorDeveloper;
  /**
   * The apps that belong to the developer now, or did when they were deleted.
   */
  apps: {
    /**
     * Apps that are `DRAFT`. 10000 means as many or more.
     */
    draft: number;
    /**
     * Apps that are `AWAITING_REVIEW`. 10000 means as many or more.
     */
    awaitingReview: number;
    /**
     * Apps that are `APPROVED`. 10000 means as many or more.
     */
    approved: number;
    /**
     * Apps that are `REJECTED`. 10000 means as many or more.
     */
    rejected: number;
    /**
     * Deleted apps that can be restored. 10000 means as many or more.
     */
    deleted: number;
  };
  /**
   * The stored decisions about those apps: with more than 1,000 of them, about the 1,000 newest, and about as many deleted ones.
   */
  decisions: {
    /**
     * Approvals of apps and of changes. 10000 means as many or more.
     */
    approved: number;
    /**
     * Rejections of apps. 10000 means as many or more.
     */
    rejected: number;
    /**
     * Rejections of changes. 10000 means as many or more.
     */
    changesRejected: number;
    /**
     * Revocations. 10000 means as many or more.
     */
    revoked: number;
  };
  /**
   * How often the developer was suspended, as far as the events are not archived. 10000 means as many or more.
   */
  suspensions: number;
  /**
   * When the first of those apps was created.
   */
  firstAppAt?: string;
  /**
   * When the last of those decisions was made.
   */
  lastDecisionAt?: string;
}
export interface DeveloperUpdate {
  email?: string;
  /**
   * First name.
   */
  firstName?: string | null;
  /**
   * Last name.
   */
  lastName?: string | null;
}
/**
 * What the operation concerns, as it was before.
 */
export interface Affected {
  apps: {
    count: number;
    /**
     * The first 100 of them.
     *
     * @maxItems 100
     */
    ids: string[];
  };
  installations: {
    count: number;
    /**
     * The first 100 of them.
     *
     * @maxItems 100
     */
    ids: string[];
  };
  workspaces: {
    count: number;
    /**
     * The first 100 of them.
     *
     * @maxItems 100
     */
    ids: string[];
  };
  tokens: {
    count: number;
    /**
     * The first 100 of them.
     *
     * @maxItems 100
     */
    ids: string[];
  };
}
/**
 * The result. With `dryRun`, as it would be, and what would be affected.
 */
export interface ErasedDeveloperOrDryRun {
  /**
   * The TypeID that the platform assigned to this user.
   */
  userId: string;
  email: string;
  /**
   * First name.
   */
  firstName?: string;
  /**
   * Last name.
   */
  lastName?: string;
  tokensRevoked: number;
  dryRun?: true;
  affected?: Affected;
}
export interface Suspension {
  /**
   * The reason, shared with the developer and shown with their apps.
   */
  reason: string;
}
/**
 * The result. With `dryRun`, as it would be, and what would be affected.
 */
export interface SuspendedDeveloperOrDryRun {
  /**
   * The TypeID that the platform assigned to this user.
   */
  userId: string;
  email: string;
  /**
   * First name.
   */
  firstName?: string;
  /**
   * Last name.
   */
  lastName?: string;
  /**
   * When an operator suspended the developer; absent when none has.
   */
  suspendedAt?: string;
  suspensionReason?: string;
  /**
   * The valid tokens that changed.
   */
  tokens: number;
  /**
   * The apps that changed.
   */
  apps: number;
  /**
   * Those of them that were APPROVED, or are again.
   */
  approvedApps: number;
  /**
   * The installations whose causes changed.
   */
  installations: number;
  dryRun?: true;
  affected?: Affected;
}
/**
 * The result. With `dryRun`, as it would be, and what would be affected.
 */
export interface UnsuspendedDeveloperOrDryRun {
  /**
   * The TypeID that the platform assigned to this user.
   */
  userId: string;
  email: string;
  /**
   * First name.
   */
  firstName?: string;
  /**
   * Last name.
   */
  lastName?: string;
  /**
   * When an operator suspended the developer; absent when none has.
   */
  suspendedAt?: string;
  suspensionReason?: string;
  /**
   * The valid tokens that changed.
   */
  tokens: number;
  /**
   * The apps that changed.
   */
  apps: number;
  /**
   * Those of them that were APPROVED, or are again.
   */
  approvedApps: number;
  /**
   * The installations whose causes changed.
   */
  installations: number;
  /**
   * The apps that were not given back their status, because something happened to them meanwhile.
   */
  skippedApps: number;
  /**
   * The first 100 of them.
   *
   * @maxItems 100
   */
  skipped: {
    appId: string;
    /**
     * What happened to the app while its developer was suspended. Later releases may add reasons.
     */
    reason: 'decided' | 'deleted' | 'transferred' | (string & {});
  }[];
  dryRun?: true;
  affected?: Affected;
}
/**
 * The result. With `dryRun`, as it would be, and what would be affected.
 */
export interface RevokedTokensOrDryRun {
  developerId: string;
  tokensRevoked: number;
  dryRun?: true;
  affected?: Affected;
}
/**
 * How the app is shown in a marketplace.
 */
export interface ListingInfo {
  /**
   * `#rgb` or `#rrggbb`.
   */
  backgroundColor: string;
  /**
   * A single line.
   */
  shortDescription?: string;
  /**
   * May have several lines.
   */
  longDescription?: string;
}
/**
 * The URLs of the app’s sign-in flow.
 */
export interface OauthInfo {
  /**
   * Where a user starts to sign in.
   */
  loginUrl?: string;
  /**
   * Where the platform sends the user after authorisation.
   */
  callbackUrl?: string;
}
/**
 * An app as operators see it.
 */
export interface OperatorApp {
  id: string;
  /**
   * Unique among the apps of the registry, regardless of case. No white space or invisible character at either end.
   */
  name: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  createdAt: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  updatedAt: string;
  reviewStatus: ReviewStatus;
  installationCount: number;
  listingInfo: ListingInfo;
  oauthInfo: OauthInfo;
  /**
   * A PNG of 512 by 512 pixels that never changes. Absent when the app has no logo.
   */
  logoUrl?: string;
  developerId: string;
  /**
   * The id that the upload of a logo returned.
   */
  logoId?: string;
  /**
   * Counts changes of the content. Its `ETag` is required to approve or reject the app.
   */
  revision: number;
  /**
   * The `ETag` of this revision, to send as `If-Match`.
   */
  etag: string;
  /**
   * When it was submitted for review. Absent in every other status.
   */
  submittedAt?: string;
  rejectionReason?: string;
  /**
   * While its developer is suspended: the review status that the app gets back when the suspension ends.
   */
  suspendedStatus?: 'DRAFT' | 'AWAITING_REVIEW' | 'APPROVED' | 'REJECTED';
  changedSinceApproval?: boolean;
  /**
   * The content that was last approved, as it was then.
   */
  approved?: {
    revision: number;
    /**
     * The `ETag` of this revision, to send as `If-Match`.
     */
    etag: string;
    /**
     * Unique among the apps of the registry, regardless of case. No white space or invisible character at either end.
     */
    name: string;
    /**
     * The id that the upload of a logo returned.
     */
    logoId?: string;
    listingInfo: ListingInfo;
    oauthInfo: OauthInfo;
  };
  /**
   * The content as its developer has it now.
   */
  current: {
    revision: number;
    /**
     * The `ETag` of this revision, to send as `If-Match`.
     */
    etag: string;
    /**
     * Unique among the apps of the registry, regardless of case. No white space or invisible character at either end.
     */
    name: string;
    /**
     * The id that the upload of a logo returned.
     */
    logoId?: string;
    listingInfo: ListingInfo;
    oauthInfo: OauthInfo;
  };
  /**
   * What a platform may honour: the current content or, while changes to approved apps are held, the approved content without addresses that were removed since. Null unless the app is `APPROVED`.
   */
  effective: {
    /**
     * Unique among the apps of the registry, regardless of case. No white space or invisible character at either end.
     */
    name: string;
    /**
     * The id that the upload of a logo returned.
     */
    logoId?: string;
    listingInfo: ListingInfo;
    oauthInfo: OauthInfo;
  } | null;
}
export interface NewApp {
  developerId: string;
  /**
   * Unique among the apps of the registry, regardless of case. No white space or invisible character at either end.
   */
  name: string;
  /**
   * The id that the upload of a logo returned.
   */
  logoId?: string;
  listingInfo?: {
    /**
     * `#rgb` or `#rrggbb`.
     */
    backgroundColor?: string;
    /**
     * A single line.
     */
    shortDescription?: string;
    /**
     * May have several lines.
     */
    longDescription?: string;
  };
  oauthInfo?: {
    /**
     * Where a user starts to sign in.
     */
    loginUrl?: string;
    /**
     * Where the platform sends the user after authorisation.
     */
    callbackUrl?: string;
  };
}
/**
 * Something that a reviewer should look at.
 */
export interface ReviewWarning {
  /**
   * Identifies the warning for programs. Later releases may add codes. `name_resembles`: The name looks like that of an approved app of another developer. `name_mixes_scripts`: The name mixes scripts, such as Latin and Cyrillic. `name_protected`: The name contains a protected name, or looks as if it did, that the developer may not use. `host_changed`: The host of the address has changed since the approval. `host_shared`: An approved app of another developer has the same host. `host_resembles`: The host looks like that of an approved app of another developer. `host_protected`: The host is a protected one or below it, or looks as if it were, that the developer may not use. `host_is_ip_address`: The host is an IP address. `host_is_punycode`: The host has letters outside ASCII.
   */
  code:
    | 'name_resembles'
    | 'name_mixes_scripts'
    | 'name_protected'
    | 'host_changed'
    | 'host_shared'
    | 'host_resembles'
    | 'host_protected'
    | 'host_is_ip_address'
    | 'host_is_punycode'
    | (string & {});
  /**
   * What to look at, for people.
   */
  detail: string;
  /**
   * The field of the content.
   */
  field: string;
  /**
   * The app that it resembles or shares a host with.
   */
  otherAppId?: string;
}
/**
 * Who is reviewing an app. It keeps no one from a decision, and a decision ends it. A token with the scope `portal` never receives it.
 */
export interface ReviewClaim {
  /**
   * Who has claimed it, as events say it.
   */
  actor: string;
  /**
   * What people call the actor, if that is known.
   */
  actorName?: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  claimedAt: string;
  /**
   * 15 minutes after it was last claimed.
   */
  expiresAt: string;
}
export interface AppWithWarnings {
  id: string;
  /**
   * Unique among the apps of the registry, regardless of case. No white space or invisible character at either end.
   */
  name: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  createdAt: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  updatedAt: string;
  reviewStatus: ReviewStatus;
  installationCount: number;
  listingInfo: ListingInfo;
  oauthInfo: OauthInfo;
  /**
   * A PNG of 512 by 512 pixels that never changes. Absent when the app has no logo.
   */
  logoUrl?: string;
  developerId: string;
  /**
   * The id that the upload of a logo returned.
   */
  logoId?: string;
  /**
   * Counts changes of the content. Its `ETag` is required to approve or reject the app.
   */
  revision: number;
  /**
   * The `ETag` of this revision, to send as `If-Match`.
   */
  etag: string;
  /**
   * When it was submitted for review. Absent in every other status.
   */
  submittedAt?: string;
  rejectionReason?: string;
  /**
   * While its developer is suspended: the review status that the app gets back when the suspension ends.
   */
  suspendedStatus?: 'DRAFT' | 'AWAITING_REVIEW' | 'APPROVED' | 'REJECTED';
  changedSinceApproval?: boolean;
  /**
   * The content that was last approved, as it was then.
   */
  approved?: {
    revision: number;
    /**
     * The `ETag` of this revision, to send as `If-Match`.
     */
    etag: string;
    /**
     * Unique among the apps of the registry, regardless of case. No white space or invisible character at either end.
     */
    name: string;
    /**
     * The id that the upload of a logo returned.
     */
    logoId?: string;
    listingInfo: ListingInfo;
    oauthInfo: OauthInfo;
  };
  /**
   * The content as its developer has it now.
   */
  current: {
    revision: number;
    /**
     * The `ETag` of this revision, to send as `If-Match`.
     */
    etag: string;
    /**
     * Unique among the apps of the registry, regardless of case. No white space or invisible character at either end.
     */
    name: string;
    /**
     * The id that the upload of a logo returned.
     */
    logoId?: string;
    listingInfo: ListingInfo;
    oauthInfo: OauthInfo;
  };
  /**
   * What a platform may honour: the current content or, while changes to approved apps are held, the approved content without addresses that were removed since. Null unless the app is `APPROVED`.
   */
  effective: {
    /**
     * Unique among the apps of the registry, regardless of case. No white space or invisible character at either end.
     */
    name: string;
    /**
     * The id that the upload of a logo returned.
     */
    logoId?: string;
    listingInfo: ListingInfo;
    oauthInfo: OauthInfo;
  } | null;
  /**
   * What a reviewer should look at in the current content.
   */
  warnings: ReviewWarning[];
  /**
   * The steps of review that the state of the app allows now, for callers with their scopes.
   *
   * Items: Later releases may add steps.
   */
  reviewSteps: ('submit' | 'withdraw' | 'approve' | 'reject' | 'reject-change' | 'revoke' | (string & {}))[];
  claim?: ReviewClaim;
}
export interface ListingInfoUpdate {
  /**
   * A single line.
   */
  shortDescription?: string | null;
  /**
   * May have several lines.
   */
  longDescription?: string | null;
  /**
   * `#rgb` or `#rrggbb`.
   */
  backgroundColor?: string;
}
export interface OauthInfoUpdate {
  /**
   * Where a user starts to sign in.
   */
  loginUrl?: string | null;
  /**
   * Where the platform sends the user after authorisation.
   */
  callbackUrl?: string | null;
}
/**
 * Only the fields in the body change. Null clears an optional field. Do not pad the body with nulls.
 */
export interface AppUpdate {
  /**
   * Unique among the apps of the registry, regardless of case. No white space or invisible character at either end.
   */
  name?: string;
  /**
   * The id that the upload of a logo returned.
   */
  logoId?: string | null;
  listingInfo?: ListingInfoUpdate;
  oauthInfo?: OauthInfoUpdate;
}
/**
 * The result. With `dryRun`, as it would be, and what would be affected.
 */
export interface DeletedAppOrDryRun {
  id: string;
  /**
   * Unique among the apps of the registry, regardless of case. No white space or invisible character at either end.
   */
  name: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  createdAt: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  updatedAt: string;
  reviewStatus: ReviewStatus;
  installationCount: number;
  listingInfo: ListingInfo;
  oauthInfo: OauthInfo;
  /**
   * A PNG of 512 by 512 pixels that never changes. Absent when the app has no logo.
   */
  logoUrl?: string;
  developerId: string;
  /**
   * The id that the upload of a logo returned.
   */
  logoId?: string;
  /**
   * Counts changes of the content. Its `ETag` is required to approve or reject the app.
   */
  revision: number;
  /**
   * The `ETag` of this revision, to send as `If-Match`.
   */
  etag: string;
  /**
   * When it was submitted for review. Absent in every other status.
   */
  submittedAt?: string;
  rejectionReason?: string;
  /**
   * While its developer is suspended: the review status that the app gets back when the suspension ends.
   */
  suspendedStatus?: 'DRAFT' | 'AWAITING_REVIEW' | 'APPROVED' | 'REJECTED';
  changedSinceApproval?: boolean;
  /**
   * The content that was last approved, as it was then.
   */
  approved?: {
    revision: number;
    /**
     * The `ETag` of this revision, to send as `If-Match`.
     */
    etag: string;
    /**
     * Unique among the apps of the registry, regardless of case. No white space or invisible character at either end.
     */
    name: string;
    /**
     * The id that the upload of a logo returned.
     */
    logoId?: string;
    listingInfo: ListingInfo;
    oauthInfo: OauthInfo;
  };
  /**
   * The content as its developer has it now.
   */
  current: {
    revision: number;
    /**
     * The `ETag` of this revision, to send as `If-Match`.
     */
    etag: string;
    /**
     * Unique among the apps of the registry, regardless of case. No white space or invisible character at either end.
     */
    name: string;
    /**
     * The id that the upload of a logo returned.
     */
    logoId?: string;
    listingInfo: ListingInfo;
    oauthInfo: OauthInfo;
  };
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  deletedAt: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  restorableUntil: string;
  dryRun?: true;
  affected?: Affected;
}
export interface DeletedApp {
  id: string;
  /**
   * Unique among the apps of the registry, regardless of case. No white space or invisible character at either end.
   */
  name: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  createdAt: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  updatedAt: string;
  reviewStatus: ReviewStatus;
  installationCount: number;
  listingInfo: ListingInfo;
  oauthInfo: OauthInfo;
  /**
   * A PNG of 512 by 512 pixels that never changes. Absent when the app has no logo.
   */
  logoUrl?: string;
  developerId: string;
  /**
   * The id that the upload of a logo returned.
   */
  logoId?: string;
  /**
   * Counts changes of the content. Its `ETag` is required to approve or reject the app.
   */
  revision: number;
  /**
   * The `ETag` of this revision, to send as `If-Match`.
   */
  etag: string;
  /**
   * When it was submitted for review. Absent in every other status.
   */
  submittedAt?: string;
  rejectionReason?: string;
  /**
   * While its developer is suspended: the review status that the app gets back when the suspension ends.
   */
  suspendedStatus?: 'DRAFT' | 'AWAITING_REVIEW' | 'APPROVED' | 'REJECTED';
  changedSinceApproval?: boolean;
  /**
   * The content that was last approved, as it was then.
   */
  approved?: {
    revision: number;
    /**
     * The `ETag` of this revision, to send as `If-Match`.
     */
    etag: string;
    /**
     * Unique among the apps of the registry, regardless of case. No white space or invisible character at either end.
     */
    name: string;
    /**
     * The id that the upload of a logo returned.
     */
    logoId?: string;
    listingInfo: ListingInfo;
    oauthInfo: OauthInfo;
  };
  /**
   * The content as its developer has it now.
   */
  current: {
    revision: number;
    /**
     * The `ETag` of this revision, to send as `If-Match`.
     */
    etag: string;
    /**
     * Unique among the apps of the registry, regardless of case. No white space or invisible character at either end.
     */
    name: string;
    /**
     * The id that the upload of a logo returned.
     */
    logoId?: string;
    listingInfo: ListingInfo;
    oauthInfo: OauthInfo;
  };
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  deletedAt: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  restorableUntil: string;
}
export interface Transfer {
  developerId: string;
}
export interface DecisionSummary {
  /**
   * The id of its event.
   */
  id: string;
  /**
   * What was done. Later releases may add steps.
   */
  step: 'approve' | 'reject' | 'reject-change' | 'revoke' | (string & {});
  /**
   * The revision that was decided on.
   */
  revision: number;
  /**
   * The `ETag` of this revision, to send as `If-Match`.
   */
  etag: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  decidedAt: string;
  /**
   * Who decided, as events say it.
   */
  actor: string;
  /**
   * Why, for programs: one of `broken_address`, `impersonation`, `incomplete`, `misleading`, `other`, `spam`, or a code of your own.
   */
  code?: string;
  /**
   * For the developer.
   */
  message?: string;
  /**
   * Messages for the developer about single fields of the content.
   */
  fields?: {
    pointer: string;
    message: string;
  }[];
  /**
   * For reviewers. No event and no token with the scope `portal` receives it.
   */
  note?: string;
}
/**
 * An app in the review queue.
 */
export interface QueueItem {
  /**
   * What to decide on: an app that was submitted, the changed content of an approved app, or the new developer of an approved app and its change, if any. Later releases may add kinds.
   */
  kind: 'submission' | 'change' | 'transfer' | (string & {});
  /**
   * Since when: the submission, the oldest change that is not decided on, or the transfer.
   */
  waitingSince: string;
  app: OperatorApp;
  /**
   * The revisions to decide on.
   */
  revisions: {
    /**
     * The approved revision; absent when none ever was.
     */
    from?: number;
    /**
     * The current revision.
     */
    to: number;
    /**
     * How many there are after the approved one.
     */
    count: number;
  };
  /**
   * The fields that differ from the approved content; without one, those with a value.
   *
   * Items: A field of the content.
   */
  fields: string[];
  /**
   * The same with their values.
   */
  difference: {
    /**
     * A field of the content.
     */
    field: string;
    /**
     * The approved value; absent when there is none.
     */
    before?: string;
    /**
     * The current value; absent when there is none.
     */
    after?: string;
  }[];
  /**
   * What has changed since the last decision; absent when none is stored.
   */
  sinceLastDecision?: {
    decision: DecisionSummary;
    /**
     * The fields that differ from the content decided on.
     *
     * Items: A field of the content.
     */
    fields: string[];
    /**
     * Whether none does: the app is as it was when it was last decided on.
     */
    isUnchanged: boolean;
  };
  /**
   * What a reviewer should look at in the current content.
   */
  warnings: ReviewWarning[];
  /**
   * The steps of review that the state of the app allows now, for callers with their scopes.
   *
   * Items: Later releases may add steps.
   */
  reviewSteps: ('submit' | 'withdraw' | 'approve' | 'reject' | 'reject-change' | 'revoke' | (string & {}))[];
  claim?: ReviewClaim;
}
export interface Approval {
  /**
   * For the developer.
   */
  message?: string;
  /**
   * Why, for programs: one of `broken_address`, `impersonation`, `incomplete`, `misleading`, `other`, `spam`, or a code of your own.
   */
  code?: string;
  /**
   * Messages for the developer about single fields of the content.
   *
   * @minItems 1
   * @maxItems 50
   */
  fields?: {
    /**
     * A JSON Pointer (RFC 6901) to the field.
     */
    pointer:
      | '/name'
      | '/logoId'
      | '/listingInfo/shortDescription'
      | '/listingInfo/longDescription'
      | '/listingInfo/backgroundColor'
      | '/oauthInfo/loginUrl'
      | '/oauthInfo/callbackUrl';
    /**
     * For the developer.
     */
    message: string;
  }[];
  /**
   * For reviewers. No event and no token with the scope `portal` receives it.
   */
  note?: string;
}
/**
 * A `message` is required: the developer must know why.
 */
export interface Rejection {
  /**
   * For the developer.
   */
  message?: string;
  /**
   * Why, for programs: one of `broken_address`, `impersonation`, `incomplete`, `misleading`, `other`, `spam`, or a code of your own.
   */
  code?: string;
  /**
   * Messages for the developer about single fields of the content.
   *
   * @minItems 1
   * @maxItems 50
   */
  fields?: {
    /**
     * A JSON Pointer (RFC 6901) to the field.
     */
    pointer:
      | '/name'
      | '/logoId'
      | '/listingInfo/shortDescription'
      | '/listingInfo/longDescription'
      | '/listingInfo/backgroundColor'
      | '/oauthInfo/loginUrl'
      | '/oauthInfo/callbackUrl';
    /**
     * For the developer.
     */
    message: string;
  }[];
  /**
   * For reviewers. No event and no token with the scope `portal` receives it.
   */
  note?: string;
  /**
   * The same as `message`, by its name in earlier releases.
   */
  reason?: string;
}
/**
 * A `message` is required: the developer must know why.
 */
export interface Revocation {
  /**
   * For the developer.
   */
  message?: string;
  /**
   * Why, for programs: one of `broken_address`, `impersonation`, `incomplete`, `misleading`, `other`, `spam`, or a code of your own.
   */
  code?: string;
  /**
   * Messages for the developer about single fields of the content.
   *
   * @minItems 1
   * @maxItems 50
   */
  fields?: {
    /**
     * A JSON Pointer (RFC 6901) to the field.
     */
    pointer:
      | '/name'
      | '/logoId'
      | '/listingInfo/shortDescription'
      | '/listingInfo/longDescription'
      | '/listingInfo/backgroundColor'
      | '/oauthInfo/loginUrl'
      | '/oauthInfo/callbackUrl';
    /**
     * For the developer.
     */
    message: string;
  }[];
  /**
   * For reviewers. No event and no token with the scope `portal` receives it.
   */
  note?: string;
  /**
   * The same as `message`, by its name in earlier releases.
   */
  reason?: string;
  /**
   * Whether to disable all installations until the app is approved again.
   */
  disableInstallations?: boolean;
}
/**
 * The result. With `dryRun`, as it would be, and what would be affected.
 */
export interface OperatorAppOrDryRun {
  id: string;
  /**
   * Unique among the apps of the registry, regardless of case. No white space or invisible character at either end.
   */
  name: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  createdAt: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  updatedAt: string;
  reviewStatus: ReviewStatus;
  installationCount: number;
  listingInfo: ListingInfo;
  oauthInfo: OauthInfo;
  /**
   * A PNG of 512 by 512 pixels that never changes. Absent when the app has no logo.
   */
  logoUrl?: string;
  developerId: string;
  /**
   * The id that the upload of a logo returned.
   */
  logoId?: string;
  /**
   * Counts changes of the content. Its `ETag` is required to approve or reject the app.
   */
  revision: number;
  /**
   * The `ETag` of this revision, to send as `If-Match`.
   */
  etag: string;
  /**
   * When it was submitted for review. Absent in every other status.
   */
  submittedAt?: string;
  rejectionReason?: string;
  /**
   * While its developer is suspended: the review status that the app gets back when the suspension ends.
   */
  suspendedStatus?: 'DRAFT' | 'AWAITING_REVIEW' | 'APPROVED' | 'REJECTED';
  changedSinceApproval?: boolean;
  /**
   * The content that was last approved, as it was then.
   */
  approved?: {
    revision: number;
    /**
     * The `ETag` of this revision, to send as `If-Match`.
     */
    etag: string;
    /**
     * Unique among the apps of the registry, regardless of case. No white space or invisible character at either end.
     */
    name: string;
    /**
     * The id that the upload of a logo returned.
     */
    logoId?: string;
    listingInfo: ListingInfo;
    oauthInfo: OauthInfo;
  };
  /**
   * The content as its developer has it now.
   */
  current: {
    revision: number;
    /**
     * The `ETag` of this revision, to send as `If-Match`.
     */
    etag: string;
    /**
     * Unique among the apps of the registry, regardless of case. No white space or invisible character at either end.
     */
    name: string;
    /**
     * The id that the upload of a logo returned.
     */
    logoId?: string;
    listingInfo: ListingInfo;
    oauthInfo: OauthInfo;
  };
  /**
   * What a platform may honour: the current content or, while changes to approved apps are held, the approved content without addresses that were removed since. Null unless the app is `APPROVED`.
   */
  effective: {
    /**
     * Unique among the apps of the registry, regardless of case. No white space or invisible character at either end.
     */
    name: string;
    /**
     * The id that the upload of a logo returned.
     */
    logoId?: string;
    listingInfo: ListingInfo;
    oauthInfo: OauthInfo;
  } | null;
  dryRun?: true;
  affected?: Affected;
}
/**
 * A decision of a reviewer about an app.
 */
export interface Decision {
  /**
   * The id of its event.
   */
  id: string;
  /**
   * What was done. Later releases may add steps.
   */
  step: 'approve' | 'reject' | 'reject-change' | 'revoke' | (string & {});
  /**
   * The revision that was decided on.
   */
  revision: number;
  /**
   * The `ETag` of this revision, to send as `If-Match`.
   */
  etag: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  decidedAt: string;
  /**
   * Who decided, as events say it.
   */
  actor: string;
  /**
   * Why, for programs: one of `broken_address`, `impersonation`, `incomplete`, `misleading`, `other`, `spam`, or a code of your own.
   */
  code?: string;
  /**
   * For the developer.
   */
  message?: string;
  /**
   * Messages for the developer about single fields of the content.
   */
  fields?: {
    pointer: string;
    message: string;
  }[];
  /**
   * For reviewers. No event and no token with the scope `portal` receives it.
   */
  note?: string;
  /**
   * The content that was decided on.
   */
  content: {
    /**
     * Unique among the apps of the registry, regardless of case. No white space or invisible character at either end.
     */
    name: string;
    /**
     * The id that the upload of a logo returned.
     */
    logoId?: string;
    listingInfo: ListingInfo;
    oauthInfo: OauthInfo;
  };
}
/**
 * What a person calls an actor.
 */
export interface ActorName {
  /**
   * As events say it.
   */
  actor: string;
  /**
   * The name of a token, or of its developer; of a person whom an identity provider has signed in; of who ran a command.
   */
  name: string;
}
export interface NewClaim {
  /**
   * Whether to take over the claim of another reviewer.
   */
  takeOver?: boolean;
}
export interface EndedClaim {
  appId: string;
  /**
   * Whether the caller had claimed the app.
   */
  wasClaimed: boolean;
}
/**
 * A note among reviewers about an app.
 */
export interface ReviewNote {
  id: string;
  text: string;
  /**
   * Who has written it, as events say it.
   */
  actor: string;
  /**
   * What people call the actor, if that is known.
   */
  actorName?: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  createdAt: string;
}
export interface NewReviewNote {
  text: string;
}
/**
 * A text that reviewers begin the reason of a decision with.
 */
export interface ReasonTemplate {
  id: string;
  /**
   * What reviewers choose it by.
   */
  title: string;
  /**
   * For the developer.
   */
  message: string;
  /**
   * Why, for programs: one of `broken_address`, `impersonation`, `incomplete`, `misleading`, `other`, `spam`, or a code of your own.
   */
  code?: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  createdAt: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  updatedAt: string;
}
export interface NewReasonTemplate {
  /**
   * What reviewers choose it by.
   */
  title: string;
  /**
   * For the developer.
   */
  message: string;
  /**
   * Why, for programs: one of `broken_address`, `impersonation`, `incomplete`, `misleading`, `other`, `spam`, or a code of your own.
   */
  code?: string;
}
export interface ReasonTemplateUpdate {
  /**
   * What reviewers choose it by.
   */
  title?: string;
  /**
   * For the developer.
   */
  message?: string;
  /**
   * Why, for programs: one of `broken_address`, `impersonation`, `incomplete`, `misleading`, `other`, `spam`, or a code of your own.
   */
  code?: string | null;
}
/**
 * A name or a host that only some developers may use.
 */
export interface ProtectedName {
  id: string;
  name?: string;
  /**
   * It protects the hosts below it too.
   */
  host?: string;
  /**
   * The developers who may use it.
   *
   * @maxItems 100
   */
  developerIds: string[];
  /**
   * Shown with the warning.
   */
  note?: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  createdAt: string;
}
export interface NewProtectedName {
  name?: string;
  /**
   * It protects the hosts below it too.
   */
  host?: string;
  /**
   * The developers who may use it.
   *
   * @maxItems 100
   */
  developerIds?: string[];
  /**
   * Shown with the warning.
   */
  note?: string;
}
export interface ListedRevision {
  /**
   * Its number. Absent where an import of an earlier release may have skipped some: name its time instead.
   */
  revision?: number;
  /**
   * The `ETag` of this revision. Absent for older revisions that an earlier release has stored.
   */
  etag?: string;
  /**
   * Absent where the event that has made it is archived, or was never here.
   */
  createdAt?: string;
  /**
   * Who has made it. Absent where the event that has made it is archived, or was never here.
   */
  actor?: string;
  /**
   * The event that has made it. Absent where the event that has made it is archived, or was never here.
   */
  eventId?: string;
  /**
   * Whether it is what the developer has now.
   */
  isCurrent: boolean;
  /**
   * Whether it is the revision that was last approved.
   */
  isApproved: boolean;
  /**
   * The fields that it has changed; later releases may add fields. Absent for the first revision. Absent where the event that has made it is archived, or was never here.
   */
  changed?: (
    | 'name'
    | 'logoId'
    | 'listingInfo.shortDescription'
    | 'listingInfo.longDescription'
    | 'listingInfo.backgroundColor'
    | 'oauthInfo.loginUrl'
    | 'oauthInfo.callbackUrl'
    | (string & {})
  )[];
}
/**
 * One revision of an app's content, as its developer had it.
 */
export interface AppRevision {
  /**
   * Its number. Absent where an import of an earlier release may have skipped some: name its time instead.
   */
  revision?: number;
  /**
   * The `ETag` of this revision. Absent for older revisions that an earlier release has stored.
   */
  etag?: string;
  /**
   * Absent where the event that has made it is archived, or was never here.
   */
  createdAt?: string;
  /**
   * Who has made it. Absent where the event that has made it is archived, or was never here.
   */
  actor?: string;
  /**
   * The event that has made it. Absent where the event that has made it is archived, or was never here.
   */
  eventId?: string;
  /**
   * Whether it is what the developer has now.
   */
  isCurrent: boolean;
  /**
   * Whether it is the revision that was last approved.
   */
  isApproved: boolean;
  /**
   * When the next revision was made.
   */
  replacedAt?: string;
  /**
   * Unique among the apps of the registry, regardless of case. No white space or invisible character at either end.
   */
  name: string;
  /**
   * The id that the upload of a logo returned.
   */
  logoId?: string;
  listingInfo: ListingInfo;
  oauthInfo: OauthInfo;
}
/**
 * Exactly one of `toApproved`, `toRevision` and `toTime`.
 */
export interface Revert {
  /**
   * The content that was last approved.
   */
  toApproved?: true;
  /**
   * The content of this revision.
   */
  toRevision?: number;
  /**
   * The content that the app had at this time.
   */
  toTime?: string;
  /**
   * Why. It is recorded in the event.
   */
  reason?: string;
}
/**
 * One app in one workspace, as operators see it.
 */
export interface OperatorInstallation {
  id: string;
  appId: string;
  workspaceId: string;
  /**
   * The user who installed the app.
   */
  userId: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  createdAt: string;
  enabled: boolean;
  /**
   * Why it is disabled; absent while it is enabled. `workspace`: by choice of its workspace or an operator. `revocation`: with the approval of its app, until the next approval. `suspension`: with the developer of its app. Later releases may add causes. It is enabled when no cause is left.
   */
  disabledBy?: ('workspace' | 'revocation' | 'suspension' | (string & {}))[];
}
export interface NewInstallation {
  appId: string;
  workspaceId: string;
  userId: string;
}
/**
 * One app in one workspace.
 */
export interface Installation {
  id: string;
  appId: string;
  workspaceId: string;
  /**
   * The user who installed the app.
   */
  userId: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  createdAt: string;
  enabled: boolean;
}
/**
 * The result. With `dryRun`, as it would be, and what would be affected.
 */
export interface OperatorInstallationOrDryRun {
  id: string;
  appId: string;
  workspaceId: string;
  /**
   * The user who installed the app.
   */
  userId: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  createdAt: string;
  enabled: boolean;
  /**
   * Why it is disabled; absent while it is enabled. `workspace`: by choice of its workspace or an operator. `revocation`: with the approval of its app, until the next approval. `suspension`: with the developer of its app. Later releases may add causes. It is enabled when no cause is left.
   */
  disabledBy?: ('workspace' | 'revocation' | 'suspension' | (string & {}))[];
  dryRun?: true;
  affected?: Affected;
}
/**
 * The result. With `dryRun`, as it would be, and what would be affected.
 */
export interface DeletedInstallationsOrDryRun {
  workspaceId: string;
  installationsDeleted: number;
  dryRun?: true;
  affected?: Affected;
}
/**
 * A logo that apps of its developer can show.
 */
export interface Logo {
  id: string;
  developerId: string;
  logoUrl: string;
  /**
   * Since when its image is not found, and no app can set it.
   */
  blockedAt?: string;
  blockedReason?: string;
}
export interface LogoBlock {
  /**
   * The same as `message`, by its name in earlier releases.
   */
  reason: string;
}
export interface ListedAccessToken {
  id: string;
  kind: 'developer' | 'platform' | 'operator';
  developerId?: string;
  /**
   * For operator tokens: `read` reads, `portal` acts for developers, `review` decides reviews, `install` manages installations and nothing else, `admin` does everything. Every scope but `install` includes `read`.
   *
   * @minItems 1
   */
  scopes?: ('read' | 'portal' | 'review' | 'install' | 'admin')[];
  name?: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  createdAt: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  expiresAt: string;
  updatesPerMinute?: number;
  readsPerMinute?: number;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  revokedAt?: string;
  /**
   * The start of the hour of its last use, or its time of issue if that is later. Absent when no use is recorded.
   */
  lastUsedAt?: string;
  status: 'active' | 'expired' | 'revoked';
  /**
   * Its developer is suspended: it is refused until the suspension ends.
   */
  suspended?: true;
}
export interface NewAccessToken {
  kind: 'developer' | 'platform' | 'operator';
  developerId?: string;
  /**
   * For operator tokens: `read` reads, `portal` acts for developers, `review` decides reviews, `install` manages installations and nothing else, `admin` does everything. Every scope but `install` includes `read`.
   *
   * @minItems 1
   */
  scopes?: ('read' | 'portal' | 'review' | 'install' | 'admin')[];
  name?: string;
  lifeMs?: number;
  updatesPerMinute?: number;
  readsPerMinute?: number;
}
export interface IssuedAccessToken {
  id: string;
  kind: 'developer' | 'platform' | 'operator';
  developerId?: string;
  /**
   * For operator tokens: `read` reads, `portal` acts for developers, `review` decides reviews, `install` manages installations and nothing else, `admin` does everything. Every scope but `install` includes `read`.
   *
   * @minItems 1
   */
  scopes?: ('read' | 'portal' | 'review' | 'install' | 'admin')[];
  name?: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  createdAt: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  expiresAt: string;
  updatesPerMinute?: number;
  readsPerMinute?: number;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  revokedAt?: string;
  /**
   * Shown only once, and never stored.
   */
  token: string;
}
/**
 * An app that was changed, by itself or by its installations.
 */
export interface ChangedApp {
  appId: string;
  /**
   * Its current name; absent when the app is deleted.
   */
  name?: string;
  /**
   * Its current developer; absent when it is deleted.
   */
  developerId?: string;
  /**
   * Its current installations; 0 for a deleted app.
   */
  installationCount: number;
  changes: number;
  /**
   * The number of events of each type.
   */
  types: {
    type: string;
    changes: number;
  }[];
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  firstAt: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  lastAt: string;
}
/**
 * A workspace whose installations were changed.
 */
export interface ChangedWorkspace {
  workspaceId: string;
  changes: number;
  /**
   * The number of events of each type.
   */
  types: {
    type: string;
    changes: number;
  }[];
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  firstAt: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  lastAt: string;
}
/**
 * Anything else that was changed: developers, tokens, webhooks, logos, settings; and an installation that was enabled or disabled, if it is deleted since, so that its workspace is unknown.
 */
export interface ChangedObject {
  /**
   * The id of a developer, token, webhook, logo or other object.
   */
  subjectId: string;
  /**
   * The app of an installation.
   */
  appId?: string;
  changes: number;
  /**
   * The number of events of each type.
   */
  types: {
    type: string;
    changes: number;
  }[];
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  firstAt: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  lastAt: string;
}
/**
 * How far a page of a search has got. The next page goes on from there.
 */
export interface Searched {
  /**
   * How many events this page has read.
   */
  events: number;
  /**
   * The last one of them; absent when there was none.
   */
  until?: {
    id: string;
    /**
     * UTC, with milliseconds and the designator `Z`.
     */
    timestamp: string;
  };
}
/**
 * The archives, by their numbers, whose events a search has not read although they meet `since`. Their files are the only place that has them.
 */
export interface ArchivedEvents {
  firstArchive: number;
  lastArchive: number;
  /**
   * The last event of the last archive.
   */
  lastEventId: string;
  /**
   * The latest time of an event in these archives.
   */
  lastTimestamp: string;
}
/**
 * A summary of the next changes of a token, oldest first. The next page summarises later ones: an object that was changed again appears there again, with counts to add.
 */
export interface TokenChanges {
  apps: ChangedApp[];
  workspaces: ChangedWorkspace[];
  others: ChangedObject[];
  searched: Searched;
  archived?: ArchivedEvents;
  /**
   * Opaque. Copy it unchanged from a previous page.
   */
  nextCursor?: string;
}
/**
 * The result. With `dryRun`, as it would be, and what would be affected.
 */
export interface AccessTokenOrDryRun {
  id: string;
  kind: 'developer' | 'platform' | 'operator';
  developerId?: string;
  /**
   * For operator tokens: `read` reads, `portal` acts for developers, `review` decides reviews, `install` manages installations and nothing else, `admin` does everything. Every scope but `install` includes `read`.
   *
   * @minItems 1
   */
  scopes?: ('read' | 'portal' | 'review' | 'install' | 'admin')[];
  name?: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  createdAt: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  expiresAt: string;
  updatesPerMinute?: number;
  readsPerMinute?: number;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  revokedAt?: string;
  dryRun?: true;
  affected?: Affected;
}
/**
 * One change, without its values and its reason.
 */
export interface EventSummary {
  id: string;
  /**
   * Later releases may add types.
   */
  type: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  timestamp: string;
  /**
   * Who made the change: the id of a token; `oidc:` and the subject in the tokens of an identity provider (`oidc:sha256:` and its hash, if it may identify a person); `command-line:` and the name that was given or the host and the user, as `host/user` (`command-line` alone in events of older releases); or `upkeep` for automatic maintenance.
   */
  actor: string;
  /**
   * The name of a token, or of its developer; of a person whom an identity provider has signed in; of who ran a command.
   */
  actorName?: string;
  /**
   * The `X-Request-Id` of the request that made the change, if any.
   */
  requestId?: string;
  /**
   * The app that the change concerns, if any.
   */
  appId?: string;
  /**
   * The id of the changed object.
   */
  subjectId: string;
}
/**
 * Receives events. Without the secret that signs them.
 */
export interface Webhook {
  id: string;
  /**
   * Where its events are sent by POST. It may contain a secret: anyone who knows it may be able to send there.
   */
  url: string;
  name?: string;
  /**
   * The types of events that it receives. Absent: every type.
   */
  types?: string[];
  /**
   * Whether a request has the events of one app together: an array of 1 to 100 events in order, up to 1 MiB. Otherwise each request has one event.
   */
  batch: boolean;
  /**
   * How many requests each process of the registry sends to it at the same time. Absent: 100.
   */
  requestsAtOnce?: number;
  enabled: boolean;
  /**
   * Why the registry disabled it automatically.
   */
  disabledReason?: string;
  /**
   * When deliveries started to fail; absent if the last one succeeded.
   */
  failingSince?: string;
  /**
   * Until when the previous secret also signs.
   */
  previousSecretUntil?: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  createdAt: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  updatedAt: string;
}
export interface NewWebhook {
  /**
   * Where its events are sent by POST. It may contain a secret: anyone who knows it may be able to send there.
   */
  url: string;
  name?: string;
  /**
   * The types of events that it receives. Absent: every type.
   *
   * @minItems 1
   */
  types?: (
    | 'developer.created'
    | 'developer.updated'
    | 'developer.suspended'
    | 'developer.unsuspended'
    | 'developer.erased'
    | 'app.created'
    | 'app.updated'
    | 'app.reverted'
    | 'app.submitted'
    | 'app.withdrawn'
    | 'app.approved'
    | 'app.rejected'
    | 'app.revoked'
    | 'app.change_approved'
    | 'app.change_rejected'
    | 'app.effective_changed'
    | 'app.transferred'
    | 'app.deleted'
    | 'app.restored'
    | 'app.purged'
    | 'installation.created'
    | 'installation.updated'
    | 'installation.enabled'
    | 'installation.disabled'
    | 'installation.deleted'
    | 'logo.created'
    | 'logo.blocked'
    | 'logo.unblocked'
    | 'logo.deleted'
    | 'token.issued'
    | 'token.revoked'
    | 'webhook.created'
    | 'webhook.updated'
    | 'webhook.deleted'
    | 'protected_name.created'
    | 'protected_name.deleted'
    | 'reason_template.created'
    | 'reason_template.updated'
    | 'reason_template.deleted'
    | 'settings.updated'
    | 'webhook.tested'
  )[];
  /**
   * Whether a request has the events of one app together: an array of 1 to 100 events in order, up to 1 MiB. Otherwise each request has one event.
   */
  batch?: boolean;
  /**
   * How many requests each process of the registry sends to it at the same time. Absent: 100.
   */
  requestsAtOnce?: number;
}
export interface WebhookWithSecret {
  id: string;
  /**
   * Where its events are sent by POST. It may contain a secret: anyone who knows it may be able to send there.
   */
  url: string;
  name?: string;
  /**
   * The types of events that it receives. Absent: every type.
   */
  types?: string[];
  /**
   * Whether a request has the events of one app together: an array of 1 to 100 events in order, up to 1 MiB. Otherwise each request has one event.
   */
  batch: boolean;
  /**
   * How many requests each process of the registry sends to it at the same time. Absent: 100.
   */
  requestsAtOnce?: number;
  enabled: boolean;
  /**
   * Why the registry disabled it automatically.
   */
  disabledReason?: string;
  /**
   * When deliveries started to fail; absent if the last one succeeded.
   */
  failingSince?: string;
  /**
   * Until when the previous secret also signs.
   */
  previousSecretUntil?: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  createdAt: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  updatedAt: string;
  /**
   * Signs what is sent (Standard Webhooks). Shown only once.
   */
  secret: string;
}
export interface WebhookUpdate {
  /**
   * Where its events are sent by POST. It may contain a secret: anyone who knows it may be able to send there.
   */
  url?: string;
  name?: string | null;
  /**
   * The types of events that it receives. Absent: every type.
   *
   * @minItems 1
   */
  types?:
    | (
        | 'developer.created'
        | 'developer.updated'
        | 'developer.suspended'
        | 'developer.unsuspended'
        | 'developer.erased'
        | 'app.created'
        | 'app.updated'
        | 'app.reverted'
        | 'app.submitted'
        | 'app.withdrawn'
        | 'app.approved'
        | 'app.rejected'
        | 'app.revoked'
        | 'app.change_approved'
        | 'app.change_rejected'
        | 'app.effective_changed'
        | 'app.transferred'
        | 'app.deleted'
        | 'app.restored'
        | 'app.purged'
        | 'installation.created'
        | 'installation.updated'
        | 'installation.enabled'
        | 'installation.disabled'
        | 'installation.deleted'
        | 'logo.created'
        | 'logo.blocked'
        | 'logo.unblocked'
        | 'logo.deleted'
        | 'token.issued'
        | 'token.revoked'
        | 'webhook.created'
        | 'webhook.updated'
        | 'webhook.deleted'
        | 'protected_name.created'
        | 'protected_name.deleted'
        | 'reason_template.created'
        | 'reason_template.updated'
        | 'reason_template.deleted'
        | 'settings.updated'
        | 'webhook.tested'
      )[]
    | null;
  /**
   * Whether a request has the events of one app together: an array of 1 to 100 events in order, up to 1 MiB. Otherwise each request has one event.
   */
  batch?: boolean;
  /**
   * How many requests each process of the registry sends to it at the same time. Absent: 100.
   */
  requestsAtOnce?: number | null;
}
/**
 * One event for one webhook, and its outcome.
 */
export interface Delivery {
  id: string;
  webhookId: string;
  eventId: string;
  eventType: string;
  /**
   * `pending`: it waits for an attempt. `failed`: its last attempt failed.
   */
  state: 'pending' | 'delivered' | 'failed';
  /**
   * The number of attempts since it was queued or redelivered.
   */
  attempts: number;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  createdAt: string;
  /**
   * The earliest time of the next attempt of a pending delivery, which also waits for those ahead of it.
   */
  nextAttemptAt?: string;
  /**
   * The time of the last attempt.
   */
  attemptedAt?: string;
  /**
   * When it was delivered, or failed for good.
   */
  finishedAt?: string;
  /**
   * The HTTP status of the last response.
   */
  answerStatus?: number;
  /**
   * The start of the last response, or why there was none.
   */
  answer?: string;
}
export interface Redelivery {
  /**
   * Every delivery queued at this time or later is repeated.
   */
  since: string;
  /**
   * Only those in this state. Absent: all, also delivered ones.
   */
  state?: 'pending' | 'delivered' | 'failed';
}
/**
 * The number of deliveries that are repeated.
 */
export interface Redelivered {
  webhookId: string;
  deliveriesRedelivered: number;
}
/**
 * A field of the header of a request or response.
 */
export interface HeaderField {
  name: string;
  value: string;
}
/**
 * The request of the last attempt.
 */
export interface DeliveryRequest {
  /**
   * Where it was sent, without user name, password and query, which may be secrets.
   */
  url: string;
  /**
   * Without the signature, which is not stored.
   */
  headers: HeaderField[];
  /**
   * Made again of the stored events, as this release of the registry sends them.
   */
  body: string;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  sentAt: string;
  /**
   * Until the response, or until it failed, in milliseconds.
   */
  durationMs: number;
}
/**
 * The response to the last attempt.
 */
export interface DeliveryResponse {
  status: number;
  /**
   * Up to 2,048 characters. Values that may be secret, such as of cookies, are not stored.
   */
  headers: HeaderField[];
  /**
   * Up to 4 KiB. Control characters are replaced. Absent if it is no UTF-8 text.
   */
  body?: string;
  /**
   * Whether the body is no UTF-8 text. Such a body is not stored.
   */
  isBinary: boolean;
  /**
   * Whether the header or the body was longer than what is stored.
   */
  isTruncated: boolean;
}
/**
 * A delivery with the request and the response of its last attempt. Both are absent before the first attempt, and if they are not stored: an older release has made it, or another delivery of the same batch was redelivered.
 */
export interface DeliveryDetails {
  id: string;
  webhookId: string;
  eventId: string;
  eventType: string;
  /**
   * `pending`: it waits for an attempt. `failed`: its last attempt failed.
   */
  state: 'pending' | 'delivered' | 'failed';
  /**
   * The number of attempts since it was queued or redelivered.
   */
  attempts: number;
  /**
   * UTC, with milliseconds and the designator `Z`.
   */
  createdAt: string;
  /**
   * The earliest time of the next attempt of a pending delivery, which also waits for those ahead of it.
   */
  nextAttemptAt?: string;
  /**
   * The time of the last attempt.
   */
  attemptedAt?: string;
  /**
   * When it was delivered, or failed for good.
   */
  finishedAt?: string;
  /**
   * The HTTP status of the last response.
   */
  answerStatus?: number;
  /**
   * The start of the last response, or why there was none.
   */
  answer?: string;
  request?: DeliveryRequest;
  response?: DeliveryResponse;
}
/**
 * The settings that all processes on a database share.
 */
export interface Settings {
  /**
   * Whether no two apps may have the same name.
   */
  uniqueNames: boolean;
  /**
   * What consumers get of changes to approved apps before a decision: `live`, the current content; `hold`, the approved content.
   */
  changesToApproved: 'live' | 'hold';
  revision: number;
  /**
   * The `ETag` of this revision, to send as `If-Match`.
   */
  etag: string;
}
export interface SettingsUpdate {
  /**
   * Whether no two apps may have the same name.
   */
  uniqueNames?: boolean;
  /**
   * What consumers get of changes to approved apps before a decision: `live`, the current content; `hold`, the approved content.
   */
  changesToApproved?: 'live' | 'hold';
  /**
   * Required to switch `changesToApproved` to `hold`: whether changes without a decision are approved as they are now, or held.
   */
  existing?: 'approve' | 'hold';
}
/**
 * Who makes a request.
 */
export interface Caller {
  /**
   * The id of a token, or `oidc:` and the subject of an identity provider.
   */
  actor: string;
  /**
   * The name of the token or the person, if there is one.
   */
  actorName?: string;
  /**
   * Items: What they may do.
   */
  scopes: ('read' | 'portal' | 'review' | 'install' | 'admin' | (string & {}))[];
}
