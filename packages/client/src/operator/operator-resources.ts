// Written by `npm run client-types` from docs/operator-openapi.json. Do not edit.

import type { ApiPromise } from '../client/api-promise.ts';
import type { RequestOptions } from '../client/options.ts';
import type { AppRegistryEvent } from '../event.ts';
import { EventFollower } from './event-follower.ts';
import type { StreamedEvent } from './event-stream.ts';
import { formOf, type List, type Operations } from './operations.ts';
import type { DryRunOptions, FullView, IfMatchOptions } from './operator-options.ts';
import type {
  AccessTokenOrDryRun,
  AccessTokenWithSecret,
  Actors,
  AppDecisionQuery,
  AppNoteQuery,
  AppQuery,
  AppRevision,
  AppRevisionPageFields,
  AppRevisionQuery,
  Approval,
  AppSummary,
  AppUpdate,
  AppWithWarnings,
  Caller,
  ChangedObject,
  ChangedObjectPageFields,
  Decision,
  DeletedInstallationsOrDryRun,
  Delivery,
  DeliveryDetails,
  DeliveryQuery,
  DeveloperQuery,
  DeveloperRecord,
  DeveloperUpdate,
  EndedClaim,
  ErasedDeveloperOrDryRun,
  EventFeedPage,
  EventFeedQuery,
  EventPageFields,
  EventQuery,
  ImportFile,
  ImportResult,
  InstallationQuery,
  ListedAccessToken,
  ListedRevision,
  Logo,
  LogoBlock,
  LogoQuery,
  NewAccessToken,
  NewApp,
  NewClaim,
  NewDeveloper,
  NewInstallation,
  NewLogo,
  NewProtectedName,
  NewReasonTemplate,
  NewReviewNote,
  NewWebhook,
  OperatorApp,
  OperatorAppOrDryRun,
  OperatorDeveloper,
  OperatorInstallation,
  OperatorInstallationOrDryRun,
  Overview,
  ProtectedName,
  ProtectedNameQuery,
  ProtectedNameUpdate,
  QueueItem,
  QueueItemSummary,
  ReasonTemplate,
  ReasonTemplateQuery,
  ReasonTemplateUpdate,
  Redelivered,
  Redelivery,
  Rejection,
  Revert,
  ReviewClaim,
  ReviewNote,
  ReviewQueueCounts,
  ReviewQueueQuery,
  Revocation,
  RevokedTokensOrDryRun,
  RotatedAccessToken,
  SearchHit,
  SearchQuery,
  Settings,
  SettingsUpdate,
  Statistics,
  StreamEventQuery,
  SuspendedDeveloperOrDryRun,
  Suspension,
  TokenChangeQuery,
  TokenQuery,
  TokenRotation,
  Total,
  Transfer,
  UnsuspendedDeveloperOrDryRun,
  Webhook,
  WebhookBacklog,
  WebhookQuery,
  WebhookUpdate,
  WebhookWithSecret,
} from './types.ts';
/**
 * Counts of the whole registry.
 *
 * @example
 * console.log(await operator.overview.get());
 */
export class OperatorOverview {
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
  }

  /**
   * Get the state of the registry and its daily history. Returns the number of apps in each status and of
   * installations, at most a minute old; what awaits review now; and the counts of each of the last 90 days. Scope:
   * `read`.
   */
  get(options?: RequestOptions): ApiPromise<Overview> {
    return this.#operations.send('GET', ['overview'], {}, options);
  }
}

/**
 * Statistics of reviews, installations and webhooks.
 *
 * @example
 * console.log(await operator.statistics.get());
 */
export class OperatorStatistics {
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
  }

  /**
   * Get statistics of reviews, installations and webhooks. Returns the review queue with its median waiting time and,
   * for each of the last 12 weeks: decisions by outcome, their median waiting time, and installations created and
   * deleted. At most a minute old, as `madeAt` says. Scope: `read`.
   */
  get(options?: RequestOptions): ApiPromise<Statistics> {
    return this.#operations.send('GET', ['statistics'], {}, options);
  }
}

/**
 * The operations of the operator API, by what they are about.
 *
 * @example
 * const resources: OperatorResources = operator;
 * console.log((await resources.caller.get()).actor);
 */
