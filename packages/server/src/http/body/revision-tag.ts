import type { Registry } from '../../registry/registry.ts';
import { strongTags } from './entity-tag.ts';

/**
 * The `ETag` for a revision of an app's content (decision 22). A restored database has another epoch, so
 * that a tag from before never matches.
 */
export function revisionTag(registry: Registry, revision: number): string {
  return `"${opaque(registry, revision)}"`;
}

/** The revisions that an If-Match allows; undefined when it is absent or allows any. */
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
