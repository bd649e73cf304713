import type { ApiPromise } from '../client/api-promise.ts';
import type { RequestOptions } from '../client/options.ts';
import type { List, Operations } from './operations.ts';
import type { DryRunOptions, Total, TotalQuery } from './queries.ts';
import type {
  Developer,
  DeveloperRecord,
  DeveloperUpdate,
  ErasedDeveloperOrDryRun,
  NewDeveloper,
  OperatorDeveloper,
  SuspendedDeveloperOrDryRun,
  Suspension,
  UnsuspendedDeveloperOrDryRun,
} from './types.ts';

/**
 * Filters for developers.
 *
 * @example
 * const query: DeveloperQuery = { sort: '-createdAt' };
 * for await (const { email } of operator.developers.list(query)) console.log(email);
 */
export interface DeveloperQuery extends TotalQuery {
  sort?: 'userId' | '-userId' | 'email' | '-email' | 'createdAt' | '-createdAt' | undefined;
}

/**
 * Developers of apps.
 *
 * @example
 * const developer = await operator.developers.create({ userId: 'user_7', email: 'ada@example.com', firstName: 'Ada', lastName: 'L' });
 * console.log(developer.userId);
 */
export class OperatorDevelopers {
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
  }

  list(query?: DeveloperQuery, options?: RequestOptions): List<OperatorDeveloper, Total> {
    return this.#operations.list(['developers'], query, options);
  }

  create(developer: NewDeveloper, options?: RequestOptions): ApiPromise<Developer> {
    return this.#operations.post(['developers'], { body: developer }, options);
  }

  /** The track record for reviewers: counts of apps, decisions and suspensions, up to 10,000 each. */
  getRecord(userId: string, options?: RequestOptions): ApiPromise<DeveloperRecord> {
    return this.#operations.get(['developers', userId, 'record'], options);
  }

  get(userId: string, options?: RequestOptions): ApiPromise<OperatorDeveloper> {
    return this.#operations.get(['developers', userId], options);
  }

  update(userId: string, update: DeveloperUpdate, options?: RequestOptions): ApiPromise<OperatorDeveloper> {
    return this.#operations.send('PATCH', ['developers', userId], { body: update }, options);
  }

  /** Permanently erases the names and the email address. The apps and their history stay. */
  erase(userId: string, { dryRun, ...options }: DryRunOptions = {}): ApiPromise<ErasedDeveloperOrDryRun> {
    return this.#operations.post(['developers', userId, 'erase'], { query: { dryRun } }, options);
  }

  /** Revokes their apps, disables the installations and refuses their tokens, until `unsuspend`. */
  suspend(
    userId: string,
    suspension: Suspension,
    { dryRun, ...options }: DryRunOptions = {},
  ): ApiPromise<SuspendedDeveloperOrDryRun> {
    return this.#operations.post(['developers', userId, 'suspend'], { body: suspension, query: { dryRun } }, options);
  }

  unsuspend(userId: string, { dryRun, ...options }: DryRunOptions = {}): ApiPromise<UnsuspendedDeveloperOrDryRun> {
    return this.#operations.post(['developers', userId, 'unsuspend'], { query: { dryRun } }, options);
  }
}