export class OperatorResources {
  /** Counts of the whole registry. */
  readonly overview: OperatorOverview;
  /** Statistics of reviews, installations and webhooks. */
  readonly statistics: OperatorStatistics;
  /** The people and companies that publish apps. */
  readonly developers: OperatorDevelopers;
  /** Apps of all developers, and their review. */
  readonly apps: OperatorApps;
  /** What awaits review. */
  readonly reviewQueue: OperatorReviewQueue;
  /** Reusable texts for the reasons of decisions. */
  readonly reasonTemplates: OperatorReasonTemplates;
  /** Names and hosts reserved for some developers. */
  readonly protectedNames: OperatorProtectedNames;
  /** Installations of apps in workspaces. */
  readonly installations: OperatorInstallations;
  /** The workspaces that apps are installed in. */
  readonly workspaces: OperatorWorkspaces;
  /** Logos of apps. */
  readonly logos: OperatorLogos;
  /** Access tokens. */
  readonly tokens: OperatorTokens;
  /** The history of changes: who changed what. */
  readonly events: OperatorEvents;
  /** Endpoints that receive events. */
  readonly webhooks: OperatorWebhooks;
  /** Deliveries of events to webhooks. */
  readonly deliveries: OperatorDeliveries;
  /** Imports of files. */
  readonly imports: OperatorImports;
  /** Settings shared by all processes on a database. */
  readonly settings: OperatorSettings;
  /** The caller of a request. */
  readonly caller: OperatorCaller;
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
    this.overview = new OperatorOverview(operations);
    this.statistics = new OperatorStatistics(operations);
    this.developers = new OperatorDevelopers(operations);
    this.apps = new OperatorApps(operations);
    this.reviewQueue = new OperatorReviewQueue(operations);
    this.reasonTemplates = new OperatorReasonTemplates(operations);
    this.protectedNames = new OperatorProtectedNames(operations);
    this.installations = new OperatorInstallations(operations);
    this.workspaces = new OperatorWorkspaces(operations);
    this.logos = new OperatorLogos(operations);
    this.tokens = new OperatorTokens(operations);
    this.events = new OperatorEvents(operations);
    this.webhooks = new OperatorWebhooks(operations);
    this.deliveries = new OperatorDeliveries(operations);
    this.imports = new OperatorImports(operations);
    this.settings = new OperatorSettings(operations);
    this.caller = new OperatorCaller(operations);
  }

  /**
   * Search apps, developers and everything that has an id. Returns the best results of each type first: an equal id, a
   * name that equals or starts with the text, a word that starts with it, then any other part. Up to 200 of each type
   * are found. Each page is ranked anew: if objects change meanwhile, a result can be repeated or skipped. Webhooks and
   * tokens require the scope `admin`. Scope: `read`.
   */
  search(query: SearchQuery, options?: RequestOptions): List<SearchHit> {
    return this.#operations.list(['search'], query, options);
  }
}

/**
 * The people and companies that publish apps.
 *
 * @example
 * for await (const developer of operator.developers.list()) console.log(developer);
 */
export class OperatorDevelopers {
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
  }

  /** List developers. Scope: `read`. */
  list(query?: DeveloperQuery, options?: RequestOptions): List<OperatorDeveloper, Total> {
    return this.#operations.list(['developers'], query, options);
  }

  /** Create a developer. Scope: `portal`. */
  create(developer: NewDeveloper, options?: RequestOptions): ApiPromise<OperatorDeveloper> {
    return this.#operations.send('POST', ['developers'], { body: developer }, options);
  }

  /** Get a developer. Scope: `read`. */
  get(id: string, options?: RequestOptions): ApiPromise<OperatorDeveloper> {
    return this.#operations.send('GET', ['developers', id], {}, options);
  }

  /**
   * Update a developer. Updates the fields in the body; null clears an optional field. Get App shows the change
   * immediately. Scope: `portal`.
   */
  update(
    id: string,
    update: DeveloperUpdate,
    { ifMatch, ...options }: IfMatchOptions = {},
  ): ApiPromise<OperatorDeveloper> {
    return this.#operations.send('PATCH', ['developers', id], { body: update, ifMatch }, options);
  }

  /**
   * Get the record of a developer: apps, decisions and suspensions. Each count stops at 10,000, so that the response
   * time does not depend on the number of apps. Scope: `read`.
   */
  getRecord(id: string, options?: RequestOptions): ApiPromise<DeveloperRecord> {
    return this.#operations.send('GET', ['developers', id, 'record'], {}, options);
  }

  /**
   * Erase a developer. Permanently deletes the personal data of a developer and revokes their tokens. The user id, the
   * apps and the history remain. Scope: `admin`.
   */
  erase(
    id: string,
    { dryRun, ifMatch, ...options }: DryRunOptions & IfMatchOptions = {},
  ): ApiPromise<ErasedDeveloperOrDryRun> {
    return this.#operations.send('POST', ['developers', id, 'erase'], { query: { dryRun }, ifMatch }, options);
  }

  /**
   * Suspend a developer. Stops a developer in one atomic step, regardless of the number of apps: blocks their tokens,
   * revokes their approved apps, disables all installations of their apps, and removes their apps and changes from the
   * review queue. Their apps can then not be submitted, approved, installed or enabled, and no app can be transferred
   * to them. A second suspension keeps the first time and reason. Scope: `admin`.
   */
  suspend(
    id: string,
    suspension: Suspension,
    { dryRun, ifMatch, ...options }: DryRunOptions & IfMatchOptions = {},
  ): ApiPromise<SuspendedDeveloperOrDryRun> {
    return this.#operations.send(
      'POST',
      ['developers', id, 'suspend'],
      { body: suspension, query: { dryRun }, ifMatch },
      options,
    );
  }

  /**
   * End the suspension of a developer. Undoes the effects of the suspension. Apps that were reviewed, deleted or
   * transferred in the meantime stay as they are and are listed. Tokens that have expired or were revoked stay invalid.
   * Scope: `admin`.
   */
  unsuspend(
    id: string,
    { dryRun, ifMatch, ...options }: DryRunOptions & IfMatchOptions = {},
  ): ApiPromise<UnsuspendedDeveloperOrDryRun> {
    return this.#operations.send('POST', ['developers', id, 'unsuspend'], { query: { dryRun }, ifMatch }, options);
  }

  /** Revoke all tokens of a developer. Scope: `admin`. */
  revokeTokens(id: string, { dryRun, ...options }: DryRunOptions = {}): ApiPromise<RevokedTokensOrDryRun> {
    return this.#operations.send('POST', ['developers', id, 'revoke-tokens'], { query: { dryRun } }, options);
  }
}

