import { randomBytes } from 'node:crypto';
import type { AppRow } from '../storage/tables.ts';
import { Failure } from './failure.ts';
import type { Registry } from './registry.ts';

/** What identifies a revision in a row. */
interface Revised {
  revision: number;
  revision_nonce: string;
}

/** A revision as a caller names it: by its number, which repeats after changes were lost, or exactly, by its tag. */
export type RevisionName = number | string;

/**
 * The random part of a revision. A database that loses its latest changes (a failover, an older copy) counts to the same
 * numbers again, with other content.
 */
export function newRevisionNonce(): string {
  return randomBytes(9).toString('base64url');
}

/** The `ETag` of a revision, which identifies its content for good. */
export function revisionETag(registry: Pick<Registry, 'epoch'>, row: Revised): string {
  return `"${revisionTag(registry, row)}"`;
}

/** Whether one of these names is that of the row's revision. */
export function isNamed(registry: Pick<Registry, 'epoch'>, row: Revised, names: readonly RevisionName[]): boolean {
  return names.includes(row.revision) || names.includes(revisionTag(registry, row));
}

function revisionTag({ epoch }: Pick<Registry, 'epoch'>, { revision, revision_nonce: revisionNonce }: Revised): string {
  return `${revision}.${epoch.slice(0, 8)}.${revisionNonce}`;
}

/** The revisions of an app's content at which a change may be made. */
export interface RevisionCondition {
  /** Only these, which the caller may have seen; if absent, any. */
  ifRevision?: readonly RevisionName[] | undefined;
  /** None of these. */
  unlessRevision?: readonly RevisionName[] | 'any' | undefined;
}

/** A refusal with `precondition_failed`. */
export class RevisionMismatch extends Failure {
  /** The `ETag` of the current revision. */
  readonly etag: string;

  constructor(registry: Pick<Registry, 'epoch'>, row: Revised, detail: string) {
    super('precondition_failed', detail);
    this.etag = revisionETag(registry, row);
  }
}

/** Refuses an app at another revision with `precondition_failed`. */
export function requireRevision(
  registry: Registry,
  app: AppRow,
  { ifRevision, unlessRevision = [] }: RevisionCondition,
): void {
  if (ifRevision && !isNamed(registry, app, ifRevision)) {
    throw new RevisionMismatch(
      registry,
      app,
      'The app has changed since it was read. Read it again, and apply the update to the current version.',
    );
  }
  if (unlessRevision === 'any' || isNamed(registry, app, unlessRevision)) {
    throw new RevisionMismatch(
      registry,
      app,
      'The app is still at a revision that If-None-Match excludes. Nothing was changed.',
    );
  }
}
