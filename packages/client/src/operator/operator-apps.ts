import type { ApiPromise } from '../client/api-promise.ts';
import type { RequestOptions } from '../client/options.ts';
import type { AppUpdate } from '../types/app.ts';
import type { List, Operations } from './operations.ts';
import type { Actors, DryRunOptions, IfMatchOptions, ListQuery, ReviewedApp, Total, TotalQuery } from './queries.ts';
import type {
  AppRevision,
  Approval,
  AppWithWarnings,
  Decision,
  DeletedApp,
  DeletedAppOrDryRun,
  EndedClaim,
  ListedRevision,
  NewApp,
  NewReviewNote,
  OperatorApp,
  OperatorAppOrDryRun,
  QueueItem,
  Rejection,
  Revert,
  ReviewClaim,
  ReviewNote,
  ReviewStatus,
  Revocation,
  Transfer,
} from './types.ts';

/**
 * Filters for apps; all of them apply.
 *
 * @example
 * const query: AppQuery = { status: 'APPROVED', changedSinceApproval: true };
 * for await (const app of operator.apps.list(query)) console.log(app.name);
 */
export interface AppQuery extends TotalQuery {
  status?: ReviewStatus | undefined;
  /** The user ID of the developer. */
  developerId?: string | undefined;
  /** The start of the name, regardless of case. */
  name?: string | undefined;
  /** A host that a login or callback URL is at or below. */
  host?: string | undefined;
  changedSinceApproval?: boolean | undefined;
  /** IDs separated by commas, at most 100. Cannot be combined with filters or an order. */
  ids?: string | undefined;
  /** By ID or by name; a minus sign reverses the order. */
  sort?: 'id' | '-id' | 'name' | '-name' | undefined;
}

/**
 * Filters for deleted apps.
 *
 * @example
 * const query: DeletedAppQuery = { sort: '-deletedAt' };
 * for await (const app of operator.apps.listDeleted(query)) console.log(app.name, app.deletedAt);
 */
export interface DeletedAppQuery extends TotalQuery {
  /** The user ID of the developer. */
  developerId?: string | undefined;
  sort?: 'id' | '-id' | 'deletedAt' | '-deletedAt' | undefined;
}

/**
 * Filters for the review queue.
 *
 * @example
 * const query: QueueQuery = { kind: 'submission', newestFirst: true };
 * for await (const { app } of operator.apps.listReviewQueue(query)) console.log(app.name);
 */
export interface QueueQuery extends ListQuery {
  /** The kind of decision. */
  kind?: 'submission' | 'change' | 'transfer' | undefined;
  /** The user ID of the developer. */
  developerId?: string | undefined;
  /** A UTC time: only apps that have waited since before it. */
  waitingBefore?: string | undefined;
  /** Apps with warnings, or without. Pages before the last one may then have fewer items than the limit, or none. */
  hasWarnings?: boolean | undefined;
  /** Whether to list the shortest wait first. */
  newestFirst?: boolean | undefined;
  /** Whether the page has the total. */
  withTotal?: boolean | undefined;
}

/**
 * Whether to take over another reviewer's claim. Without it, the error names that reviewer.
 *
 * @example
 * const options: ClaimOptions = { takeOver: true };
 * console.log((await operator.apps.claim(id, options)).expiresAt);
 */
export interface ClaimOptions extends RequestOptions {
  takeOver?: boolean | undefined;
}

/**
 * Apps of any developer, and their review.
 *
 * @example
 * const app = await operator.apps.create({ developerId: 'user_7', name: 'Invoice Sync' });
 * await operator.apps.submit(app.id);
 */
