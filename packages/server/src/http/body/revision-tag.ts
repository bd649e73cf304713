import type { Registry } from '../../registry/registry.ts';
import { strongTags } from './entity-tag.ts';

/**
 * The `ETag` of a revision of an app's content (decision 22). A restored database has a new epoch, so that no earlier
 * tag matches.
 */
export function revisionTag(registry: Registry, revision: number): string {
  return `"${opaque(registry, revision)}"`;
}

/** The revisions that an If-Match allows; undefined if it is absent or `*`. */
export function expectedRevisions(registry: Registry, ifMatch: string | undefined): number[] | undefined {
  const tags = ifMatch === undefined ? null : strongTags(ifMatch);
  return tags?.flatMap((tag) => {
    const revision = Number.parseInt(tag, 10);
    return opaque(registry, revision) === tag ? [revision] : [];
  });
}

function opaque({ epoch }: Registry, revision: number): string {
  return `${revision}.${epoch.slice(0, 8)}`;
}