/**
 * Apps of all developers, and their review.
 *
 * @example
 * for await (const app of operator.apps.list()) console.log(app);
 */
export class OperatorApps {
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
  }

  /**
   * List apps. Lists the apps that match every filter, or those with some ids. There is no total with `host`. Scope:
   * `read`.
   */
  list(query: AppQuery & FullView, options?: RequestOptions): List<OperatorApp, Total>;
  /**
   * List apps. Lists the apps that match every filter, or those with some ids. There is no total with `host`. Scope:
   * `read`.
   */
  list(query?: AppQuery, options?: RequestOptions): List<AppSummary, Total>;
  list(query?: AppQuery, options?: RequestOptions): List<AppSummary, Total> {
    return this.#operations.list(['apps'], query, options);
  }

  /** Create an app, as a draft. Scope: `portal`. */
  create(app: NewApp, options?: RequestOptions): ApiPromise<AppWithWarnings> {
    return this.#operations.send('POST', ['apps'], { body: app }, options);
  }

  /**
   * Get an app. Returns the current and the last approved content, with warnings for the reviewer. Its `ETag` is
   * required to approve or reject it. A deleted app has `deletedAt` while it can be restored. Scope: `read`.
   */
  get(id: string, options?: RequestOptions): ApiPromise<AppWithWarnings> {
    return this.#operations.send('GET', ['apps', id], {}, options);
  }

  /** Update an app. Updates the app by the same rules as Update App. Scope: `portal`. */
  update(id: string, update: AppUpdate, { ifMatch, ...options }: IfMatchOptions = {}): ApiPromise<OperatorApp> {
    return this.#operations.send('PATCH', ['apps', id], { body: update, ifMatch }, options);
  }

  /** Delete an app. Deletes the app and frees its name. The app can be restored for 30 days. Scope: `admin`. */
  delete(
    id: string,
    {
      force,
      dryRun,
      ifMatch,
      ...options
    }: DryRunOptions &
      IfMatchOptions & {
        /** Whether to delete its installations too. Without it, an app with installations cannot be deleted. */ force?:
          | boolean
          | undefined;
      } = {},
  ): ApiPromise<OperatorAppOrDryRun> {
    return this.#operations.send('DELETE', ['apps', id], { query: { force, dryRun }, ifMatch }, options);
  }

  /** Restore a deleted app, without installations. Scope: `admin`. */
  restore(id: string, { ifMatch, ...options }: IfMatchOptions = {}): ApiPromise<OperatorApp> {
    return this.#operations.send('POST', ['apps', id, 'restore'], { ifMatch }, options);
  }

  /**
   * Transfer an app to another developer. Transfers the app with its review status, installations and history. Creates
   * a new revision and copies its logos to the new developer. Scope: `admin`.
   */
  transfer(id: string, transfer: Transfer, { ifMatch, ...options }: IfMatchOptions = {}): ApiPromise<OperatorApp> {
    return this.#operations.send('POST', ['apps', id, 'transfer'], { body: transfer, ifMatch }, options);
  }

  /** Submit a draft or a rejected app for review. Scope: `portal`. */
  submit(id: string, { ifMatch, ...options }: IfMatchOptions = {}): ApiPromise<OperatorApp> {
    return this.#operations.send('POST', ['apps', id, 'submit'], { ifMatch }, options);
  }

  /**
   * Withdraw an app from review. Returns the app to its status before the submission, draft or rejected. Scope:
   * `portal`.
   */
  withdraw(id: string, { ifMatch, ...options }: IfMatchOptions = {}): ApiPromise<OperatorApp> {
    return this.#operations.send('POST', ['apps', id, 'withdraw'], { ifMatch }, options);
  }

  /**
   * Approve an app that awaits review, or a change to an approved app. A submission can be approved only at its current
   * revision. A change can be approved at an earlier revision: that content is then approved, and later revisions still
   * await review. Scope: `review`.
   */
  approve(id: string, approval: Approval, { ifMatch, ...options }: IfMatchOptions = {}): ApiPromise<OperatorApp> {
    return this.#operations.send('POST', ['apps', id, 'approve'], { body: approval, ifMatch }, options);
  }

  /** Reject an app that awaits review. Scope: `review`. */
  reject(id: string, rejection: Rejection, { ifMatch, ...options }: IfMatchOptions = {}): ApiPromise<OperatorApp> {
    return this.#operations.send('POST', ['apps', id, 'reject'], { body: rejection, ifMatch }, options);
  }

  /**
   * Reject a change to an approved app. Requires that the setting `changesToApproved` is `hold`. The approved content
   * stays in effect, and the developer's content is unchanged. If the reviewed revision is the current one, the change
   * leaves the queue until the next change; otherwise later revisions still await review. Scope: `review`.
   */
  rejectChange(
    id: string,
    rejection: Rejection,
    { ifMatch, ...options }: IfMatchOptions = {},
  ): ApiPromise<OperatorApp> {
    return this.#operations.send('POST', ['apps', id, 'reject-change'], { body: rejection, ifMatch }, options);
  }

  /** Revoke the approval of an app. Scope: `review`. */
  revoke(
    id: string,
    revocation: Revocation,
    { dryRun, ifMatch, ...options }: DryRunOptions & IfMatchOptions = {},
  ): ApiPromise<OperatorAppOrDryRun> {
    return this.#operations.send(
      'POST',
      ['apps', id, 'revoke'],
      { body: revocation, query: { dryRun }, ifMatch },
      options,
    );
  }

  /** List the decisions about an app. A token with the scope `portal` never receives a `note`. Scope: `read`. */
  listDecisions(id: string, query?: AppDecisionQuery, options?: RequestOptions): List<Decision, Actors> {
    return this.#operations.list(['apps', id, 'decisions'], query, options);
  }

  /**
   * Claim an app for review. Shows other reviewers who is reviewing the app. An assignment lasts 15 minutes, a presence
   * 1 minute, and claiming the app again renews either. An app is assigned to one reviewer at most, and several can be
   * present. A reviewer is present at one app: the last one that they claimed so. A claim does not block decisions. A
   * decision, a withdrawal and the deletion of the app end an assignment. Claims are not recorded as events. Scope:
   * `review`.
   */
  claim(id: string, claim?: NewClaim, options?: RequestOptions): ApiPromise<ReviewClaim> {
    return this.#operations.send('POST', ['apps', id, 'claim'], { body: claim }, options);
  }

  /** Release your assignment of an app. Scope: `review`. */
  release(id: string, options?: RequestOptions): ApiPromise<EndedClaim> {
    return this.#operations.send('POST', ['apps', id, 'release'], {}, options);
  }

  /** List the internal notes about an app. Scope: `read`, not `portal`. */
  listNotes(id: string, query?: AppNoteQuery, options?: RequestOptions): List<ReviewNote> {
    return this.#operations.list(['apps', id, 'notes'], query, options);
  }

  /**
   * Add an internal note about an app. The note is for reviewers: it is not sent to the developer or recorded in
   * events. It is kept while a deleted app can be restored. Scope: `review`, not `portal`.
   */
  createNote(id: string, note: NewReviewNote, options?: RequestOptions): ApiPromise<ReviewNote> {
    return this.#operations.send('POST', ['apps', id, 'notes'], { body: note }, options);
  }

  /** Get an internal note about an app. Scope: `read`, not `portal`. */
  getNote(id: string, noteId: string, options?: RequestOptions): ApiPromise<ReviewNote> {
    return this.#operations.send('GET', ['apps', id, 'notes', noteId], {}, options);
  }

  /**
   * Delete an internal note about an app. Deletes your own note, or any note with the scope `admin`. Scope: `review`,
   * not `portal`.
   */
  deleteNote(id: string, noteId: string, { ifMatch, ...options }: IfMatchOptions = {}): ApiPromise<ReviewNote> {
    return this.#operations.send('DELETE', ['apps', id, 'notes', noteId], { ifMatch }, options);
  }

  /**
   * List the revisions of an app's content, newest first. Lists who changed which fields and when. Pages are read
   * forwards only, without `prevCursor`. On the last page, `archived` shows whether earlier revisions are in archives.
   * Scope: `read`.
   */
  listRevisions(
    id: string,
    query?: AppRevisionQuery,
    options?: RequestOptions,
  ): List<ListedRevision, AppRevisionPageFields> {
    return this.#operations.list(['apps', id, 'revisions'], query, options);
  }

  /**
   * Show one revision of an app's content. The revision is given by its number, its `ETag`, or a UTC time at which it
   * was current. Scope: `read`.
   */
  getRevision(id: string, revision: string | number, options?: RequestOptions): ApiPromise<AppRevision> {
    return this.#operations.send('GET', ['apps', id, 'revisions', revision], {}, options);
  }

  /**
   * Restore earlier content of an app as a new revision. Restores the last approved content, a revision, or the content
   * at a time, by the rules of an update. Approved content needs no further decision; any other content of an approved
   * app is a change to review. Restoring the current content changes nothing. Scope: `review`.
   */
  revert(id: string, revert: Revert, { ifMatch, ...options }: IfMatchOptions = {}): ApiPromise<OperatorApp> {
    return this.#operations.send('POST', ['apps', id, 'revert'], { body: revert, ifMatch }, options);
  }
}

