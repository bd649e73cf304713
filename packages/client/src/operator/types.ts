// Written by `npm run client-types` from docs/operator-openapi.json. Do not edit.

import type { AppRegistryEvent } from '../event.ts';
import type {
  AppUpdate,
  ListingInfo,
  ListingInfoUpdate,
  OauthInfo,
  OauthInfoUpdate,
  ReviewStatus,
} from '../types/app.ts';

export type { AppUpdate, ListingInfo, ListingInfoUpdate, OauthInfo, OauthInfoUpdate, ReviewStatus };

/** A search result. Later releases may add types. */
export type SearchHit =
  | {
      /** What was found. */
      type: 'app';
      /** A TypeID. Its prefix says what it identifies. */
      id: string;
      /**
       * Unique among the apps of the registry, regardless of case. Its first and last grapheme cluster (UAX #29) must be visible.
       */
      name: string;
      /** Where the app is in review. Only an `APPROVED` app is effective. */
      reviewStatus: ReviewStatus;
      /** The user id of the developer, as the platform assigned it. */
      developerId: string;
      /** When it was deleted, if it is deleted and can be restored. */
      deletedAt?: string;
    }
  | {
      /** What was found. */
      type: 'developer';
      /** The TypeID that the platform assigned to this user. */
      id: string;
      /** 3 to 254 characters with one `@`. */
      email: string;
      /** First name. */
      firstName?: string;
      /** Last name. */
      lastName?: string;
      /** When an operator suspended the developer; absent when none has. */
      suspendedAt?: string;
    }
  | {
      /** What was found. */
      type: 'host';
      /** A domain with its subdomains, or an IP address. */
      host: string;
    }
  | {
      /** What was found. */
      type: 'workspace';
      /** The workspace, as the platform assigned its id. */
      workspaceId: string;
    }
  | {
      /** What was found. */
      type: 'installation';
      /** A TypeID. Its prefix says what it identifies. */
      id: string;
      /** The app: `app_…`. */
      appId: string;
      /** The workspace, as the platform assigned its id. */
      workspaceId: string;
    }
  | {
      /** What was found. */
      type: 'logo';
      /** A TypeID. Its prefix says what it identifies. */
      id: string;
      /** The TypeID that the platform assigned to this user. */
      developerId: string;
    }
  | {
      /** What was found. */
      type: 'webhook';
      /** A TypeID. Its prefix says what it identifies. */
      id: string;
      /**
       * The URL that receives events by POST. It may contain a secret: anyone who knows it may be able to send requests to it.
       */
      url: string;
      /** For people. It does not have to be unique. */
      name?: string;
    }
  | {
      /** What was found. */
      type: 'token';
      /** A TypeID. Its prefix says what it identifies. */
      id: string;
      /** Which operations the token is good for. */
      kind: 'developer' | 'platform' | 'operator';
      /** For people. It does not have to be unique. */
      name?: string;
    };
/**
 * What a platform may act on: the current content or, while changes to approved apps are held, the approved content. Null unless the app is `APPROVED`, and of a deleted app.
 */
export type EffectiveSource = {
  /** Which content it is; `current` also where the current content is the approved one. */
  source: 'current' | 'approved';
  /** The fields of that content without effect, because its developer has removed their values since. */
  cleared?: string[];
} | null;
/** An object that was changed. Later releases may add types. */
export type ChangedObject =
  | {
      /** What was changed. */
      type: 'app';
      /** The app: `app_…`. */
      appId: string;
      /** Its current name; absent when the app is deleted. */
      name?: string;
      /** Its current developer; absent when the app is deleted. */
      developerId?: string;
      /** The number of its current installations; 0 for a deleted app. */
      installationCount: number;
      /** How many events changed it. */
      changes: number;
      /** The number of events of each type. */
      types: {
        /** The type of the event, such as `app.approved`. */
        type: string;
        /** How many events are of this type. */
        changes: number;
      }[];
      /** A UTC time with milliseconds, ending in `Z`. */
      firstAt: string;
      /** A UTC time with milliseconds, ending in `Z`. */
      lastAt: string;
    }
  | {
      /** What was changed. */
      type: 'workspace';
      /** The workspace, as the platform assigned its id. */
      workspaceId: string;
      /** How many events changed it. */
      changes: number;
      /** The number of events of each type. */
      types: {
        /** The type of the event, such as `app.approved`. */
        type: string;
        /** How many events are of this type. */
        changes: number;
      }[];
      /** A UTC time with milliseconds, ending in `Z`. */
      firstAt: string;
      /** A UTC time with milliseconds, ending in `Z`. */
      lastAt: string;
    }
  | {
      /** What was changed. */
      type: 'other';
      /** The id of a developer, token, webhook, logo or other object. */
      subjectId: string;
      /** The app of an installation. */
      appId?: string;
      /** How many events changed it. */
      changes: number;
      /** The number of events of each type. */
      types: {
        /** The type of the event, such as `app.approved`. */
        type: string;
        /** How many events are of this type. */
        changes: number;
      }[];
      /** A UTC time with milliseconds, ending in `Z`. */
      firstAt: string;
      /** A UTC time with milliseconds, ending in `Z`. */
      lastAt: string;
    };

