import { randomBytes } from 'node:crypto';
import type { Registry } from './registry.ts';

/** What identifies a revision in a row. */
interface Revised {
  revision: number;
  revision_stamp: string | null;
}

/** A revision as a caller names it: by its number, which repeats after changes were lost, or exactly, by its tag. */
export type RevisionName = number | string;

/**
 * The random part of a revision. A database that loses its latest changes (a failover, an older copy) counts to the same
 * numbers again, with other content.
 */
export function newStamp(): string {
  return randomBytes(9).toString('base64url');
}

/** The `ETag` of a revision, which identifies its content for good. */
export function revisionETag(registry: Pick<Registry, 'epoch'>, row: Revised): string {
  return `"${revisionTag(registry, row)}"`;
}

/** Whether one of these names is that of the row's revision. */
export function isNamed(registry: Registry, row: Revised, names: readonly RevisionName[]): boolean {
  return names.includes(row.revision) || names.includes(revisionTag(registry, row));
}

function revisionTag({ epoch }: Pick<Registry, 'epoch'>, { revision, revision_stamp: stamp }: Revised): string {
  // The tag of earlier programs, which store no stamp.
  const tag = `${revision}.${epoch.slice(0, 8)}`;
  return stamp === null ? tag : `${tag}.${stamp}`;
}