/**
 * What awaits review.
 *
 * @example
 * for await (const reviewQueue of operator.reviewQueue.list()) console.log(reviewQueue);
 */
export class OperatorReviewQueue {
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
  }

  /**
   * List what awaits review. Lists submitted apps, and approved apps with changed content or a new developer. With
   * `view=full`, each item shows how it differs from the approved content and from the content last decided on. With
   * `hasWarnings`, each page searches a bounded number of apps: follow `nextCursor` until there is none, even if a page
   * has no items. Such pages have no `prevCursor`. Scope: `read`.
   */
  list(query: ReviewQueueQuery & FullView, options?: RequestOptions): List<QueueItem, Total>;
  /**
   * List what awaits review. Lists submitted apps, and approved apps with changed content or a new developer. With
   * `view=full`, each item shows how it differs from the approved content and from the content last decided on. With
   * `hasWarnings`, each page searches a bounded number of apps: follow `nextCursor` until there is none, even if a page
   * has no items. Such pages have no `prevCursor`. Scope: `read`.
   */
  list(query?: ReviewQueueQuery, options?: RequestOptions): List<QueueItemSummary, Total>;
  list(query?: ReviewQueueQuery, options?: RequestOptions): List<QueueItemSummary, Total> {
    return this.#operations.list(['review-queue'], query, options);
  }

  /**
   * Count what awaits review. Counts up to 10,000 items exactly, and estimates more by the 10,000 at each end of the
   * queue. Compares at most 500 items with other apps for `risk`. Scope: `read`.
   */
  getCounts(options?: RequestOptions): ApiPromise<ReviewQueueCounts> {
    return this.#operations.send('GET', ['review-queue', 'counts'], {}, options);
  }
}