/** Which page of a list. */
export interface ListQuery {
  /** An opaque cursor, copied unchanged from an earlier page. */
  cursor?: string | undefined;
  /** The maximum number of items. Default: 20. */
  limit?: number | undefined;
}
/** The query of `search`. */
export interface SearchQuery extends ListQuery {
  /**
   * Words or parts of words in the name of an app, developer or webhook, regardless of order, case and accents; part of an email address or of the host of an app; or an id, or its start.
   */
  q: string;
  /** Only results of this type. If there are several, any of them matches. */
  type?:
    | readonly ('app' | 'developer' | 'host' | 'workspace' | 'installation' | 'logo' | 'webhook' | 'token')[]
    | undefined;
  /** The sort order, by default `relevance`. */
  sort?: 'relevance' | undefined;
}
/** Which page of a list that can say how many items it has. */
export interface TotalQuery {
  /** Whether the response includes the total number of items. */
  withTotal?: boolean | undefined;
  /** An opaque cursor, copied unchanged from an earlier page. */
  cursor?: string | undefined;
  /** The maximum number of items. Default: 20. */
  limit?: number | undefined;
}
/** The query of `developers.list`. */
export interface DeveloperQuery extends TotalQuery {
  /** The sort order, by default `id`. A leading minus sign reverses it. */
  sort?: 'id' | '-id' | 'email' | '-email' | 'createdAt' | '-createdAt' | undefined;
  /** Only items whose `createdAt`, if the list is sorted by it, is at or after this time. */
  since?: string | undefined;
  /** Only items whose `createdAt`, if the list is sorted by it, is before this time. */
  until?: string | undefined;
  /**
   * Only objects with these ids, up to 100. Unknown ids are ignored. Can be combined only with `cursor`, `limit` and `withTotal`. If there are several, any of them matches.
   */
  ids?: readonly string[] | undefined;
}
/** The query of `apps.list`. */
export interface AppQuery extends TotalQuery {
  /** Only apps with this review status. If there are several, any of them matches. */
  status?: readonly ('DRAFT' | 'AWAITING_REVIEW' | 'APPROVED' | 'REJECTED')[] | undefined;
  /** The user id of the developer, as a TypeID or UUID. */
  developerId?: string | undefined;
  /** Only apps whose name starts with this, regardless of case. */
  name?: string | undefined;
  /**
   * Only apps with a current or approved login or callback URL at this host or a subdomain. Any page may then have fewer apps than the limit, or none.
   */
  host?: string | undefined;
  /** Only apps whose content differs from the approved content, or only the others. */
  changedSinceApproval?: boolean | undefined;
  /**
   * Only deleted apps that can be restored. Can be combined with `developerId`, `since` and `until`, and sorted by `id` or `deletedAt`. By default, only apps that are not deleted.
   */
  deleted?: boolean | undefined;
  /** What the list shows of each item: `summary` (default), without its content, or `full`. */
  view?: 'summary' | 'full' | undefined;
  /**
   * Only objects with these ids, up to 100. Unknown ids are ignored. Can be combined only with `cursor`, `limit` and `withTotal`. If there are several, any of them matches.
   */
  ids?: readonly string[] | undefined;
  /**
   * The sort order, by default `name` with the filter `name`, the host with `host`, otherwise `id`. A leading minus sign reverses it.
   */
  sort?:
    | 'id'
    | '-id'
    | 'name'
    | '-name'
    | 'createdAt'
    | '-createdAt'
    | 'updatedAt'
    | '-updatedAt'
    | 'deletedAt'
    | '-deletedAt'
    | undefined;
  /**
   * Only items whose `createdAt`, `updatedAt` or `deletedAt`, if the list is sorted by it, is at or after this time.
   */
  since?: string | undefined;
  /** Only items whose `createdAt`, `updatedAt` or `deletedAt`, if the list is sorted by it, is before this time. */
  until?: string | undefined;
}
/** The query of `reviewQueue.list`. */
export interface ReviewQueueQuery extends TotalQuery {
  /** Only items of this kind. */
  kind?: 'submission' | 'change' | 'transfer' | undefined;
  /** Only apps of this developer. */
  developerId?: string | undefined;
  /** Only submissions of apps that were never approved, or only all other items. */
  isNew?: boolean | undefined;
  /** Only items that are assigned to the caller. */
  claimedBy?: 'me' | undefined;
  /**
   * Only apps with a warning, or only apps without one. Each page searches a bounded number of apps and may have no items.
   */
  hasWarnings?: boolean | undefined;
  /** The sort order, by default `waitingSince`. A leading minus sign reverses it. */
  sort?: 'waitingSince' | '-waitingSince' | undefined;
  /** Only items whose `waitingSince` is at or after this time. */
  since?: string | undefined;
  /** Only items whose `waitingSince` is before this time. */
  until?: string | undefined;
  /** What the list shows of each item: `summary` (default), without its content, or `full`. */
  view?: 'summary' | 'full' | undefined;
}
/** The query of `apps.listDecisions`. */
export interface AppDecisionQuery extends ListQuery {
  /** The sort order, by default `-decidedAt`. A leading minus sign reverses it. */
  sort?: 'decidedAt' | '-decidedAt' | undefined;
  /** Only items whose `decidedAt` is at or after this time. */
  since?: string | undefined;
  /** Only items whose `decidedAt` is before this time. */
  until?: string | undefined;
  /** Whether the response includes the names of the actors, where known. */
  actors?: boolean | undefined;
}
/** The query of `apps.listNotes`. */
export interface AppNoteQuery extends ListQuery {
  /** The sort order, by default `-createdAt`. A leading minus sign reverses it. */
  sort?: 'createdAt' | '-createdAt' | undefined;
  /** Only items whose `createdAt` is at or after this time. */
  since?: string | undefined;
  /** Only items whose `createdAt` is before this time. */
  until?: string | undefined;
}
/** The query of `reasonTemplates.list`. */
export interface ReasonTemplateQuery extends ListQuery {
  /** The sort order, by default `title`. A leading minus sign reverses it. */
  sort?: 'title' | '-title' | undefined;
}
/** The query of `protectedNames.list`. */
export interface ProtectedNameQuery extends ListQuery {
  /** The sort order, by default `id`. A leading minus sign reverses it. */
  sort?: 'id' | '-id' | undefined;
}
/** The query of `apps.listRevisions`. */
export interface AppRevisionQuery extends ListQuery {
  /** The sort order, by default `-revision`. */
  sort?: '-revision' | undefined;
  /** Whether the response includes the names of the actors, where known. */
  actors?: boolean | undefined;
}
/** The query of `installations.list`. */
export interface InstallationQuery extends TotalQuery {
  /** The id of the app, as a TypeID or UUID. */
  appId?: string | undefined;
  /** The id of the workspace, as a TypeID or UUID. */
  workspaceId?: string | undefined;
  /** The id of the user, as a TypeID or UUID. */
  userId?: string | undefined;
  /**
   * Only enabled or only disabled installations. Each page searches a bounded number of installations and may have no items.
   */
  enabled?: boolean | undefined;
  /**
   * Only objects with these ids, up to 100. Unknown ids are ignored. Can be combined only with `cursor`, `limit` and `withTotal`. If there are several, any of them matches.
   */
  ids?: readonly string[] | undefined;
  /**
   * The sort order, by default the only one with these filters: `createdAt` with `appId` alone, `appId` with `workspaceId` or `userId` but no `appId`, otherwise `id`. A leading minus sign reverses it.
   */
  sort?: 'id' | '-id' | 'createdAt' | '-createdAt' | 'appId' | '-appId' | undefined;
  /** Only items whose `createdAt`, if the list is sorted by it, is at or after this time. */
  since?: string | undefined;
  /** Only items whose `createdAt`, if the list is sorted by it, is before this time. */
  until?: string | undefined;
}
/** The query of `logos.list`. */
export interface LogoQuery extends ListQuery {
  /** The user id of the developer, as a TypeID or UUID. */
  developerId?: string | undefined;
  /** The sort order, by default `id`. A leading minus sign reverses it. */
  sort?: 'id' | '-id' | undefined;
}
/** The query of `tokens.list`. */
export interface TokenQuery extends TotalQuery {
  /** The user id of the developer, as a TypeID or UUID. */
  developerId?: string | undefined;
  /** Only tokens of this kind. */
  kind?: 'developer' | 'platform' | 'operator' | undefined;
  /** The sort order, by default `id`. A leading minus sign reverses it. */
  sort?: 'id' | '-id' | 'expiresAt' | '-expiresAt' | undefined;
  /** Only items whose `expiresAt`, if the list is sorted by it, is at or after this time. */
  since?: string | undefined;
  /** Only items whose `expiresAt`, if the list is sorted by it, is before this time. */
  until?: string | undefined;
}
/** The query of `tokens.listChanges`. */
export interface TokenChangeQuery extends ListQuery {
  /** Only events recorded at or after this time, or after the event with this id. */
  since?: string | undefined;
  /** Only changes recorded before this time. Changes recorded while a clock was set back may be missing. */
  until?: string | undefined;
  /** The sort order, by default `firstAt`. A leading minus sign reverses it. */
  sort?: 'firstAt' | '-lastAt' | undefined;
}
/** The query of `events.list`. */
export interface EventQuery extends ListQuery {
  /** The id of the app, as a TypeID or UUID. */
  appId?: string | undefined;
  /** Only changes by this `actor`, such as a token id. */
  actor?: string | undefined;
  /** The `X-Request-Id` of the request that made the changes. */
  requestId?: string | undefined;
  /** Only changes of this content field. Each page searches a bounded number of events and may have no items. */
  field?:
    | 'name'
    | 'logoId'
    | 'listingInfo.shortDescription'
    | 'listingInfo.longDescription'
    | 'listingInfo.backgroundColor'
    | 'oauthInfo.loginUrl'
    | 'oauthInfo.callbackUrl'
    | undefined;
  /**
   * Only changes that set or removed a value containing this text, regardless of case, in `field` or in any content field. Searches as `field` does.
   */
  contains?: string | undefined;
  /**
   * Only changes of this type. An unknown type is an error. Searches as `field` does. If there are several, any of them matches.
   */
  type?: readonly string[] | undefined;
  /** Only changes that carry `effective`: those of what a platform may act on. Searches as `field` does. */
  effectiveOnly?: boolean | undefined;
  /**
   * Only changes that concern or mention the object with this id: a developer, workspace, installation, logo, token or webhook. Searches as `field` does.
   */
  about?: string | undefined;
  /** Only events recorded at or after this time, or after the event with this id. */
  since?: string | undefined;
  /** Only changes recorded before this time. Changes recorded while a clock was set back may be missing. */
  until?: string | undefined;
  /** The sort order, by default `id`. A leading minus sign reverses it. */
  sort?: 'id' | '-id' | undefined;
  /** Whether the response includes the workspaces where the apps are installed. */
  workspaces?: boolean | undefined;
  /** Whether the response includes the names of the actors, where known. */
  actors?: boolean | undefined;
}
/** The query of `events.readFeed`. */
export interface EventFeedQuery extends ListQuery {
  /** Without a cursor: only events since this UTC time, or with `now` only new ones. By default, all events. */
  since?: string | undefined;
  /** The sort order, by default `position`. */
  sort?: 'position' | undefined;
  /** The maximum number of seconds to wait for an event. With 0, the default, the response is immediate. */
  wait?: number | undefined;
  /** Only events of this type. An unknown type is an error. If there are several, any of them matches. */
  type?: readonly string[] | undefined;
  /** Only events of this app and its installations. */
  appId?: string | undefined;
  /** Only changes that carry `effective`: those of what a platform may act on. */
  effectiveOnly?: boolean | undefined;
}
/** The query of `events.stream`. */
export interface StreamEventQuery {
  /**
   * Where to continue: the id of a message of an earlier stream, or a `nextCursor` of the feed. `Last-Event-ID` takes precedence.
   */
  cursor?: string | undefined;
  /** Without a cursor: only events since this UTC time, or with `now` only new ones. By default, new ones. */
  since?: string | undefined;
}
/** The query of `webhooks.list`. */
export interface WebhookQuery extends TotalQuery {
  /** The sort order, by default `id`. A leading minus sign reverses it. */
  sort?: 'id' | '-id' | undefined;
}
/** The query of `deliveries.list`. */
export interface DeliveryQuery extends ListQuery {
  /** `pending`: waiting for an attempt. `failed`: its last attempt failed. */
  state?: 'pending' | 'delivered' | 'failed' | undefined;
  /** The sort order, by default `-id`. A leading minus sign reverses it. */
  sort?: 'id' | '-id' | undefined;
}
/** How many items a list has, if its query has `withTotal`. */
export interface Total {
  /** The total number of items, if `withTotal` is true and it is known. */
  total?: number;
  /**
   * Instead of `total`, above 10,000 items: an estimate. With a filter, it may be 10,000, which means at least that many.
   */
  estimatedTotal?: number;
}
/** Who has done what a page lists, if its query has `actors`. */
export interface Actors {
  /** The names of the actors of this page. Present if the query has `actors`. */
  actors?: ActorName[];
}
/** The name of an actor. */
export interface ActorName {
  /** The actor, as in events. */
  actor: string;
  /**
   * The name of a token or its developer, of a person signed in with an identity provider, or of the person who ran a command.
   */
  name: string;
}
/** What a page of `apps.listRevisions` has besides its items. */
export interface AppRevisionPageFields {
  /** The names of the actors of this page. Present if the query has `actors`. */
  actors?: ActorName[];
  /** The archives that may hold earlier revisions. Present at the end of the list, if such events are archived. */
  archived?: {
    /** The number of the first archive. */
    firstArchive: number;
    /** The archive to restore first. */
    lastArchive: number;
    /** A UTC time with milliseconds, ending in `Z`. */
    lastOccurredAt: string;
  };
}
/** What a page of `tokens.listChanges` has besides its items. */
export interface ChangedObjectPageFields {
  /** How far the search of this page got. */
  searched?: Searched;
  /** The archives with events that the search did not read; absent if there are none. */
  archived?: ArchivedEvents;
}
/** What a page of `events.list` has besides its items. */
export interface EventPageFields {
  /** The apps of this page with their workspaces. Present if the query has `workspaces`. */
  apps?: InstalledApp[];
  /** The names of the actors of this page. Present if the query has `actors`. */
  actors?: ActorName[];
  /** How far the search of this page got. Present if the query has a filter. */
  searched?: Searched;
  /** The archives with events that the search did not read; absent if there are none. */
  archived?: ArchivedEvents;
}
/** The workspaces that have installed an app. */
export interface InstalledApp {
  /** The app: `app_…`. */
  appId: string;
  /** 0 for a deleted app. */
  installationCount: number;
  /** The first 100, in order of installation. */
  workspaceIds: string[];
}
/** The current counts of the registry, and those of recent days. */
export interface Overview {
  /** The time at which `apps` and `installations` were counted. */
  countedAt: string;
  /** The number of apps in each review status. */
  apps: {
    /** Apps that are `DRAFT`. */
    draft: number;
    /** Apps that are `AWAITING_REVIEW`. */
    awaitingReview: number;
    /** Apps that are `APPROVED`. */
    approved: number;
    /** Apps that are `REJECTED`. */
    rejected: number;
  };
  /** Installations of all apps, enabled and disabled. */
  installations: number;
  /** The current review queue: submissions, changes and transfers. */
  review: {
    /** How many items await a decision. */
    awaiting: number;
    /** Whether more items await review than the 1000 counted. */
    more: boolean;
    /** The `waitingSince` of the first in the review queue; absent when the queue is empty. */
    oldestWaitingSince?: string;
  };
  /**
   * The last counts of each day up to today, oldest first. Days without a running server are absent.
   *
   * @maxItems 90
   */
  days: {
    /** In UTC. */
    date: string;
    /** The number of apps in each review status. */
    apps: {
      /** Apps that are `DRAFT`. */
      draft: number;
      /** Apps that are `AWAITING_REVIEW`. */
      awaitingReview: number;
      /** Apps that are `APPROVED`. */
      approved: number;
      /** Apps that are `REJECTED`. */
      rejected: number;
    };
    /** Installations of all apps, enabled and disabled. */
    installations: number;
  }[];
}
/** Statistics of reviews, installations and webhooks. */
export interface Statistics {
  /** A UTC time with milliseconds, ending in `Z`. */
  madeAt: string;
  /** The review queue. */
  waiting: {
    /** How many there are. */
    count: number;
    /** Whether more items wait than the 100000 counted. */
    more: boolean;
    /** A UTC time with milliseconds, ending in `Z`. */
    oldestSince?: string;
    /** The time since which the median item has waited; absent if the queue is empty or was not counted completely. */
    medianSince?: string;
  };
  /**
   * The last weeks up to the current one, oldest first.
   *
   * @minItems 12
   * @maxItems 12
   */
  weeks: {
    /** The first day of the week, in UTC. */
    monday: string;
    /** How the reviewers decided in this week. */
    decisions: {
      /** Apps and changes that were approved. */
      approved: number;
      /** Apps that were rejected. */
      rejected: number;
      /** Changes of approved apps that were rejected. */
      changesRejected: number;
      /** Approvals that were revoked. */
      revoked: number;
    };
    /**
     * The median waiting time of the decided items, in milliseconds; absent without a decision made by this or a later release.
     */
    medianWaitMs?: number;
    /** Installations created and deleted in that week, including those of imports and deleted apps. */
    installations: {
      /** Installations that were created. */
      created: number;
      /** Installations that were deleted. */
      deleted: number;
    };
  }[];
  /**
   * The apps with the highest net growth in installations (created minus deleted) in this week and the previous one.
   *
   * @maxItems 5
   */
  growingApps: {
    /** A TypeID. Its prefix says what it identifies. */
    id: string;
    /** The current name of the app. */
    name: string;
    /** Installations that were created. */
    created: number;
    /** Installations that were deleted. */
    deleted: number;
  }[];
  /** The number of webhooks that need attention. */
  webhooks: {
    /** Enabled webhooks whose last delivery failed. */
    failing: number;
    /** Webhooks that the registry disabled because they failed. */
    disabled: number;
  };
}
/** A developer as operators see them. */
export interface OperatorDeveloper {
  /** The TypeID that the platform assigned to this user. */
  id: string;
  /** 3 to 254 characters with one `@`. */
  email: string;
  /** First name. */
  firstName?: string;
  /** Last name. */
  lastName?: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  createdAt: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  updatedAt: string;
  /** When an operator suspended the developer; absent when none has. */
  suspendedAt?: string;
  /** Why the developer is suspended; absent when they are not. */
  suspensionReason?: string;
  /** The `ETag` of this version, to send as `If-Match` with a change that depends on it. */
  etag: string;
}
/** What `developers.create` sends. */
export interface NewDeveloper {
  /** The user id on the platform. Absent: a new one. */
  id?: string;
  /** 3 to 254 characters with one `@`. */
  email: string;
  /** First name. */
  firstName?: string;
  /** Last name. */
  lastName?: string;
}
/** The record of a developer, for reviewers. */
export interface DeveloperRecord {
  /** The developer that the record is about. */
  developer: OperatorDeveloper;
  /** The apps that belong to the developer, or did when they were deleted. */
  apps: {
    /** Apps that are `DRAFT`. 10000 means at least 10000. */
    draft: number;
    /** Apps that are `AWAITING_REVIEW`. 10000 means at least 10000. */
    awaitingReview: number;
    /** Apps that are `APPROVED`. 10000 means at least 10000. */
    approved: number;
    /** Apps that are `REJECTED`. 10000 means at least 10000. */
    rejected: number;
    /** Deleted apps that can be restored. 10000 means at least 10000. */
    deleted: number;
  };
  /**
   * The stored decisions about those apps; with more than 1,000 apps, only those about the 1,000 newest and up to 1,000 deleted ones.
   */
  decisions: {
    /** Approvals of apps and of changes. 10000 means at least 10000. */
    approved: number;
    /** Rejections of apps. 10000 means at least 10000. */
    rejected: number;
    /** Rejections of changes. 10000 means at least 10000. */
    changesRejected: number;
    /** Revocations. 10000 means at least 10000. */
    revoked: number;
  };
  /** How often the developer was suspended, according to events that are not archived. 10000 means at least 10000. */
  suspensions: number;
  /** When the first of those apps was created. */
  firstAppAt?: string;
  /** When the last of those decisions was made. */
  lastDecisionAt?: string;
}
/** What `developers.update` sends. */
export interface DeveloperUpdate {
  /** 3 to 254 characters with one `@`. */
  email?: string;
  /** First name. */
  firstName?: string | null;
  /** Last name. */
  lastName?: string | null;
}
/** The objects that the operation affects, as they were before. */
export interface Affected {
  /** The apps that change. */
  apps: {
    /** How many there are. */
    count: number;
    /**
     * The first 100.
     *
     * @maxItems 100
     */
    ids: string[];
  };
  /** The installations that change. */
  installations: {
    /** How many there are. */
    count: number;
    /**
     * The first 100.
     *
     * @maxItems 100
     */
    ids: string[];
  };
  /** The workspaces that have these installations. */
  workspaces: {
    /** How many there are. */
    count: number;
    /**
     * The first 100.
     *
     * @maxItems 100
     */
    ids: string[];
  };
  /** The tokens that change. */
  tokens: {
    /** How many there are. */
    count: number;
    /**
     * The first 100.
     *
     * @maxItems 100
     */
    ids: string[];
  };
}
/** The result. With `dryRun`, the result that the operation would have, with the affected objects. */
export interface ErasedDeveloperOrDryRun {
  /** The TypeID that the platform assigned to this user. */
  id: string;
  /** 3 to 254 characters with one `@`. */
  email: string;
  /** First name. */
  firstName?: string;
  /** Last name. */
  lastName?: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  createdAt: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  updatedAt: string;
  /** When an operator suspended the developer; absent when none has. */
  suspendedAt?: string;
  /** Why the developer is suspended; absent when they are not. */
  suspensionReason?: string;
  /** The `ETag` of this version, to send as `If-Match` with a change that depends on it. */
  etag: string;
  /** How many tokens were revoked. */
  tokensRevoked: number;
  /** True if the operation was only tried, with `dryRun`; absent if it was done. */
  dryRun?: true;
  /** What the operation would affect. Present with `dryRun`. */
  affected?: Affected;
}
/** What `developers.suspend` sends. */
export interface Suspension {
  /** The reason, shared with the developer and shown with their apps. */
  reason: string;
}
/** The result. With `dryRun`, the result that the operation would have, with the affected objects. */
export interface SuspendedDeveloperOrDryRun {
  /** The TypeID that the platform assigned to this user. */
  id: string;
  /** 3 to 254 characters with one `@`. */
  email: string;
  /** First name. */
  firstName?: string;
  /** Last name. */
  lastName?: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  createdAt: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  updatedAt: string;
  /** When an operator suspended the developer; absent when none has. */
  suspendedAt?: string;
  /** Why the developer is suspended; absent when they are not. */
  suspensionReason?: string;
  /** The `ETag` of this version, to send as `If-Match` with a change that depends on it. */
  etag: string;
  /** The number of valid tokens that changed. */
  tokens: number;
  /** The number of apps that changed. */
  apps: number;
  /** The number of these apps that were APPROVED, or are again. */
  approvedApps: number;
  /** The number of installations whose `disabledBy` changed. */
  installations: number;
  /** True if the operation was only tried, with `dryRun`; absent if it was done. */
  dryRun?: true;
  /** What the operation would affect. Present with `dryRun`. */
  affected?: Affected;
}
/** The result. With `dryRun`, the result that the operation would have, with the affected objects. */
export interface UnsuspendedDeveloperOrDryRun {
  /** The TypeID that the platform assigned to this user. */
  id: string;
  /** 3 to 254 characters with one `@`. */
  email: string;
  /** First name. */
  firstName?: string;
  /** Last name. */
  lastName?: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  createdAt: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  updatedAt: string;
  /** When an operator suspended the developer; absent when none has. */
  suspendedAt?: string;
  /** Why the developer is suspended; absent when they are not. */
  suspensionReason?: string;
  /** The `ETag` of this version, to send as `If-Match` with a change that depends on it. */
  etag: string;
  /** The number of valid tokens that changed. */
  tokens: number;
  /** The number of apps that changed. */
  apps: number;
  /** The number of these apps that were APPROVED, or are again. */
  approvedApps: number;
  /** The number of installations whose `disabledBy` changed. */
  installations: number;
  /** The number of apps whose status was not restored, because they changed in the meantime. */
  skippedApps: number;
  /**
   * The first 100.
   *
   * @maxItems 100
   */
  skipped: {
    /** The app: `app_…`. */
    appId: string;
    /** What happened to the app while its developer was suspended. Later releases may add reasons. */
    reason: 'decided' | 'deleted' | 'transferred' | (string & {});
  }[];
  /** True if the operation was only tried, with `dryRun`; absent if it was done. */
  dryRun?: true;
  /** What the operation would affect. Present with `dryRun`. */
  affected?: Affected;
}
/** The result. With `dryRun`, the result that the operation would have, with the affected objects. */
export interface RevokedTokensOrDryRun {
  /** A TypeID. Its prefix says what it identifies. */
  id: string;
  /** How many tokens were revoked. */
  tokensRevoked: number;
  /** True if the operation was only tried, with `dryRun`; absent if it was done. */
  dryRun?: true;
  /** What the operation would affect. Present with `dryRun`. */
  affected?: Affected;
}
/**
 * The last approved content, if a later revision is current: only its fields that differ from the current content, null where it has no value.
 */
