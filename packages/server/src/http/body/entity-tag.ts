import type { IncomingHttpHeaders } from 'node:http';
import { type RevisionCondition, RevisionMismatch } from '../../kernel/revision.ts';
import { HttpProblem } from '../problem/problem.ts';

const entityTag = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

interface EntityTag {
  tag: string;
  isWeak: boolean;
}

/** Whether an If-Match has this tag, as a strong one, or is `*` (RFC 9110, 13.1.1). */
export function matchesStrongly(field: string, tag: string): boolean {
  return listedTags(field)?.some((listed) => !listed.isWeak && listed.tag === tag) ?? true;
}

/** Whether an If-None-Match has this tag, strong or weak, or is `*` (RFC 9110, 13.1.2). */
export function matchesWeakly(field: string, tag: string): boolean {
  if (field === `"${tag}"`) return true;
  return listedTags(field)?.some((listed) => listed.tag === tag) ?? true;
}

/** The tags in an If-Match or If-None-Match; null for `*`. A malformed list has none. */
function listedTags(field: string): EntityTag[] | null {
  if (field.trim() === '*') return null;
  const isList = /^[\s,]*$/.test(field.replaceAll(entityTag, ''));
  return isList
    ? [...field.matchAll(entityTag)].map(([, weak, tag = '']) => ({ tag, isWeak: weak !== undefined }))
    : [];
}

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