/**
 * Reusable texts for the reasons of decisions.
 *
 * @example
 * for await (const reasonTemplate of operator.reasonTemplates.list()) console.log(reasonTemplate);
 */
export class OperatorReasonTemplates {
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
  }

  /** List reason templates by title. Scope: `read`. */
  list(query?: ReasonTemplateQuery, options?: RequestOptions): List<ReasonTemplate> {
    return this.#operations.list(['reason-templates'], query, options);
  }

  /** Create a reason template. Scope: `review`. */
  create(template: NewReasonTemplate, options?: RequestOptions): ApiPromise<ReasonTemplate> {
    return this.#operations.send('POST', ['reason-templates'], { body: template }, options);
  }

  /** Get a reason template. Scope: `read`. */
  get(id: string, options?: RequestOptions): ApiPromise<ReasonTemplate> {
    return this.#operations.send('GET', ['reason-templates', id], {}, options);
  }

  /** Update a reason template. Updates the fields in the body; null removes the code. Scope: `review`. */
  update(
    id: string,
    update: ReasonTemplateUpdate,
    { ifMatch, ...options }: IfMatchOptions = {},
  ): ApiPromise<ReasonTemplate> {
    return this.#operations.send('PATCH', ['reason-templates', id], { body: update, ifMatch }, options);
  }

  /** Delete a reason template. Scope: `review`. */
  delete(id: string, { ifMatch, ...options }: IfMatchOptions = {}): ApiPromise<ReasonTemplate> {
    return this.#operations.send('DELETE', ['reason-templates', id], { ifMatch }, options);
  }
}

/**
 * Names and hosts reserved for some developers.
 *
 * @example
 * for await (const protectedName of operator.protectedNames.list()) console.log(protectedName);
 */
export class OperatorProtectedNames {
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
  }

  /** List protected names and hosts. Scope: `read`. */
  list(query?: ProtectedNameQuery, options?: RequestOptions): List<ProtectedName> {
    return this.#operations.list(['protected-names'], query, options);
  }

  /**
   * Protect a name or a host. The review queue then warns of apps of other developers whose name contains this one, or
   * whose URLs are at the host or a subdomain, and of lookalikes. Nothing is blocked. Scope: `admin`.
   */
  create(name: NewProtectedName, options?: RequestOptions): ApiPromise<ProtectedName> {
    return this.#operations.send('POST', ['protected-names'], { body: name }, options);
  }

  /** Get a protected name or host. Scope: `read`. */
  get(id: string, options?: RequestOptions): ApiPromise<ProtectedName> {
    return this.#operations.send('GET', ['protected-names', id], {}, options);
  }

  /**
   * Update a protected name or host. Updates the fields in the body; null removes the note. A name can replace a host,
   * and a host a name. `developerIds` replaces the whole list. Scope: `admin`.
   */
  update(
    id: string,
    update: ProtectedNameUpdate,
    { ifMatch, ...options }: IfMatchOptions = {},
  ): ApiPromise<ProtectedName> {
    return this.#operations.send('PATCH', ['protected-names', id], { body: update, ifMatch }, options);
  }

  /** Stop protecting a name or a host. Scope: `admin`. */
  delete(id: string, { ifMatch, ...options }: IfMatchOptions = {}): ApiPromise<ProtectedName> {
    return this.#operations.send('DELETE', ['protected-names', id], { ifMatch }, options);
  }
}

/**
 * Installations of apps in workspaces.
 *
 * @example
 * for await (const installation of operator.installations.list()) console.log(installation);
 */