export interface ApprovedDifference {
  /** The revision that was approved. */
  revision: number;
  /** The `ETag` of this revision, to send as `If-Match`, or as the `revision` of a decision. */
  etag: string;
  /**
   * Unique among the apps of the registry, regardless of case. Its first and last grapheme cluster (UAX #29) must be visible.
   */
  name?: string;
  /** The id of an uploaded logo. */
  logoId?: string | null;
  /** How it is shown in a marketplace. */
  listingInfo?: {
    /** A single line. */
    shortDescription?: string | null;
    /** May have several lines. */
    longDescription?: string | null;
    /** `#rgb` or `#rrggbb`. */
    backgroundColor?: string;
  };
  /** The URLs of its sign-in flow; `{}` if it has none. */
  oauthInfo?: {
    /** Where a user starts to sign in. */
    loginUrl?: string | null;
    /** Where the platform sends the user after authorisation. */
    callbackUrl?: string | null;
  };
}
/** An app as operators see it, with its current content. */
export interface OperatorApp {
  /** A TypeID. Its prefix says what it identifies. */
  id: string;
  /**
   * Unique among the apps of the registry, regardless of case. Its first and last grapheme cluster (UAX #29) must be visible.
   */
  name: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  createdAt: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  updatedAt: string;
  /** Where the app is in review. Only an `APPROVED` app is effective. */
  reviewStatus: ReviewStatus;
  /** How many workspaces have the app installed, enabled or not: each has it at most once. */
  installationCount: number;
  /** How it is shown in a marketplace. */
  listingInfo: ListingInfo;
  /** The URLs of its sign-in flow; `{}` if it has none. */
  oauthInfo: OauthInfo;
  /** A PNG of 512 by 512 pixels that never changes. Absent when the app has no logo. */
  logoUrl?: string;
  /** The user id of the developer, as the platform assigned it. */
  developerId: string;
  /** The `ETag` of this revision, to send as `If-Match`, or as the `revision` of a decision. */
  etag: string;
  /** When it was submitted. Present only while it awaits review. */
  submittedAt?: string;
  /** Present while its developer is suspended: the review status that the app returns to when the suspension ends. */
  suspendedStatus?: 'DRAFT' | 'AWAITING_REVIEW' | 'APPROVED' | 'REJECTED';
  /** Whether the current content differs from the approved content. Absent if the app was never approved. */
  changedSinceApproval?: boolean;
  /** When it was deleted; absent if it is not. */
  deletedAt?: string;
  /** Until when a deleted app can be restored. Then it is purged. */
  restorableUntil?: string;
  /** The id of an uploaded logo. */
  logoId?: string;
  /** The number of the content revision. Its `ETag` is required to approve or reject the app. */
  revision: number;
  /** The message of the last rejection or revocation. Present while the app is `REJECTED`. */
  rejectionReason?: string;
  /** The last approved content, where it differs from the current one. `approvedContent` returns all of it. */
  approved?: ApprovedDifference;
  /** Which content a platform may act on. `effectiveContent` returns it. Null unless the app is `APPROVED`. */
  effective: EffectiveSource;
}
/**
 * An app in a list, without its content. Its `etag` begins with its revision, and its `logoUrl` ends with the id of its logo.
 */
