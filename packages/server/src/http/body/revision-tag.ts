import type { IncomingHttpHeaders } from 'node:http';
import { type RevisionCondition, RevisionMismatch } from '../../features/apps/revision-condition.ts';
import { HttpProblem } from '../problem/problem.ts';
import { type EntityTag, listedTags } from './entity-tag.ts';

/** The preconditions of a change (RFC 9110, 13.2.2). */
export function revisionCondition({
  'if-match': ifMatch,
  'if-none-match': ifNoneMatch,
}: IncomingHttpHeaders): RevisionCondition {
  const expected = ifMatch === undefined ? null : listedTags(ifMatch);
  const excluded = ifNoneMatch === undefined ? [] : listedTags(ifNoneMatch);
  return {
    ifRevision: expected ? tagsOf(expected.filter(({ isWeak }) => !isWeak)) : undefined,
    unlessRevision: excluded ? tagsOf(excluded) : 'any',
  };
}

/** Does a change. Its refusal by a precondition has the current `ETag`. */
export async function withCurrentTag<Result>(change: () => Promise<Result>): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof RevisionMismatch)) throw error;
    throw new HttpProblem(error.code, error.message, { etag: error.etag });
  }
}

function tagsOf(tags: EntityTag[]): string[] {
  return tags.map(({ tag }) => tag);
}