export class OperatorInstallations {
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
  }

  /**
   * List installations. Lists all installations, or those that match every filter. The filter decides what they are
   * sorted by. With `enabled`, pages are read forwards only, without `prevCursor`. Scope: `read` or `install`.
   */
  list(query?: InstallationQuery, options?: RequestOptions): List<OperatorInstallation, Total> {
    return this.#operations.list(['installations'], query, options);
  }

  /** Install an app into a workspace. Scope: `install`. */
  create(installation: NewInstallation, options?: RequestOptions): ApiPromise<OperatorInstallation> {
    return this.#operations.send('POST', ['installations'], { body: installation }, options);
  }

  /** Get an installation. Scope: `read` or `install`. */
  get(id: string, options?: RequestOptions): ApiPromise<OperatorInstallation> {
    return this.#operations.send('GET', ['installations', id], {}, options);
  }

  /** Remove an app from a workspace. Scope: `install`. */
  delete(
    id: string,
    { dryRun, ifMatch, ...options }: DryRunOptions & IfMatchOptions = {},
  ): ApiPromise<OperatorInstallationOrDryRun> {
    return this.#operations.send('DELETE', ['installations', id], { query: { dryRun }, ifMatch }, options);
  }

  /**
   * Enable an installation. Removes the cause `workspace`. Other causes can keep the installation disabled: see
   * `disabledBy` in the response. Scope: `install`.
   */
  enable(id: string, { ifMatch, ...options }: IfMatchOptions = {}): ApiPromise<OperatorInstallation> {
    return this.#operations.send('POST', ['installations', id, 'enable'], { ifMatch }, options);
  }

  /** Disable an installation. Scope: `install`. */
  disable(id: string, { ifMatch, ...options }: IfMatchOptions = {}): ApiPromise<OperatorInstallation> {
    return this.#operations.send('POST', ['installations', id, 'disable'], { ifMatch }, options);
  }
}

/**
 * The workspaces that apps are installed in.
 *
 * @example
 * console.log(await operator.workspaces.deleteInstallations(workspaceId));
 */
export class OperatorWorkspaces {
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
  }

  /** Remove all apps from a workspace. Scope: `install`. */
  deleteInstallations(
    workspaceId: string,
    { dryRun, ...options }: DryRunOptions = {},
  ): ApiPromise<DeletedInstallationsOrDryRun> {
    return this.#operations.send(
      'DELETE',
      ['workspaces', workspaceId, 'installations'],
      { query: { dryRun } },
      options,
    );
  }
}

/**
 * Logos of apps.
 *
 * @example
 * for await (const logo of operator.logos.list()) console.log(logo);
 */
export class OperatorLogos {
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
  }

  /** List logos. Scope: `read`. */
  list(query?: LogoQuery, options?: RequestOptions): List<Logo> {
    return this.#operations.list(['logos'], query, options);
  }

  /**
   * Upload a logo for the apps of one developer. The image is converted to a PNG of 512 by 512 pixels. Set the id as
   * `logoId` of an app to show it. Scope: `portal`.
   */
  create(logo: NewLogo, options?: RequestOptions): ApiPromise<Logo> {
    return this.#operations.send('POST', ['logos'], { body: formOf(logo) }, options);
  }

  /** Get a logo. Its image is at `logoUrl`. Scope: `read`. */
  get(id: string, options?: RequestOptions): ApiPromise<Logo> {
    return this.#operations.send('GET', ['logos', id], {}, options);
  }

  /**
   * Delete a logo that no app uses. A logo is in use if it is in the current or approved content of an app, including
   * deleted apps that can be restored. Scope: `admin`.
   */
  delete(id: string, { ifMatch, ...options }: IfMatchOptions = {}): ApiPromise<Logo> {
    return this.#operations.send('DELETE', ['logos', id], { ifMatch }, options);
  }

  /**
   * Block a logo. Its image then returns 404, and no app can set it. Apps that use it keep it, but show no image.
   * Copies made by app transfers are blocked too. Blocking a blocked logo changes nothing. Scope: `review`.
   */
  block(id: string, block: LogoBlock, { ifMatch, ...options }: IfMatchOptions = {}): ApiPromise<Logo> {
    return this.#operations.send('POST', ['logos', id, 'block'], { body: block, ifMatch }, options);
  }

  /** Unblock a logo. Unblocks the copies made by app transfers too. Scope: `review`. */
  unblock(id: string, { ifMatch, ...options }: IfMatchOptions = {}): ApiPromise<Logo> {
    return this.#operations.send('POST', ['logos', id, 'unblock'], { ifMatch }, options);
  }
}

/**
 * Access tokens.
 *
 * @example
 * for await (const token of operator.tokens.list()) console.log(token);
 */
export class OperatorTokens {
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
  }

  /** List tokens. Scope: `admin`. */
  list(query?: TokenQuery, options?: RequestOptions): List<ListedAccessToken, Total> {
    return this.#operations.list(['tokens'], query, options);
  }

  /**
   * Create a token. The token is only in this response. A retry with the same `Idempotency-Key` receives 409 with the
   * id of the token. Scope: `admin`.
   */
  create(token: NewAccessToken, options?: RequestOptions): ApiPromise<AccessTokenWithSecret> {
    return this.#operations.send('POST', ['tokens'], { body: token }, options);
  }

  /** Get a token, without its secret. Scope: `admin`. */
  get(id: string, options?: RequestOptions): ApiPromise<ListedAccessToken> {
    return this.#operations.send('GET', ['tokens', id], {}, options);
  }

  /**
   * Summarise what a token changed, by app and workspace. Shows which apps and workspaces were changed with a token,
   * even a revoked one. The id is that of a token, or the `oidc:` actor of a person who signs in with the identity
   * provider. Each page summarises a bounded number of changes, and names up to `limit` objects, or all of one change.
   * Pages are read forwards only, without `prevCursor`. Scope: `read`.
   */
  listChanges(
    id: string,
    query?: TokenChangeQuery,
    options?: RequestOptions,
  ): List<ChangedObject, ChangedObjectPageFields> {
    return this.#operations.list(['tokens', id, 'changes'], query, options);
  }

  /**
   * Rotate a token. Creates a token of the same kind, developer, name, scopes, limits and lifetime. The old one stays
   * valid for `overlap`. The new token is only in this response. A retry with the same `Idempotency-Key` receives 409
   * with the id of the new token. Scope: `admin`.
   */
  rotate(id: string, rotation?: TokenRotation, options?: RequestOptions): ApiPromise<RotatedAccessToken> {
    return this.#operations.send('POST', ['tokens', id, 'rotate'], { body: rotation }, options);
  }

  /** Revoke a token, from its next request on. Scope: `admin`. */
  revoke(
    id: string,
    { dryRun, ifMatch, ...options }: DryRunOptions & IfMatchOptions = {},
  ): ApiPromise<AccessTokenOrDryRun> {
    return this.#operations.send('POST', ['tokens', id, 'revoke'], { query: { dryRun }, ifMatch }, options);
  }
}