export interface AppSummary {
  /** A TypeID. Its prefix says what it identifies. */
  id: string;
  /**
   * Unique among the apps of the registry, regardless of case. Its first and last grapheme cluster (UAX #29) must be visible.
   */
  name: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  createdAt: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  updatedAt: string;
  /** Where the app is in review. Only an `APPROVED` app is effective. */
  reviewStatus: ReviewStatus;
  /** How many workspaces have the app installed, enabled or not: each has it at most once. */
  installationCount: number;
  /** A PNG of 512 by 512 pixels that never changes. Absent when the app has no logo. */
  logoUrl?: string;
  /** The user id of the developer, as the platform assigned it. */
  developerId: string;
  /** The `ETag` of this revision, to send as `If-Match`, or as the `revision` of a decision. */
  etag: string;
  /** When it was submitted. Present only while it awaits review. */
  submittedAt?: string;
  /** Present while its developer is suspended: the review status that the app returns to when the suspension ends. */
  suspendedStatus?: 'DRAFT' | 'AWAITING_REVIEW' | 'APPROVED' | 'REJECTED';
  /** Whether the current content differs from the approved content. Absent if the app was never approved. */
  changedSinceApproval?: boolean;
  /** When it was deleted; absent if it is not. */
  deletedAt?: string;
  /** Until when a deleted app can be restored. Then it is purged. */
  restorableUntil?: string;
  /** Which content a platform may act on. `effectiveContent` returns it. Null unless the app is `APPROVED`. */
  effective: EffectiveSource;
}
/** What `apps.create` sends. */
export interface NewApp {
  /** The user id of the developer, as the platform assigned it. */
  developerId: string;
  /**
   * Unique among the apps of the registry, regardless of case. Its first and last grapheme cluster (UAX #29) must be visible.
   */
  name: string;
  /** The id of an uploaded logo. */
  logoId?: string;
  /** How it is shown in a marketplace. */
  listingInfo?: {
    /** `#rgb` or `#rrggbb`. */
    backgroundColor?: string;
    /** A single line. */
    shortDescription?: string;
    /** May have several lines. */
    longDescription?: string;
  };
  /** The URLs of its sign-in flow; `{}` if it has none. */
  oauthInfo?: {
    /** Where a user starts to sign in. */
    loginUrl?: string;
    /** Where the platform sends the user after authorisation. */
    callbackUrl?: string;
  };
}
/** A finding that a reviewer should check. */
export interface ReviewWarning {
  /**
   * A machine-readable code. Later releases may add codes. `name_resembles`: The name looks like that of an approved app of another developer. `name_mixes_scripts`: The name mixes scripts, such as Latin and Cyrillic. `name_protected`: The name contains, or appears to contain, a protected name that the developer may not use. `host_changed`: The site of the URL has changed since the approval. `host_shared`: An approved app of another developer has a host of the same site. `host_resembles`: The site of the host looks like that of an approved app of another developer. `host_protected`: The host is, or looks like, a protected host or one of its subdomains that the developer may not use. `host_is_ip_address`: The host is an IP address. `host_is_punycode`: The host has characters outside ASCII.
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
  /** A human-readable explanation. */
  detail: string;
  /** The field of the content. */
  field: string;
  /** The app that has a host of the same site, or a similar name or site. */
  otherAppId?: string;
}
/**
 * Shows who is reviewing an app. A claim does not block decisions, and a decision ends an assignment. A token with the scope `portal` never receives it.
 */
