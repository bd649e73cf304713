import { sql } from 'kysely';
import type { AccessTokenRow, AppRow, DeveloperRow, SettingsRow } from './tables.ts';

/**
 * The two small lookups of nearly every request. Each result includes everything that was committed before its lookup,
 * regardless of which process committed it.
 */
export interface RequestLookups {
  /** The token with this hash; null when there is none. */
  findToken(hash: string): Promise<RequestToken | null>;
  /** The text that changes with everything the platform view shows; null when no app has this id. */
  findPlatformRevision(appId: string): Promise<string | null>;
}

/** The distinct lookups of one event loop iteration. */
export interface LookupKeys {
  hashes: string[];
  appIds: string[];
}

/** Without those that were not found. */
export interface LookupResults {
  tokens: ReadonlyMap<string, RequestToken>;
  revisions: ReadonlyMap<string, string>;
}

/**
 * Collects the lookups of one event loop iteration and runs them together once all of its requests have arrived. One
 * database query is current for all of them, and many lookups cost little more than one.
 */
export class BatchLoader implements RequestLookups {
  readonly #load: (queries: LookupKeys) => Promise<LookupResults>;
  readonly #concurrentMax: number;
  #open: Batch | undefined;
  #loading = 0;

  /** At most `concurrentMax` batches load at a time; lookups that arrive meanwhile wait and form one batch. */
  constructor(load: (queries: LookupKeys) => Promise<LookupResults>, concurrentMax: number) {
    this.#load = load;
    this.#concurrentMax = concurrentMax;
  }

  findToken(hash: string): Promise<RequestToken | null> {
    return this.#batch().tokens.find(hash);
  }

  findPlatformRevision(appId: string): Promise<string | null> {
    return this.#batch().revisions.find(appId);
  }

  #batch(): Batch {
    if (!this.#open) {
      this.#open = new Batch();
      this.#schedule();
    }
    return this.#open;
  }

  /** Schedules the open batch, unless it is scheduled or the maximum is loading. */
  #schedule(): void {
    const batch = this.#open;
    if (!batch || batch.isScheduled || this.#loading === this.#concurrentMax) return;
    batch.isScheduled = true;
    this.#loading += 1;
    // After everything that this turn of the event loop has read from its connections.
    setImmediate(() => this.#run(batch));
  }

  async #run(batch: Batch): Promise<void> {
    this.#open = undefined;
    try {
      const { tokens, revisions } = await this.#load({
        hashes: batch.tokens.keys(),
        appIds: batch.revisions.keys(),
      });
      batch.tokens.resolve(tokens);
      batch.revisions.resolve(revisions);
    } catch (error) {
      batch.reject(error);
      this.#rejectWaiting(error);
    }
    this.#loading -= 1;
    this.#schedule();
  }

  /** After a load has timed out, the waiting batch would take as long again. */
  #rejectWaiting(error: unknown): void {
    if (!this.#open || this.#open.isScheduled) return;
    this.#open.reject(error);
    this.#open = undefined;
  }
}

class Batch {
  isScheduled = false;
  readonly tokens = new Lookups<RequestToken>();
  readonly revisions = new Lookups<string>();

  reject(error: unknown): void {
    this.tokens.reject(error);
    this.revisions.reject(error);
  }
}

/** The lookups of one kind, by their keys. */
class Lookups<Result> {
  readonly #pending = new Map<string, PromiseWithResolvers<Result | null>>();

  find(key: string): Promise<Result | null> {
    let pending = this.#pending.get(key);
    if (!pending) {
      pending = Promise.withResolvers<Result | null>();
      // A request that was refused for another reason meanwhile no longer waits.
      pending.promise.catch(() => {});
      this.#pending.set(key, pending);
    }
    return pending.promise;
  }

  keys(): string[] {
    return [...this.#pending.keys()];
  }

  resolve(results: ReadonlyMap<string, Result>): void {
    for (const [key, { resolve }] of this.#pending) resolve(results.get(key) ?? null);
  }

  reject(error: unknown): void {
    for (const { reject } of this.#pending.values()) reject(error);
  }
}

/** The columns that authentication needs. */
export const requestTokenColumns = [
  'id',
  'kind',
  'developer_id',
  'scopes',
  'expires_at',
  'revoked_at',
  'updates_per_minute',
  'reads_per_minute',
  'requests_per_minute',
  'suspended',
] as const;
export type RequestToken = Pick<AccessTokenRow, (typeof requestTokenColumns)[number]>;

/** What the text of a revision is made of. */
export type PlatformRevision = Pick<AppRow, 'platform_revision' | 'platform_revision_nonce'> &
  Pick<SettingsRow, 'changes_to_approved'> & { developer_nonce: DeveloperRow['revision_nonce'] };

/** The setting for changes to approved content, as part of a row. */
export const changesToApproved = sql<SettingsRow['changes_to_approved']>`(select changes_to_approved from settings)`.as(
  'changes_to_approved',
);

/** What identifies the developer as an app shows them, as part of the app's row. A subquery is a lookup by key in any plan. */
export const developerNonce = sql<DeveloperRow['revision_nonce']>`(
  select revision_nonce from developers where user_id = apps.developer_id)`.as('developer_nonce');

/** A text that no other platform view of the app has, even after changes were lost and their numbers repeat. */
export function platformRevisionText({
  platform_revision: number,
  platform_revision_nonce: revisionNonce,
  changes_to_approved: mode,
  developer_nonce: developer,
}: PlatformRevision): string {
  return [number, revisionNonce, mode, developer].join('.');
}