/**
 * The history of changes: who changed what.
 *
 * @example
 * for await (const event of operator.events.list()) console.log(event);
 */
export class OperatorEvents extends EventFollower {
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    super();
    this.#operations = operations;
  }

  /**
   * List events. Lists who changed what, when and by which request: the events that match every filter, including those
   * of deleted objects. With `field`, `contains`, `type`, `effectiveOnly` or `about`, each page searches a bounded
   * number of them, without `prevCursor`: follow `nextCursor` until there is none, even if a page has no items.
   * `workspaces` adds where the apps of this page are installed, `actors` the names of its actors. Scope: `read`.
   */
  list(query?: EventQuery, options?: RequestOptions): List<AppRegistryEvent, EventPageFields> {
    return this.#operations.list(['events'], query, options);
  }

  /**
   * Read the next events (long polling). For programs that follow all changes. Continuing from `nextCursor` misses no
   * event, and the events of one app are in the order of its changes. Pages have no `prevCursor`. With `wait`, the
   * request returns with the next event, or with none after that time. Scope: `read`.
   */
  readFeed(query?: EventFeedQuery, options?: RequestOptions): ApiPromise<EventFeedPage> {
    return this.#operations.send('GET', ['events', 'feed'], { query }, options);
  }

  /**
   * Stream events (server-sent events). For user interfaces such as the console. Each server-sent event has a JSON
   * summary of one change as its data and its position in the feed as its id. A broken stream resumes from
   * `Last-Event-ID` without a gap. The stream ends when the token or session ends, and when the process shuts down.
   * Scope: `read`.
   */
  stream(query?: StreamEventQuery, options?: RequestOptions): AsyncGenerator<StreamedEvent, void, void> {
    return this.#operations.stream(['events', 'stream'], query, options);
  }
}

/**
 * Endpoints that receive events.
 *
 * @example
 * for await (const webhook of operator.webhooks.list()) console.log(webhook);
 */
export class OperatorWebhooks {
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
  }

  /** List webhooks. Scope: `admin`. */
  list(query?: WebhookQuery, options?: RequestOptions): List<Webhook, Total> {
    return this.#operations.list(['webhooks'], query, options);
  }

  /**
   * Create a webhook. The webhook receives events recorded from now on. Its secret is only in this response: a retry
   * with the same `Idempotency-Key` receives 409 with the id of the webhook. Scope: `admin`.
   */
  create(webhook: NewWebhook, options?: RequestOptions): ApiPromise<WebhookWithSecret> {
    return this.#operations.send('POST', ['webhooks'], { body: webhook }, options);
  }

  /** Get a webhook, without its secret. Scope: `admin`. */
  get(id: string, options?: RequestOptions): ApiPromise<Webhook> {
    return this.#operations.send('GET', ['webhooks', id], {}, options);
  }

  /**
   * Update a webhook. Pending deliveries also go to the new URL. A change of types applies to events recorded from now
   * on. Scope: `admin`.
   */
  update(id: string, update: WebhookUpdate, { ifMatch, ...options }: IfMatchOptions = {}): ApiPromise<Webhook> {
    return this.#operations.send('PATCH', ['webhooks', id], { body: update, ifMatch }, options);
  }

  /** Delete a webhook. Deletes all its deliveries too, including pending ones. Scope: `admin`. */
  delete(id: string, { ifMatch, ...options }: IfMatchOptions = {}): ApiPromise<Webhook> {
    return this.#operations.send('DELETE', ['webhooks', id], { ifMatch }, options);
  }

  /**
   * Rotate the secret of a webhook. The new secret is only in this response, and in that to a retry with the same
   * `Idempotency-Key`. The previous secret also signs for 24 hours; older ones no longer do. Scope: `admin`.
   */
  rotateSecret(id: string, { ifMatch, ...options }: IfMatchOptions = {}): ApiPromise<WebhookWithSecret> {
    return this.#operations.send('POST', ['webhooks', id, 'rotate-secret'], { ifMatch }, options);
  }

  /**
   * Enable a webhook. Sends the deliveries that were pending when it was disabled, but no events recorded since. Scope:
   * `admin`.
   */
  enable(id: string, { ifMatch, ...options }: IfMatchOptions = {}): ApiPromise<Webhook> {
    return this.#operations.send('POST', ['webhooks', id, 'enable'], { ifMatch }, options);
  }

  /** Disable a webhook, which then receives no events. Scope: `admin`. */
  disable(id: string, { ifMatch, ...options }: IfMatchOptions = {}): ApiPromise<Webhook> {
    return this.#operations.send('POST', ['webhooks', id, 'disable'], { ifMatch }, options);
  }

  /**
   * Send a test event to a webhook. Sends `webhook.tested` to this webhook only, regardless of its types and without
   * waiting for other deliveries. The response is the delivery; the list of deliveries shows the outcome. Scope:
   * `admin`.
   */
  test(id: string, options?: RequestOptions): ApiPromise<Delivery> {
    return this.#operations.send('POST', ['webhooks', id, 'test'], {}, options);
  }

  /**
   * Get the failed deliveries that others of a webhook wait for. Names up to 20 blocked queues. Events about one app
   * are delivered in order, so a failed delivery blocks the later ones until it is delivered or given up. Scope:
   * `admin`.
   */
  getBacklog(id: string, options?: RequestOptions): ApiPromise<WebhookBacklog> {
    return this.#operations.send('GET', ['webhooks', id, 'backlog'], {}, options);
  }

  /**
   * Redeliver all deliveries of a webhook since a time. Includes delivered ones, unless `state` selects others. They
   * are sent in their order, each with the full number of attempts. Events that were never queued for the webhook, or
   * whose deliveries were pruned, are not included. Scope: `admin`.
   */
  redeliver(id: string, redelivery: Redelivery, options?: RequestOptions): ApiPromise<Redelivered> {
    return this.#operations.send('POST', ['webhooks', id, 'redeliver'], { body: redelivery }, options);
  }
}