export interface ReviewClaim {
  /**
   * `assignment`: the app is assigned to the actor, and to no one else. `presence`: the actor looks at the app. Later releases may add kinds.
   */
  kind: 'assignment' | 'presence' | (string & {});
  /** The actor who claimed it, as in events. */
  actor: string;
  /** The name of the actor, if known. */
  actorName?: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  claimedAt: string;
  /**
   * When the claim ends: 15 minutes after an assignment was last made or renewed, and 1 minute after a presence was.
   */
  expiresAt: string;
}
/** An app as reviewers see it, with what they should check. */
export interface AppWithWarnings {
  /** A TypeID. Its prefix says what it identifies. */
  id: string;
  /**
   * Unique among the apps of the registry, regardless of case. Its first and last grapheme cluster (UAX #29) must be visible.
   */
  name: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  createdAt: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  updatedAt: string;
  /** Where the app is in review. Only an `APPROVED` app is effective. */
  reviewStatus: ReviewStatus;
  /** How many workspaces have the app installed, enabled or not: each has it at most once. */
  installationCount: number;
  /** How it is shown in a marketplace. */
  listingInfo: ListingInfo;
  /** The URLs of its sign-in flow; `{}` if it has none. */
  oauthInfo: OauthInfo;
  /** A PNG of 512 by 512 pixels that never changes. Absent when the app has no logo. */
  logoUrl?: string;
  /** The user id of the developer, as the platform assigned it. */
  developerId: string;
  /** The `ETag` of this revision, to send as `If-Match`, or as the `revision` of a decision. */
  etag: string;
  /** When it was submitted. Present only while it awaits review. */
  submittedAt?: string;
  /** Present while its developer is suspended: the review status that the app returns to when the suspension ends. */
  suspendedStatus?: 'DRAFT' | 'AWAITING_REVIEW' | 'APPROVED' | 'REJECTED';
  /** Whether the current content differs from the approved content. Absent if the app was never approved. */
  changedSinceApproval?: boolean;
  /** When it was deleted; absent if it is not. */
  deletedAt?: string;
  /** Until when a deleted app can be restored. Then it is purged. */
  restorableUntil?: string;
  /** The id of an uploaded logo. */
  logoId?: string;
  /** The number of the content revision. Its `ETag` is required to approve or reject the app. */
  revision: number;
  /** The message of the last rejection or revocation. Present while the app is `REJECTED`. */
  rejectionReason?: string;
  /** The last approved content, where it differs from the current one. `approvedContent` returns all of it. */
  approved?: ApprovedDifference;
  /** Which content a platform may act on. `effectiveContent` returns it. Null unless the app is `APPROVED`. */
  effective: EffectiveSource;
  /** Findings in the current content that a reviewer should check. */
  warnings: ReviewWarning[];
  /**
   * The review steps that the state of the app allows now, if the scopes of the caller allow them.
   *
   * Items: A review step. Later releases may add steps.
   */
  reviewSteps: ('submit' | 'withdraw' | 'approve' | 'reject' | 'reject-change' | 'revoke' | (string & {}))[];
  /** Whom the app is assigned to; absent if it is assigned to no one. */
  claim?: ReviewClaim;
  /** Who looks at the app now, the caller included; absent if no one does. */
  presence?: ReviewClaim[];
}
/** The result. With `dryRun`, the result that the operation would have, with the affected objects. */
export interface OperatorAppOrDryRun {
  /** A TypeID. Its prefix says what it identifies. */
  id: string;
  /**
   * Unique among the apps of the registry, regardless of case. Its first and last grapheme cluster (UAX #29) must be visible.
   */
  name: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  createdAt: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  updatedAt: string;
  /** Where the app is in review. Only an `APPROVED` app is effective. */
  reviewStatus: ReviewStatus;
  /** How many workspaces have the app installed, enabled or not: each has it at most once. */
  installationCount: number;
  /** How it is shown in a marketplace. */
  listingInfo: ListingInfo;
  /** The URLs of its sign-in flow; `{}` if it has none. */
  oauthInfo: OauthInfo;
  /** A PNG of 512 by 512 pixels that never changes. Absent when the app has no logo. */
  logoUrl?: string;
  /** The user id of the developer, as the platform assigned it. */
  developerId: string;
  /** The `ETag` of this revision, to send as `If-Match`, or as the `revision` of a decision. */
  etag: string;
  /** When it was submitted. Present only while it awaits review. */
  submittedAt?: string;
  /** Present while its developer is suspended: the review status that the app returns to when the suspension ends. */
  suspendedStatus?: 'DRAFT' | 'AWAITING_REVIEW' | 'APPROVED' | 'REJECTED';
  /** Whether the current content differs from the approved content. Absent if the app was never approved. */
  changedSinceApproval?: boolean;
  /** When it was deleted; absent if it is not. */
  deletedAt?: string;
  /** Until when a deleted app can be restored. Then it is purged. */
  restorableUntil?: string;
  /** The id of an uploaded logo. */
  logoId?: string;
  /** The number of the content revision. Its `ETag` is required to approve or reject the app. */
  revision: number;
  /** The message of the last rejection or revocation. Present while the app is `REJECTED`. */
  rejectionReason?: string;
  /** The last approved content, where it differs from the current one. `approvedContent` returns all of it. */
  approved?: ApprovedDifference;
  /** Which content a platform may act on. `effectiveContent` returns it. Null unless the app is `APPROVED`. */
  effective: EffectiveSource;
  /** True if the operation was only tried, with `dryRun`; absent if it was done. */
  dryRun?: true;
  /** What the operation would affect. Present with `dryRun`. */
  affected?: Affected;
}
/** What `apps.transfer` sends. */
export interface Transfer {
  /** The user id of the developer, as the platform assigned it. */
  developerId: string;
}
/** The apps of a developer and the decisions about them, each counted up to 100. */
export interface DeveloperCounts {
  /** The apps that belong to the developer, or did when they were deleted. */
  apps: {
    /** Apps that are `DRAFT`. 100 means at least 100. */
    draft: number;
    /** Apps that are `AWAITING_REVIEW`. 100 means at least 100. */
    awaitingReview: number;
    /** Apps that are `APPROVED`. 100 means at least 100. */
    approved: number;
    /** Apps that are `REJECTED`. 100 means at least 100. */
    rejected: number;
    /** Deleted apps that can be restored. 100 means at least 100. */
    deleted: number;
  };
  /**
   * The stored decisions about those apps; with more than 100 apps, only those about the 100 newest and up to 100 deleted ones.
   */
  decisions: {
    /** Approvals of apps and of changes. 100 means at least 100. */
    approved: number;
    /** Rejections of apps. 100 means at least 100. */
    rejected: number;
    /** Rejections of changes. 100 means at least 100. */
    changesRejected: number;
    /** Revocations. 100 means at least 100. */
    revoked: number;
  };
}
/** A decision of a reviewer, without the content that was decided on. */
export interface DecisionSummary {
  /** The id of the event of the decision. */
  id: string;
  /** The review step. Later releases may add steps. */
  step: 'approve' | 'reject' | 'reject-change' | 'revoke' | (string & {});
  /** The revision that was decided on. */
  revision: number;
  /** The `ETag` of this revision, to send as `If-Match`, or as the `revision` of a decision. */
  etag: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  decidedAt: string;
  /** The actor who decided, as in events. */
  actor: string;
  /** The name of the actor, if known. */
  actorName?: string;
  /**
   * The reason code: one of `broken_address`, `impersonation`, `incomplete`, `misleading`, `other`, `spam`, or a code of your own.
   */
  code?: string;
  /** The message for the developer. */
  message?: string;
  /** Messages for the developer about individual fields. */
  fields?: {
    /** A JSON Pointer (RFC 6901) to the field, such as `/oauthInfo/callbackUrl`. */
    pointer: string;
    /** The message for the developer about this field. */
    message: string;
  }[];
  /** An internal note for reviewers. It is not in events, and tokens with the scope `portal` never receive it. */
  note?: string;
}
/** An app in the review queue, with all that a review needs. */
export interface QueueItem {
  /**
   * What to decide on: `submission`, a submitted app; `change`, changed content of an approved app; `transfer`, the new developer of an approved app, with its change, if any. Later releases may add kinds.
   */
  kind: 'submission' | 'change' | 'transfer' | (string & {});
  /** The time of the submission, of the oldest undecided change, or of the transfer. */
  waitingSince: string;
  /** When the item is late: `waitingSince` plus the hours of the setting `reviewTargetHours`. */
  dueAt: string;
  /**
   * The fields that differ from the approved content; if there is none, the fields with a value.
   *
   * Items: A field of the content.
   */
  fields: string[];
  /** Findings in the current content that a reviewer should check. */
  warnings: ReviewWarning[];
  /** Whom the app is assigned to; absent if it is assigned to no one. */
  claim?: ReviewClaim;
  /** Who looks at the app now, the caller included; absent if no one does. */
  presence?: ReviewClaim[];
  /** The developer of the app. After a transfer, the new one. */
  developer: OperatorDeveloper;
  /** The app to decide on, with its approved and its current content. */
  app: OperatorApp;
  /** What became of the apps of the developer, each counted up to 100. */
  developerCounts: DeveloperCounts;
  /** The changes since the last decision; absent if no decision is stored. */
  sinceLastDecision?: {
    /** The last decision. */
    decision: DecisionSummary;
    /**
     * The fields that differ from the content last decided on; absent if they are the `fields` of the item.
     *
     * Items: A field of the content.
     */
    fields?: string[];
    /** Whether the content is the same as at the last decision. */
    isUnchanged: boolean;
  };
  /**
   * The review steps that the state of the app allows now, if the scopes of the caller allow them.
   *
   * Items: A review step. Later releases may add steps.
   */
  reviewSteps: ('submit' | 'withdraw' | 'approve' | 'reject' | 'reject-change' | 'revoke' | (string & {}))[];
}
/** An app in the review queue, without its content. */
export interface QueueItemSummary {
  /**
   * What to decide on: `submission`, a submitted app; `change`, changed content of an approved app; `transfer`, the new developer of an approved app, with its change, if any. Later releases may add kinds.
   */
  kind: 'submission' | 'change' | 'transfer' | (string & {});
  /** The time of the submission, of the oldest undecided change, or of the transfer. */
  waitingSince: string;
  /** When the item is late: `waitingSince` plus the hours of the setting `reviewTargetHours`. */
  dueAt: string;
  /**
   * The fields that differ from the approved content; if there is none, the fields with a value.
   *
   * Items: A field of the content.
   */
  fields: string[];
  /** Findings in the current content that a reviewer should check. */
  warnings: ReviewWarning[];
  /** Whom the app is assigned to; absent if it is assigned to no one. */
  claim?: ReviewClaim;
  /** Who looks at the app now, the caller included; absent if no one does. */
  presence?: ReviewClaim[];
  /** The developer of the app. After a transfer, the new one. */
  developer: OperatorDeveloper;
  /** The app to decide on, with its approved and its current content. */
  app: AppSummary;
}
/** How many items of each sort are in the review queue. Each count has `total`, or else `estimatedTotal`. */
export interface ReviewQueueCounts {
  /** All items. */
  all: {
    /** The number, if it is known. */
    total?: number;
    /** Instead of `total`, where not everything was counted: an estimate. */
    estimatedTotal?: number;
  };
  /** Submissions of apps that were never approved, as `isNew=true` lists them. */
  new: {
    /** The number, if it is known. */
    total?: number;
    /** Instead of `total`, where not everything was counted: an estimate. */
    estimatedTotal?: number;
  };
  /** Changes of approved apps, as `kind=change` lists them. */
  changes: {
    /** The number, if it is known. */
    total?: number;
    /** Instead of `total`, where not everything was counted: an estimate. */
    estimatedTotal?: number;
  };
  /** Transfers of approved apps, as `kind=transfer` lists them. */
  transfers: {
    /** The number, if it is known. */
    total?: number;
    /** Instead of `total`, where not everything was counted: an estimate. */
    estimatedTotal?: number;
  };
  /** Items that are assigned to the caller, as `claimedBy=me` lists them. */
  mine: {
    /** The number, if it is known. */
    total?: number;
    /** Instead of `total`, where not everything was counted: an estimate. */
    estimatedTotal?: number;
  };
  /** Items that have waited longer than the setting `reviewTargetHours` allows. */
  late: {
    /** The number, if it is known. */
    total?: number;
    /** Instead of `total`, where not everything was counted: an estimate. */
    estimatedTotal?: number;
  };
  /**
   * Items with warnings, as `hasWarnings=true` lists them. Above 500 items in the queue, an estimate by the 500 that have waited longest. At most a minute old, where comparing is slow.
   */
  risk: {
    /** The number, if it is known. */
    total?: number;
    /** Instead of `total`, where not everything was counted: an estimate. */
    estimatedTotal?: number;
  };
}
/** What `apps.approve` sends. */
export interface Approval {
  /**
   * The `etag` of the app or the revision that was reviewed, with or without its quotes. Later changes are not decided on.
   */
  revision: string;
  /** The message for the developer. */
  message?: string;
  /**
   * The reason code: one of `broken_address`, `impersonation`, `incomplete`, `misleading`, `other`, `spam`, or a code of your own.
   */
  code?: string;
  /**
   * Messages for the developer about individual fields.
   *
   * @minItems 1
   * @maxItems 50
   */
  fields?: {
    /** A JSON Pointer (RFC 6901) to the field. */
    pointer:
      | '/name'
      | '/logoId'
      | '/listingInfo/shortDescription'
      | '/listingInfo/longDescription'
      | '/listingInfo/backgroundColor'
      | '/oauthInfo/loginUrl'
      | '/oauthInfo/callbackUrl';
    /** The message for the developer. */
    message: string;
  }[];
  /** An internal note for reviewers. It is not in events, and tokens with the scope `portal` never receive it. */
  note?: string;
}
/** What `apps.reject` and `apps.rejectChange` sends. */
export interface Rejection {
  /**
   * The `etag` of the app or the revision that was reviewed, with or without its quotes. Later changes are not decided on.
   */
  revision: string;
  /** The message for the developer. */
  message: string;
  /**
   * The reason code: one of `broken_address`, `impersonation`, `incomplete`, `misleading`, `other`, `spam`, or a code of your own.
   */
  code?: string;
  /**
   * Messages for the developer about individual fields.
   *
   * @minItems 1
   * @maxItems 50
   */
  fields?: {
    /** A JSON Pointer (RFC 6901) to the field. */
    pointer:
      | '/name'
      | '/logoId'
      | '/listingInfo/shortDescription'
      | '/listingInfo/longDescription'
      | '/listingInfo/backgroundColor'
      | '/oauthInfo/loginUrl'
      | '/oauthInfo/callbackUrl';
    /** The message for the developer. */
    message: string;
  }[];
  /** An internal note for reviewers. It is not in events, and tokens with the scope `portal` never receive it. */
  note?: string;
}
/** What `apps.revoke` sends. */
export interface Revocation {
  /** The message for the developer. */
  message: string;
  /**
   * The reason code: one of `broken_address`, `impersonation`, `incomplete`, `misleading`, `other`, `spam`, or a code of your own.
   */
  code?: string;
  /**
   * Messages for the developer about individual fields.
   *
   * @minItems 1
   * @maxItems 50
   */
  fields?: {
    /** A JSON Pointer (RFC 6901) to the field. */
    pointer:
      | '/name'
      | '/logoId'
      | '/listingInfo/shortDescription'
      | '/listingInfo/longDescription'
      | '/listingInfo/backgroundColor'
      | '/oauthInfo/loginUrl'
      | '/oauthInfo/callbackUrl';
    /** The message for the developer. */
    message: string;
  }[];
  /** An internal note for reviewers. It is not in events, and tokens with the scope `portal` never receive it. */
  note?: string;
  /** Whether to disable all installations until the app is approved again. */
  disableInstallations?: boolean;
}
/** A decision of a reviewer about an app. */
export interface Decision {
  /** The id of the event of the decision. */
  id: string;
  /** The review step. Later releases may add steps. */
  step: 'approve' | 'reject' | 'reject-change' | 'revoke' | (string & {});
  /** The revision that was decided on. */
  revision: number;
  /** The `ETag` of this revision, to send as `If-Match`, or as the `revision` of a decision. */
  etag: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  decidedAt: string;
  /** The actor who decided, as in events. */
  actor: string;
  /** The name of the actor, if known. */
  actorName?: string;
  /**
   * The reason code: one of `broken_address`, `impersonation`, `incomplete`, `misleading`, `other`, `spam`, or a code of your own.
   */
  code?: string;
  /** The message for the developer. */
  message?: string;
  /** Messages for the developer about individual fields. */
  fields?: {
    /** A JSON Pointer (RFC 6901) to the field, such as `/oauthInfo/callbackUrl`. */
    pointer: string;
    /** The message for the developer about this field. */
    message: string;
  }[];
  /** An internal note for reviewers. It is not in events, and tokens with the scope `portal` never receive it. */
  note?: string;
  /** The content that was decided on. */
  content: {
    /**
     * Unique among the apps of the registry, regardless of case. Its first and last grapheme cluster (UAX #29) must be visible.
     */
    name: string;
    /** The id of an uploaded logo. */
    logoId?: string;
    /** How it is shown in a marketplace. */
    listingInfo: ListingInfo;
    /** The URLs of its sign-in flow; `{}` if it has none. */
    oauthInfo: OauthInfo;
  };
}
/** What `apps.claim` sends. */
export interface NewClaim {
  /**
   * `assignment` (default) assigns the app to the caller. `presence` shows that the caller looks at it, and is never refused because of another claim.
   */
  kind?: 'assignment' | 'presence';
  /** Whether to take over the assignment of another reviewer. Not allowed with a presence. */
  takeOver?: boolean;
}
/** The end of a claim. */
export interface EndedClaim {
  /** The app: `app_…`. */
  appId: string;
  /** Whether the caller had claimed the app. */
  wasClaimed: boolean;
}
/** An internal note of reviewers about an app. */
export interface ReviewNote {
  /** A TypeID. Its prefix says what it identifies. */
  id: string;
  /** What the reviewers should know. It is not in events. */
  text: string;
  /** The actor who wrote it, as in events. */
  actor: string;
  /** The name of the actor, if known. */
  actorName?: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  createdAt: string;
  /** The `ETag` of this version, to send as `If-Match` with a change that depends on it. */
  etag: string;
}
/** What `apps.createNote` sends. */
export interface NewReviewNote {
  /** What the reviewers should know. It is not in events. */
  text: string;
}
/** A reusable text for the reason of a decision. */
export interface ReasonTemplate {
  /** A TypeID. Its prefix says what it identifies. */
  id: string;
  /** The title that reviewers select it by. */
  title: string;
  /** The message for the developer. */
  message: string;
  /**
   * The reason code: one of `broken_address`, `impersonation`, `incomplete`, `misleading`, `other`, `spam`, or a code of your own.
   */
  code?: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  createdAt: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  updatedAt: string;
  /** The `ETag` of this version, to send as `If-Match` with a change that depends on it. */
  etag: string;
}
/** What `reasonTemplates.create` sends. */
export interface NewReasonTemplate {
  /** The title that reviewers select it by. */
  title: string;
  /** The message for the developer. */
  message: string;
  /**
   * The reason code: one of `broken_address`, `impersonation`, `incomplete`, `misleading`, `other`, `spam`, or a code of your own.
   */
  code?: string;
}
/** What `reasonTemplates.update` sends. */
export interface ReasonTemplateUpdate {
  /** The title that reviewers select it by. */
  title?: string;
  /** The message for the developer. */
  message?: string;
  /**
   * The reason code: one of `broken_address`, `impersonation`, `incomplete`, `misleading`, `other`, `spam`, or a code of your own.
   */
  code?: string | null;
}
/** A name or a host reserved for some developers. */
export interface ProtectedName {
  /** A TypeID. Its prefix says what it identifies. */
  id: string;
  /** The name, which is compared as look-alikes are. Absent: a host is protected. */
  name?: string;
  /** The host, which is protected with its subdomains. */
  host?: string;
  /**
   * The developers who may use it.
   *
   * @maxItems 100
   */
  developerIds: string[];
  /** Shown with the warning. */
  note?: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  createdAt: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  updatedAt: string;
  /** The `ETag` of this version, to send as `If-Match` with a change that depends on it. */
  etag: string;
}
/** What `protectedNames.create` sends. */
export interface NewProtectedName {
  /** The name to protect. Either it or `host` is required. */
  name?: string;
  /** The host, which is protected with its subdomains. */
  host?: string;
  /**
   * The developers who may use it.
   *
   * @maxItems 100
   */
  developerIds?: string[];
  /** Shown with the warning. */
  note?: string;
}
/** What `protectedNames.update` sends. */
export interface ProtectedNameUpdate {
  /** The name to protect. It replaces a host. */
  name?: string;
  /** The host, which is protected with its subdomains. */
  host?: string;
  /**
   * The developers who may use it.
   *
   * @maxItems 100
   */
  developerIds?: string[];
  /** Shown with the warning. */
  note?: string | null;
}
/** A revision of an app in a list, without its content. */
export interface ListedRevision {
  /** The revision number. */
  revision: number;
  /**
   * The `ETag` of this revision. Absent if the event that created it is archived, unless it is the current or the approved revision.
   */
  etag?: string;
  /** Absent if the event that created it is archived or was never in this registry. */
  createdAt?: string;
  /** The actor who created it. Absent if the event that created it is archived or was never in this registry. */
  actor?: string;
  /** The event that created it. Absent if the event that created it is archived or was never in this registry. */
  eventId?: string;
  /** Whether it is the current revision. */
  isCurrent: boolean;
  /** Whether it is the last approved revision. */
  isApproved: boolean;
  /**
   * The fields that it changed; later releases may add fields. Absent for the first revision. Absent if the event that created it is archived or was never in this registry.
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
/** One revision of an app's content, as its developer edited it. */
export interface AppRevision {
  /** The revision number. */
  revision: number;
  /**
   * The `ETag` of this revision. Absent if the event that created it is archived, unless it is the current or the approved revision.
   */
  etag?: string;
  /** Absent if the event that created it is archived or was never in this registry. */
  createdAt?: string;
  /** The actor who created it. Absent if the event that created it is archived or was never in this registry. */
  actor?: string;
  /** The event that created it. Absent if the event that created it is archived or was never in this registry. */
  eventId?: string;
  /** Whether it is the current revision. */
  isCurrent: boolean;
  /** Whether it is the last approved revision. */
  isApproved: boolean;
  /** When the next revision was created. */
  replacedAt?: string;
  /**
   * Unique among the apps of the registry, regardless of case. Its first and last grapheme cluster (UAX #29) must be visible.
   */
  name: string;
  /** The id of an uploaded logo. */
  logoId?: string;
  /** How it is shown in a marketplace. */
  listingInfo: ListingInfo;
  /** The URLs of its sign-in flow; `{}` if it has none. */
  oauthInfo: OauthInfo;
}
/** Exactly one of `toApproved`, `toRevision` and `toTime` is required. */
export interface Revert {
  /** Restore the last approved content. */
  toApproved?: true;
  /** Restore the content of this revision. */
  toRevision?: number;
  /** Restore the content at this time. */
  toTime?: string;
  /** The reason, recorded in the event. */
  reason?: string;
}
/** The installation of an app in a workspace, as operators see it. */
export interface OperatorInstallation {
  /** A TypeID. Its prefix says what it identifies. */
  id: string;
  /** The app: `app_…`. */
  appId: string;
  /** The workspace, as the platform assigned its id. */
  workspaceId: string;
  /** The user who installed the app. */
  userId: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  createdAt: string;
  /** Whether the workspace can use the app. */
  enabled: boolean;
  /**
   * Why it is disabled; absent while it is enabled. `workspace`: by its workspace or an operator. `revocation`: the approval of its app was revoked, until the next approval. `suspension`: the developer of its app is suspended. Later releases may add causes. It is enabled when no cause is left.
   */
  disabledBy?: ('workspace' | 'revocation' | 'suspension' | (string & {}))[];
  /** When it was created, or last enabled or disabled. */
  updatedAt: string;
  /** The `ETag` of this version, to send as `If-Match` with a change that depends on it. */
  etag: string;
}
/** What `installations.create` sends. */
export interface NewInstallation {
  /** The app: `app_…`. */
  appId: string;
  /** The workspace, as the platform assigned its id. */
  workspaceId: string;
  /** The user who installs the app. */
  userId: string;
}
/** The result. With `dryRun`, the result that the operation would have, with the affected objects. */
export interface OperatorInstallationOrDryRun {
  /** A TypeID. Its prefix says what it identifies. */
  id: string;
  /** The app: `app_…`. */
  appId: string;
  /** The workspace, as the platform assigned its id. */
  workspaceId: string;
  /** The user who installed the app. */
  userId: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  createdAt: string;
  /** Whether the workspace can use the app. */
  enabled: boolean;
  /**
   * Why it is disabled; absent while it is enabled. `workspace`: by its workspace or an operator. `revocation`: the approval of its app was revoked, until the next approval. `suspension`: the developer of its app is suspended. Later releases may add causes. It is enabled when no cause is left.
   */
  disabledBy?: ('workspace' | 'revocation' | 'suspension' | (string & {}))[];
  /** When it was created, or last enabled or disabled. */
  updatedAt: string;
  /** The `ETag` of this version, to send as `If-Match` with a change that depends on it. */
  etag: string;
  /** True if the operation was only tried, with `dryRun`; absent if it was done. */
  dryRun?: true;
  /** What the operation would affect. Present with `dryRun`. */
  affected?: Affected;
}
/** The result. With `dryRun`, the result that the operation would have, with the affected objects. */
export interface DeletedInstallationsOrDryRun {
  /** The workspace, as the platform assigned its id. */
  workspaceId: string;
  /** How many installations were deleted. */
  installationsDeleted: number;
  /** True if the operation was only tried, with `dryRun`; absent if it was done. */
  dryRun?: true;
  /** What the operation would affect. Present with `dryRun`. */
  affected?: Affected;
}
/** A logo that apps of its developer can use. */
export interface Logo {
  /** A TypeID. Its prefix says what it identifies. */
  id: string;
  /** The user id of the developer, as the platform assigned it. */
  developerId: string;
  /** The image: a PNG of 512 by 512 pixels that never changes. */
  logoUrl: string;
  /** When it was blocked: since then its image returns 404, and no app can set it. */
  blockedAt?: string;
  /** Why it was blocked; absent when it is not. */
  blockedReason?: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  createdAt: string;
  /** When it was uploaded, or last blocked or unblocked. */
  updatedAt: string;
  /** The `ETag` of this version, to send as `If-Match` with a change that depends on it. */
  etag: string;
}
/** What `logos.create` sends. */
export interface NewLogo {
  /** The user id of the developer, as the platform assigned it. */
  developerId: string;
  /** A PNG, JPEG, WebP or SVG image, of at most 1 MiB, and of at most 4,096 pixels a side unless it is an SVG. */
  image: Blob;
}
/** What `logos.block` sends. */
export interface LogoBlock {
  /** Why it is blocked. The logo and the event show it. */
  reason: string;
}
/** A token in a list, without the token itself. */
export interface ListedAccessToken {
  /** A TypeID. Its prefix says what it identifies. */
  id: string;
  /** Which operations the token is good for. */
  kind: 'developer' | 'platform' | 'operator';
  /** The user id of the developer, as the platform assigned it. */
  developerId?: string;
  /**
   * For operator tokens: `read` reads, `portal` acts for developers, `review` decides reviews, `install` manages installations and nothing else, `admin` does everything. Every scope but `install` includes `read`.
   *
   * @minItems 1
   */
  scopes?: ('read' | 'portal' | 'review' | 'install' | 'admin')[];
  /** For people. It does not have to be unique. */
  name?: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  createdAt: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  expiresAt: string;
  /** Its quota of updates. Absent: the default of the server; 0: no limit. */
  updatesPerMinute?: number;
  /** Its quota of reads. Absent: the default of the server; 0: no limit. */
  readsPerMinute?: number;
  /** Its quota of requests to the operator API. Absent: the default of the server; 0: no limit. */
  requestsPerMinute?: number;
  /** A UTC time with milliseconds, ending in `Z`. */
  revokedAt?: string;
  /** The token that replaces it, if it was rotated. Until `expiresAt`, both are valid. */
  replacedBy?: string;
  /** When it was created, rotated or revoked, whichever was last. */
  updatedAt: string;
  /** The `ETag` of this version, to send as `If-Match` with a change that depends on it. */
  etag: string;
  /** The start of the hour of its last use, or its creation if that is later. Absent if no use is recorded. */
  lastUsedAt?: string;
  /** Whether requests with it are accepted now. */
  status: 'active' | 'expired' | 'revoked';
  /** Present while its developer is suspended; the token is blocked until the suspension ends. */
  suspended?: true;
}
/** What `tokens.create` sends. */
export interface NewAccessToken {
  /** Which operations the token is good for. */
  kind: 'developer' | 'platform' | 'operator';
  /** The user id of the developer, as the platform assigned it. */
  developerId?: string;
  /**
   * For operator tokens: `read` reads, `portal` acts for developers, `review` decides reviews, `install` manages installations and nothing else, `admin` does everything. Every scope but `install` includes `read`.
   *
   * @minItems 1
   */
  scopes?: ('read' | 'portal' | 'review' | 'install' | 'admin')[];
  /** For people. It does not have to be unique. */
  name?: string;
  /** The lifetime in seconds. Absent: 90 days. */
  expiresIn?: number;
  /** Its quota of updates. Absent: the default of the server; 0: no limit. */
  updatesPerMinute?: number;
  /** Its quota of reads. Absent: the default of the server; 0: no limit. */
  readsPerMinute?: number;
  /** Its quota of requests to the operator API. Absent: the default of the server; 0: no limit. */
  requestsPerMinute?: number;
}
/** A new token, with the token itself. */
export interface AccessTokenWithSecret {
  /** A TypeID. Its prefix says what it identifies. */
  id: string;
  /** Which operations the token is good for. */
  kind: 'developer' | 'platform' | 'operator';
  /** The user id of the developer, as the platform assigned it. */
  developerId?: string;
  /**
   * For operator tokens: `read` reads, `portal` acts for developers, `review` decides reviews, `install` manages installations and nothing else, `admin` does everything. Every scope but `install` includes `read`.
   *
   * @minItems 1
   */
  scopes?: ('read' | 'portal' | 'review' | 'install' | 'admin')[];
  /** For people. It does not have to be unique. */
  name?: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  createdAt: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  expiresAt: string;
  /** Its quota of updates. Absent: the default of the server; 0: no limit. */
  updatesPerMinute?: number;
  /** Its quota of reads. Absent: the default of the server; 0: no limit. */
  readsPerMinute?: number;
  /** Its quota of requests to the operator API. Absent: the default of the server; 0: no limit. */
  requestsPerMinute?: number;
  /** A UTC time with milliseconds, ending in `Z`. */
  revokedAt?: string;
  /** The token that replaces it, if it was rotated. Until `expiresAt`, both are valid. */
  replacedBy?: string;
  /** When it was created, rotated or revoked, whichever was last. */
  updatedAt: string;
  /** The `ETag` of this version, to send as `If-Match` with a change that depends on it. */
  etag: string;
  /** The start of the hour of its last use, or its creation if that is later. Absent if no use is recorded. */
  lastUsedAt?: string;
  /** Whether requests with it are accepted now. */
  status: 'active' | 'expired' | 'revoked';
  /** Present while its developer is suspended; the token is blocked until the suspension ends. */
  suspended?: true;
  /** Shown only once, and never stored. */
  token: string;
}
/** How far this page of a search got. The next page continues from there. */
export interface Searched {
  /** The number of events that this page read. */
  events: number;
  /** The last event read; absent if there was none. */
  until?: {
    /** A TypeID. Its prefix says what it identifies. */
    id: string;
    /** A UTC time with milliseconds, ending in `Z`. */
    timestamp: string;
  };
}
/**
 * The numbers of the archives that match `since`, whose events the search did not read. These events are only in the archive files.
 */
export interface ArchivedEvents {
  /** The number of the first archive. */
  firstArchive: number;
  /** The number of the last archive. */
  lastArchive: number;
  /** The last event of the last archive. */
  lastEventId: string;
  /** The time of the latest event in these archives. */
  lastTimestamp: string;
}
/** What `tokens.rotate` sends. */
export interface TokenRotation {
  /**
   * How long the old token stays valid, in seconds; 0 ends it immediately. Never longer than it would be anyway. Absent: 24 hours.
   */
  overlap?: number;
}
/** The token that replaces another one: the only response with its secret. */
export interface RotatedAccessToken {
  /** A TypeID. Its prefix says what it identifies. */
  id: string;
  /** Which operations the token is good for. */
  kind: 'developer' | 'platform' | 'operator';
  /** The user id of the developer, as the platform assigned it. */
  developerId?: string;
  /**
   * For operator tokens: `read` reads, `portal` acts for developers, `review` decides reviews, `install` manages installations and nothing else, `admin` does everything. Every scope but `install` includes `read`.
   *
   * @minItems 1
   */
  scopes?: ('read' | 'portal' | 'review' | 'install' | 'admin')[];
  /** For people. It does not have to be unique. */
  name?: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  createdAt: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  expiresAt: string;
  /** Its quota of updates. Absent: the default of the server; 0: no limit. */
  updatesPerMinute?: number;
  /** Its quota of reads. Absent: the default of the server; 0: no limit. */
  readsPerMinute?: number;
  /** Its quota of requests to the operator API. Absent: the default of the server; 0: no limit. */
  requestsPerMinute?: number;
  /** A UTC time with milliseconds, ending in `Z`. */
  revokedAt?: string;
  /** The token that replaces it, if it was rotated. Until `expiresAt`, both are valid. */
  replacedBy?: string;
  /** When it was created, rotated or revoked, whichever was last. */
  updatedAt: string;
  /** The `ETag` of this version, to send as `If-Match` with a change that depends on it. */
  etag: string;
  /** The start of the hour of its last use, or its creation if that is later. Absent if no use is recorded. */
  lastUsedAt?: string;
  /** Whether requests with it are accepted now. */
  status: 'active' | 'expired' | 'revoked';
  /** Present while its developer is suspended; the token is blocked until the suspension ends. */
  suspended?: true;
  /** Shown only once, and never stored. */
  token: string;
  /** The old token, and the time until which it is still valid. */
  replaces: {
    /** A TypeID. Its prefix says what it identifies. */
    id: string;
    /** A UTC time with milliseconds, ending in `Z`. */
    expiresAt: string;
  };
}
/** The result. With `dryRun`, the result that the operation would have, with the affected objects. */
export interface AccessTokenOrDryRun {
  /** A TypeID. Its prefix says what it identifies. */
  id: string;
  /** Which operations the token is good for. */
  kind: 'developer' | 'platform' | 'operator';
  /** The user id of the developer, as the platform assigned it. */
  developerId?: string;
  /**
   * For operator tokens: `read` reads, `portal` acts for developers, `review` decides reviews, `install` manages installations and nothing else, `admin` does everything. Every scope but `install` includes `read`.
   *
   * @minItems 1
   */
  scopes?: ('read' | 'portal' | 'review' | 'install' | 'admin')[];
  /** For people. It does not have to be unique. */
  name?: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  createdAt: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  expiresAt: string;
  /** Its quota of updates. Absent: the default of the server; 0: no limit. */
  updatesPerMinute?: number;
  /** Its quota of reads. Absent: the default of the server; 0: no limit. */
  readsPerMinute?: number;
  /** Its quota of requests to the operator API. Absent: the default of the server; 0: no limit. */
  requestsPerMinute?: number;
  /** A UTC time with milliseconds, ending in `Z`. */
  revokedAt?: string;
  /** The token that replaces it, if it was rotated. Until `expiresAt`, both are valid. */
  replacedBy?: string;
  /** When it was created, rotated or revoked, whichever was last. */
  updatedAt: string;
  /** The `ETag` of this version, to send as `If-Match` with a change that depends on it. */
  etag: string;
  /** The start of the hour of its last use, or its creation if that is later. Absent if no use is recorded. */
  lastUsedAt?: string;
  /** Whether requests with it are accepted now. */
  status: 'active' | 'expired' | 'revoked';
  /** Present while its developer is suspended; the token is blocked until the suspension ends. */
  suspended?: true;
  /** True if the operation was only tried, with `dryRun`; absent if it was done. */
  dryRun?: true;
  /** What the operation would affect. Present with `dryRun`. */
  affected?: Affected;
}
/** The next events of the feed. */
export interface EventFeedPage {
  /** In the order in which the changes were made. */
  items: AppRegistryEvent[];
  /**
   * Where to continue. Always present, even without items, and valid with other filters. The feed is read to its end when this is the cursor of the request.
   */
  nextCursor: string;
  /** An opaque cursor, copied unchanged from an earlier page. */
  prevCursor?: string;
}
/** One change, without its values and reason. */
export interface EventSummary {
  /** A TypeID. Its prefix says what it identifies. */
  id: string;
  /** Later releases may add types. */
  type: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  timestamp: string;
  /**
   * Who made the change: the id of a token; `oidc:` and the subject in the tokens of an identity provider (`oidc:sha256:` and its hash, if it may identify a person); `command-line:` and the given name or `host/user`; or `maintenance` for automatic maintenance.
   */
  actor: string;
  /**
   * The name of a token or its developer, of a person signed in with an identity provider, or of the person who ran a command.
   */
  actorName?: string;
  /** The `X-Request-Id` of the request that made the change, if any. */
  requestId?: string;
  /** The app that the change concerns, if any. */
  appId?: string;
  /** The id of the changed object. */
  subjectId: string;
}
/** A webhook that receives events, without its secret. */
export interface Webhook {
  /** A TypeID. Its prefix says what it identifies. */
  id: string;
  /**
   * The URL that receives events by POST. It may contain a secret: anyone who knows it may be able to send requests to it.
   */
  url: string;
  /** For people. It does not have to be unique. */
  name?: string;
  /** The event types that it receives. Absent: all types. */
  types?: string[];
  /**
   * Whether it receives only events that carry `effective`: changes of what a platform may act on. Otherwise it receives every event of its types.
   */
  effectiveOnly: boolean;
  /**
   * Whether events are sent in batches: each request has an array of 1 to 100 events of one app in order, up to 1 MiB. Otherwise each request has one event.
   */
  batch: boolean;
  /** The maximum number of concurrent requests from each server process. Absent: 100. */
  requestsAtOnce?: number;
  /** Whether events are sent to it. */
  enabled: boolean;
  /** Why the registry disabled it automatically. */
  disabledReason?: string;
  /** When deliveries started to fail; absent if the last one succeeded. */
  failingSince?: string;
  /** The time until which the previous secret also signs. */
  previousSecretUntil?: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  createdAt: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  updatedAt: string;
  /** The `ETag` of this version, to send as `If-Match` with a change that depends on it. */
  etag: string;
}
/** What `webhooks.create` sends. */
export interface NewWebhook {
  /**
   * The URL that receives events by POST. It may contain a secret: anyone who knows it may be able to send requests to it.
   */
  url: string;
  /** For people. It does not have to be unique. */
  name?: string;
  /**
   * The event types that it receives. Absent: all types.
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
    | 'app.submitted'
    | 'app.withdrawn'
    | 'app.approved'
    | 'app.rejected'
    | 'app.revoked'
    | 'app.change_approved'
    | 'app.change_rejected'
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
    | 'token.created'
    | 'token.revoked'
    | 'webhook.created'
    | 'webhook.updated'
    | 'webhook.deleted'
    | 'protected_name.created'
    | 'protected_name.updated'
    | 'protected_name.deleted'
    | 'reason_template.created'
    | 'reason_template.updated'
    | 'reason_template.deleted'
    | 'settings.updated'
    | 'webhook.tested'
  )[];
  /**
   * Whether it receives only events that carry `effective`: changes of what a platform may act on. Otherwise it receives every event of its types.
   */
  effectiveOnly?: boolean;
  /**
   * Whether events are sent in batches: each request has an array of 1 to 100 events of one app in order, up to 1 MiB. Otherwise each request has one event.
   */
  batch?: boolean;
  /** The maximum number of concurrent requests from each server process. Absent: 100. */
  requestsAtOnce?: number;
}
/** A new webhook, or one with a new secret. */
export interface WebhookWithSecret {
  /** A TypeID. Its prefix says what it identifies. */
  id: string;
  /**
   * The URL that receives events by POST. It may contain a secret: anyone who knows it may be able to send requests to it.
   */
  url: string;
  /** For people. It does not have to be unique. */
  name?: string;
  /** The event types that it receives. Absent: all types. */
  types?: string[];
  /**
   * Whether it receives only events that carry `effective`: changes of what a platform may act on. Otherwise it receives every event of its types.
   */
  effectiveOnly: boolean;
  /**
   * Whether events are sent in batches: each request has an array of 1 to 100 events of one app in order, up to 1 MiB. Otherwise each request has one event.
   */
  batch: boolean;
  /** The maximum number of concurrent requests from each server process. Absent: 100. */
  requestsAtOnce?: number;
  /** Whether events are sent to it. */
  enabled: boolean;
  /** Why the registry disabled it automatically. */
  disabledReason?: string;
  /** When deliveries started to fail; absent if the last one succeeded. */
  failingSince?: string;
  /** The time until which the previous secret also signs. */
  previousSecretUntil?: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  createdAt: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  updatedAt: string;
  /** The `ETag` of this version, to send as `If-Match` with a change that depends on it. */
  etag: string;
  /** The secret that signs its requests (Standard Webhooks). Shown only once. */
  secret: string;
}
/** What `webhooks.update` sends. */
export interface WebhookUpdate {
  /**
   * The URL that receives events by POST. It may contain a secret: anyone who knows it may be able to send requests to it.
   */
  url?: string;
  /** For people. It does not have to be unique. */
  name?: string | null;
  /**
   * The event types that it receives. Absent: all types.
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
        | 'app.submitted'
        | 'app.withdrawn'
        | 'app.approved'
        | 'app.rejected'
        | 'app.revoked'
        | 'app.change_approved'
        | 'app.change_rejected'
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
        | 'token.created'
        | 'token.revoked'
        | 'webhook.created'
        | 'webhook.updated'
        | 'webhook.deleted'
        | 'protected_name.created'
        | 'protected_name.updated'
        | 'protected_name.deleted'
        | 'reason_template.created'
        | 'reason_template.updated'
        | 'reason_template.deleted'
        | 'settings.updated'
        | 'webhook.tested'
      )[]
    | null;
  /**
   * Whether it receives only events that carry `effective`: changes of what a platform may act on. Otherwise it receives every event of its types.
   */
  effectiveOnly?: boolean;
  /**
   * Whether events are sent in batches: each request has an array of 1 to 100 events of one app in order, up to 1 MiB. Otherwise each request has one event.
   */
  batch?: boolean;
  /** The maximum number of concurrent requests from each server process. Absent: 100. */
  requestsAtOnce?: number | null;
}
/** The response to the last attempt, or why there was none. */
export interface DeliveryResponse {
  /** The HTTP status. Absent if there was no response. */
  status?: number;
  /** The beginning of the body. Without a status, the reason why there was no response. */
  body?: string;
}
/** The delivery of one event to one webhook, and its outcome. */
export interface Delivery {
  /** A TypeID. Its prefix says what it identifies. */
  id: string;
  /** The webhook: `webhook_…`. */
  webhookId: string;
  /** The event: `event_…`. */
  eventId: string;
  /** The type of the event, such as `app.approved`. */
  eventType: string;
  /** `pending`: waiting for an attempt. `failed`: its last attempt failed. */
  state: 'pending' | 'delivered' | 'failed';
  /** The number of attempts since it was queued or redelivered. */
  attempts: number;
  /** A UTC time with milliseconds, ending in `Z`. */
  createdAt: string;
  /** When it was queued, redelivered, attempted or finished, whichever was last. */
  updatedAt: string;
  /** The `ETag` of this version, to send as `If-Match` with a change that depends on it. */
  etag: string;
  /** The earliest time of the next attempt of a pending delivery, which also waits for the deliveries ahead of it. */
  nextAttemptAt?: string;
  /** The failed delivery ahead of a pending one, which is retried first. */
  waitsFor?: {
    /** A TypeID. Its prefix says what it identifies. */
    id: string;
    /** The type of the event, such as `app.approved`. */
    eventType: string;
    /** How often it has failed. */
    attempts: number;
    /** A UTC time with milliseconds, ending in `Z`. */
    nextAttemptAt: string;
  };
  /** The time of the last attempt. */
  attemptedAt?: string;
  /** When it was delivered, or finally failed. */
  finishedAt?: string;
  /** The response to the last attempt, or why there was none. */
  response?: DeliveryResponse;
}
/** The failed deliveries that others of a webhook wait for. */
export interface WebhookBacklog {
  /** The webhook: `webhook_…`. */
  webhookId: string;
  /** The failed deliveries that are retried before all later ones of their queue, oldest first. */
  blocked: {
    /** The failed delivery. */
    delivery: Delivery;
    /** The number of deliveries that wait for it, counted up to 1,000. */
    waiting: number;
  }[];
  /** Whether `blocked` names every blocked queue. */
  isComplete: boolean;
}
/** What `webhooks.redeliver` sends. */
export interface Redelivery {
  /** Redelivers every delivery queued at this time or later. */
  since: string;
  /** Only deliveries in this state. Absent: all, including delivered ones. */
  state?: 'pending' | 'delivered' | 'failed';
}
/** The number of deliveries that are sent again. */
export interface Redelivered {
  /** The webhook: `webhook_…`. */
  webhookId: string;
  /** How many deliveries are sent again. */
  deliveriesRedelivered: number;
}
/** A header field of a request or response. */
export interface HeaderField {
  /** In lower case. */
  name: string;
  /** As it was sent. */
  value: string;
}
/**
 * The response to the last attempt, or why there was none. If only its beginning is stored, it has only a status and a body.
 */
export interface DeliveryResponseDetails {
  /** The HTTP status. Absent if there was no response. */
  status?: number;
  /** The header fields, up to 2,048 characters. Values that may be secret, such as cookies, are not stored. */
  headers?: HeaderField[];
  /**
   * The body, up to 4 KiB, with control characters replaced. Absent if it is not UTF-8 text. Without a status, the reason why there was no response.
   */
  body?: string;
  /** Whether the body is not UTF-8 text. Such a body is not stored. */
  isBinary?: boolean;
  /** Whether the stored header or body is truncated. */
  isTruncated?: boolean;
}
/** The request of the last attempt. */
export interface DeliveryRequest {
  /** The URL, without user name, password and query, which may be secret. */
  url: string;
  /** The header fields, without the signature, which is not stored. */
  headers: HeaderField[];
  /** The body, recreated from the stored events as this release sends them. */
  body: string;
  /** A UTC time with milliseconds, ending in `Z`. */
  sentAt: string;
  /** The time until the response or failure, in milliseconds. */
  durationMs: number;
}
/**
 * A delivery with the request and the response of its last attempt. Both are absent before the first attempt. Once the first delivery of the same batch is redelivered alone, the request is absent and the response has only a status and the beginning of the body.
 */
export interface DeliveryDetails {
  /** A TypeID. Its prefix says what it identifies. */
  id: string;
  /** The webhook: `webhook_…`. */
  webhookId: string;
  /** The event: `event_…`. */
  eventId: string;
  /** The type of the event, such as `app.approved`. */
  eventType: string;
  /** `pending`: waiting for an attempt. `failed`: its last attempt failed. */
  state: 'pending' | 'delivered' | 'failed';
  /** The number of attempts since it was queued or redelivered. */
  attempts: number;
  /** A UTC time with milliseconds, ending in `Z`. */
  createdAt: string;
  /** When it was queued, redelivered, attempted or finished, whichever was last. */
  updatedAt: string;
  /** The `ETag` of this version, to send as `If-Match` with a change that depends on it. */
  etag: string;
  /** The earliest time of the next attempt of a pending delivery, which also waits for the deliveries ahead of it. */
  nextAttemptAt?: string;
  /** The failed delivery ahead of a pending one, which is retried first. */
  waitsFor?: {
    /** A TypeID. Its prefix says what it identifies. */
    id: string;
    /** The type of the event, such as `app.approved`. */
    eventType: string;
    /** How often it has failed. */
    attempts: number;
    /** A UTC time with milliseconds, ending in `Z`. */
    nextAttemptAt: string;
  };
  /** The time of the last attempt. */
  attemptedAt?: string;
  /** When it was delivered, or finally failed. */
  finishedAt?: string;
  /** The response to the last attempt, or why there was none. */
  response?: DeliveryResponseDetails;
  /** The request of the last attempt. */
  request?: DeliveryRequest;
}
/** What `imports.run` sends. */
export interface ImportFile {
  /** JSON Lines, or with `kind` a CSV file, of at most 4 MiB. */
  file: Blob;
  /** The objects that a CSV file contains. Absent: the file is JSON Lines. */
  kind?: 'developers' | 'logos' | 'apps' | 'installations';
  /** A mapping file of CSV columns to fields, as JSON: `import-mapping.schema.json`. */
  mapping?: string;
  /** The separator in a CSV file. Absent: a comma. */
  delimiter?: ',' | ';' | '|' | '\t';
  /** The UUID of a namespace, in which other ids of a CSV file become UUIDv5. */
  idNamespace?: string;
  /** Whether to do all the work and store nothing. The response then has the errors of the file. */
  dryRun?: 'true' | 'false';
}
/** The outcome for the objects of one kind. */
export interface ImportCounts {
  /** How many the registry did not have. */
  created: number;
  /** How many differed from what was stored. */
  updated: number;
  /** How many were stored like this already. */
  unchanged: number;
}
/** An error of a file, with the lines that have it. */
export interface ImportFileError {
  /** The first line with this error. */
  line: number;
  /** How many lines have it. */
  count: number;
  /** The first ten of these lines. */
  lines: number[];
  /** The column of the field in a CSV file. */
  column?: string;
  /** A JSON Pointer (RFC 6901) into the record. */
  pointer: string;
  /** The code of the error, such as `required`. */
  code: string;
  /** What is wrong and what to do. */
  detail: string;
}
/** What an import has stored, or what a dry run would store. */
export interface ImportResult {
  /** Whether nothing was stored. */
  dryRun: boolean;
  /** The outcome for developers. */
  developers: ImportCounts;
  /** The outcome for logos. */
  logos: ImportCounts;
  /** The outcome for apps, also deleted ones. */
  apps: ImportCounts;
  /** The outcome for installations. */
  installations: ImportCounts;
  /** How many records have errors. */
  recordsRefused: number;
  /** The errors of the file, in the order of their first lines. */
  errors: ImportFileError[];
}
/** The settings shared by all processes on a database. */
export interface Settings {
  /** Whether app names must be unique. */
  uniqueNames: boolean;
  /**
   * What consumers see while a change to an approved app awaits a decision: with `live`, the current content; with `hold`, the approved content.
   */
  changesToApproved: 'live' | 'hold';
  /** Within how many hours reviewers aim to decide on what awaits review: it is late afterwards. From 1 to 8760. */
  reviewTargetHours: number;
  /** The number of the revision. It grows with each change. */
  revision: number;
  /** The `ETag` of this revision, to send as `If-Match`, or as the `revision` of a decision. */
  etag: string;
  /** When a setting was last changed; absent if none was. */
  updatedAt?: string;
}
/** What `settings.update` sends. */
export interface SettingsUpdate {
  /** Whether app names must be unique. */
  uniqueNames?: boolean;
  /**
   * What consumers see while a change to an approved app awaits a decision: with `live`, the current content; with `hold`, the approved content.
   */
  changesToApproved?: 'live' | 'hold';
  /** Within how many hours reviewers aim to decide on what awaits review: it is late afterwards. From 1 to 8760. */
  reviewTargetHours?: number;
}
/** The caller of a request. */
export interface Caller {
  /** The id of a token, or `oidc:` and a subject of an identity provider. */
  actor: string;
  /** The name of the token or the person, if any. */
  actorName?: string;
  /**
   * What the caller may do.
   *
   * Items: The scopes of the caller.
   */
  scopes: ('read' | 'portal' | 'review' | 'install' | 'admin' | (string & {}))[];
  /**
   * What responses leave out for the caller because of the scope `portal`: `claims` and `notes` of reviewers. Absent if nothing is hidden.
   *
   * Items: Later releases may hide more.
   */
  hidden?: ('claims' | 'notes' | (string & {}))[];
}