export class OperatorApps {
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
  }

  list(query?: AppQuery, options?: RequestOptions): List<OperatorApp, Total> {
    return this.#operations.list(['apps'], query, options);
  }

  /** Creates a draft. */
  create(app: NewApp, options?: RequestOptions): ApiPromise<OperatorApp> {
    return this.#operations.post(['apps'], { body: app }, options);
  }

  /** An app, with its approved content and warnings for reviewers. */
  get(id: string, options?: RequestOptions): ApiPromise<AppWithWarnings> {
    return this.#operations.get(['apps', id], options);
  }

  /** Update App, for the app of any developer. */
  update(id: string, update: AppUpdate, { ifMatch, ...options }: IfMatchOptions = {}): ApiPromise<OperatorApp> {
    return this.#operations.send('PATCH', ['apps', id], { body: update, ifMatch }, options);
  }

  /** Deletes an app. Refused if it has installations, unless `force` deletes them too. It can be restored for 30 days. */
  delete(
    id: string,
    { force, dryRun, ...options }: DryRunOptions & { force?: boolean | undefined } = {},
  ): ApiPromise<DeletedAppOrDryRun> {
    return this.#operations.send('DELETE', ['apps', id], { query: { force, dryRun } }, options);
  }

  /** The deleted apps that can be restored. */
  listDeleted(query?: DeletedAppQuery, options?: RequestOptions): List<DeletedApp, Total> {
    return this.#operations.list(['deleted-apps'], query, options);
  }

  /** Restores a deleted app, without installations. */
  restore(id: string, options?: RequestOptions): ApiPromise<OperatorApp> {
    return this.#operations.post(['apps', id, 'restore'], {}, options);
  }

  /** Transfers an app to another developer. */
  transfer(id: string, transfer: Transfer, options?: RequestOptions): ApiPromise<OperatorApp> {
    return this.#operations.post(['apps', id, 'transfer'], { body: transfer }, options);
  }

  /** The review queue, longest wait first by default. */
  listReviewQueue(query?: QueueQuery, options?: RequestOptions): List<QueueItem, Total> {
    return this.#operations.list(['apps', 'queue'], query, options);
  }

  submit(id: string, options?: IfMatchOptions): ApiPromise<OperatorApp> {
    return this.#step(id, 'submit', undefined, options);
  }

  withdraw(id: string, options?: IfMatchOptions): ApiPromise<OperatorApp> {
    return this.#step(id, 'withdraw', undefined, options);
  }

  /** Approves the revision that was read. Refused with 412 if it can no longer be decided on. */
  approve(app: ReviewedApp, approval?: Approval, options?: RequestOptions): ApiPromise<OperatorApp> {
    return this.#step(app.id, 'approve', approval, { ...options, ifMatch: app.etag });
  }

  /** Rejects the submission that was read. The developer receives the `message`. */
  reject(app: ReviewedApp, rejection: Rejection, options?: RequestOptions): ApiPromise<OperatorApp> {
    return this.#step(app.id, 'reject', rejection, { ...options, ifMatch: app.etag });
  }

  /** Rejects the change that was read; the approved content stays in effect. */
  rejectChange(app: ReviewedApp, rejection: Rejection, options?: RequestOptions): ApiPromise<OperatorApp> {
    return this.#step(app.id, 'reject-change', rejection, { ...options, ifMatch: app.etag });
  }

  /** Revokes the approval; with `disableInstallations` also disables all installations. */
  revoke(
    id: string,
    revocation: Revocation,
    { dryRun, ifMatch, ...options }: DryRunOptions & IfMatchOptions = {},
  ): ApiPromise<OperatorAppOrDryRun> {
    return this.#operations.post(['apps', id, 'revoke'], { body: revocation, query: { dryRun }, ifMatch }, options);
  }

  /** The decisions about an app, newest first; with `actors` the page has their names too. */
  listDecisions(
    id: string,
    query?: ListQuery & { actors?: boolean | undefined },
    options?: RequestOptions,
  ): List<Decision, Actors> {
    return this.#operations.list(['apps', id, 'decisions'], query, options);
  }

  /** Claims the app for 15 minutes, which shows other reviewers who is reviewing it. Claiming it again renews the claim. */
  claim(id: string, { takeOver, ...options }: ClaimOptions = {}): ApiPromise<ReviewClaim> {
    return this.#operations.post(['apps', id, 'claim'], { body: { takeOver } }, options);
  }

  /** Releases your claim, if there is one. */
  release(id: string, options?: RequestOptions): ApiPromise<EndedClaim> {
    return this.#operations.post(['apps', id, 'release'], {}, options);
  }

  /** The notes of reviewers, newest first. */
  listNotes(id: string, query?: ListQuery, options?: RequestOptions): List<ReviewNote> {
    return this.#operations.list(['apps', id, 'notes'], query, options);
  }

  createNote(id: string, note: NewReviewNote, options?: RequestOptions): ApiPromise<ReviewNote> {
    return this.#operations.post(['apps', id, 'notes'], { body: note }, options);
  }

  /** Deletes your own note; with the scope `admin`, any note. */
  deleteNote(id: string, noteId: string, options?: RequestOptions): ApiPromise<ReviewNote> {
    return this.#operations.send('DELETE', ['apps', id, 'notes', noteId], {}, options);
  }

  /** The revisions of an app's content, newest first; with `actors` the page has the names of their actors too. */
  listRevisions(
    id: string,
    query?: ListQuery & { actors?: boolean | undefined },
    options?: RequestOptions,
  ): List<ListedRevision, Actors> {
    return this.#operations.list(['apps', id, 'revisions'], query, options);
  }

  getRevision(id: string, revision: number, options?: RequestOptions): ApiPromise<AppRevision> {
    return this.#operations.get(['apps', id, 'revisions', revision], options);
  }

  /** Restores earlier content as a new revision. */
  revert(id: string, to: Revert, { ifMatch, ...options }: IfMatchOptions = {}): ApiPromise<OperatorApp> {
    return this.#operations.post(['apps', id, 'revert'], { body: to, ifMatch }, options);
  }

  #step(
    id: string,
    step: string,
    body: object | undefined,
    { ifMatch, ...options }: IfMatchOptions = {},
  ): ApiPromise<OperatorApp> {
    return this.#operations.post(['apps', id, step], { body, ifMatch }, options);
  }
}