/**
 * Deliveries of events to webhooks.
 *
 * @example
 * for await (const delivery of operator.deliveries.list(webhookId)) console.log(delivery);
 */
export class OperatorDeliveries {
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
  }

  /** List the deliveries of a webhook. Scope: `admin`. */
  list(webhookId: string, query?: DeliveryQuery, options?: RequestOptions): List<Delivery> {
    return this.#operations.list(['webhooks', webhookId, 'deliveries'], query, options);
  }

  /**
   * Get a delivery with its last request and response. The signature and other secrets are not included. Only a part of
   * the response is stored. Scope: `admin`.
   */
  get(id: string, options?: RequestOptions): ApiPromise<DeliveryDetails> {
    return this.#operations.send('GET', ['deliveries', id], {}, options);
  }

  /**
   * Redeliver a delivery. Sends it again immediately, regardless of its state, with the full number of attempts. Scope:
   * `admin`.
   */
  redeliver(id: string, { ifMatch, ...options }: IfMatchOptions = {}): ApiPromise<Delivery> {
    return this.#operations.send('POST', ['deliveries', id, 'redeliver'], { ifMatch }, options);
  }
}

/**
 * Imports of files.
 *
 * @example
 * console.log(await operator.imports.run({ file: new Blob(['{"type":"developer","email":"ada@example.com"}']) }));
 */
export class OperatorImports {
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
  }

  /**
   * Import developers, logos, apps and installations from a file. Imports all records or none. Existing objects are
   * updated, so importing a file twice changes nothing more. Events are recorded but not delivered to webhooks. For
   * larger files, several CSV files or imports in steps, use `app-registry import`. Scope: `admin`.
   */
  run(file: ImportFile, options?: RequestOptions): ApiPromise<ImportResult> {
    return this.#operations.send('POST', ['imports'], { body: formOf(file) }, options);
  }
}

/**
 * Settings shared by all processes on a database.
 *
 * @example
 * console.log(await operator.settings.get());
 */
export class OperatorSettings {
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
  }

  /** Get the settings shared by all processes. Scope: `read`. */
  get(options?: RequestOptions): ApiPromise<Settings> {
    return this.#operations.send('GET', ['settings'], {}, options);
  }

  /**
   * Update settings. Updates the given settings together, in every process at once. Enabling `uniqueNames` fails while
   * several apps share a name, and the error lists these names. While changes await a decision, setting
   * `changesToApproved` to `hold` requires `existing`; without it, the error lists their apps. Scope: `admin`.
   */
  update(
    update: SettingsUpdate,
    {
      existing,
      ifMatch,
      ...options
    }: IfMatchOptions & {
      /** When `changesToApproved` is set to `hold` while changes await a decision: whether these are approved as they are now, or held. */ existing?:
        | 'approve'
        | 'hold'
        | undefined;
    } = {},
  ): ApiPromise<Settings> {
    return this.#operations.send('PATCH', ['settings'], { body: update, query: { existing }, ifMatch }, options);
  }
}

/**
 * The caller of a request.
 *
 * @example
 * console.log(await operator.caller.get());
 */
export class OperatorCaller {
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
  }

  /**
   * Get the caller of the request. Returns the actor that events record, its scopes, and what is hidden from it. Scope:
   * `read` or `install`.
   */
  get(options?: RequestOptions): ApiPromise<Caller> {
    return this.#operations.send('GET', ['caller'], {}, options);
  }
}
