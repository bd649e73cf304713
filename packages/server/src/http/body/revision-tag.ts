import type { IncomingHttpHeaders } from 'node:http';
import { type RevisionCondition, RevisionMismatch } from '../../registry/apps/revision-condition.ts';
import type { Registry } from '../../registry/registry.ts';
import { HttpProblem } from '../problem/problem.ts';
import { type EntityTag, listedTags } from './entity-tag.ts';

/**
 * The `ETag` of a revision of an app's content (decision 22). A restored database has a new epoch, so that no earlier
 * tag matches.
 */
export function revisionTag(registry: Registry, revision: number): string {
  return `"${opaque(registry, revision)}"`;
}

/** The preconditions of a change (RFC 9110, 13.2.2). */
export function revisionCondition(
  registry: Registry,
  { 'if-match': ifMatch, 'if-none-match': ifNoneMatch }: IncomingHttpHeaders,
): RevisionCondition {
  const expected = ifMatch === undefined ? null : listedTags(ifMatch);
  const excluded = ifNoneMatch === undefined ? [] : listedTags(ifNoneMatch);
  return {
    ifRevision: expected
      ? revisionsOf(
          registry,
          expected.filter(({ isWeak }) => !isWeak),
        )
      : undefined,
    unlessRevision: excluded ? revisionsOf(registry, excluded) : 'any',
  };
}

/** Does a change. Its refusal by a precondition has the current `ETag`. */
export async function withCurrentTag<Result>(registry: Registry, change: () => Promise<Result>): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof RevisionMismatch)) throw error;
    throw new HttpProblem(error.code, error.message, { etag: revisionTag(registry, error.revision) });
  }
}

function revisionsOf(registry: Registry, tags: EntityTag[]): number[] {
  return tags.flatMap(({ tag }) => {
    const revision = Number.parseInt(tag, 10);
    return opaque(registry, revision) === tag ? [revision] : [];
  });
}

function opaque({ epoch }: Registry, revision: number): string {
  return `${revision}.${epoch.slice(0, 8)}`;
}
