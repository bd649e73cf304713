import { createHash } from 'node:crypto';
import { Failure } from './failure.ts';
import { takeRandomBytes } from './ids.ts';
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
  return takeRandomBytes(9).toString('base64url');
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

/**
 * The `ETag` of a resource without revisions: a digest of what is stored of it. Leave out what changes without anyone
 * changing the resource, such as the time of its last use: no change of it depends on that.
 */
export function entityTag(stored: object): string {
  const columns = Object.entries(stored).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const digest = createHash('sha256').update(JSON.stringify(columns)).digest('base64url');
  return `"${digest.slice(0, tagLength)}"`;
}

/** 132 bits: no two states of a resource have the same tag. */
const tagLength = 22;

/** The states of a resource in which a change may be made, by its tags without quotes, or by the number of its revision. */
export interface RevisionCondition {
  /** Only these, which the caller may have seen; if absent, any. */
  ifRevision?: readonly RevisionName[] | undefined;
  /** None of these. */
  unlessRevision?: readonly RevisionName[] | 'any' | undefined;
}

/** A refusal with `precondition_failed`. */
export class PreconditionFailed extends Failure {
  /** The current `ETag`. */
  readonly etag: string;

  constructor(etag: string, detail: string) {
    super('precondition_failed', detail);
    this.etag = etag;
  }
}

/** Inside a write: refuses a resource that is in another state than the condition allows, with `precondition_failed`. */
export function requireUnchanged(what: string, etag: string, condition: RevisionCondition): void {
  requireState(what, { etag, names: [etag.slice(1, -1)] }, condition);
}

/** The same for one with revisions: an app, or the settings. */
export function requireRevision(
  registry: Registry,
  row: Revised,
  { what = 'app', ...condition }: RevisionCondition & { what?: string },
): void {
  const tag = revisionTag(registry, row);
  requireState(what, { etag: `"${tag}"`, names: [row.revision, tag] }, condition);
}

function requireState(
  what: string,
  { etag, names }: { etag: string; names: RevisionName[] },
  { ifRevision, unlessRevision = [] }: RevisionCondition,
): void {
  if (ifRevision && !ifRevision.some((name) => names.includes(name))) {
    throw new PreconditionFailed(
      etag,
      `The ${what} changed in the meantime. Read the current version, and apply the change to that.`,
    );
  }
  if (unlessRevision === 'any' || unlessRevision.some((name) => names.includes(name))) {
    throw new PreconditionFailed(
      etag,
      `If-None-Match excludes the current version of the ${what}. Nothing was changed.`,
    );
  }
}
