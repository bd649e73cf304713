import type { ProtectedNameRow } from '../../../storage/tables.ts';
import { keysAbove, readHost } from './hosts.ts';
import { hostIdentity, type Identity, nameIdentity } from './identities.ts';
import { caselessSkeleton } from './skeleton.ts';

/** Protected names of more words are found only where they are a whole name. */
const wordsMax = 6;

/** What a protected name or host is compared by: one key for all that look alike. */
export function protectedKey({ kind, value }: Pick<ProtectedNameRow, 'kind' | 'value'>): string {
  const host = kind === 'host' ? readHost(value) : null;
  return (host ? hostIdentity(host) : nameIdentity(value)).skeleton;
}

/** The keys of the protected names or hosts that a name contains, or that a host is or is below. */
export function protectedKeysIn({ kind, text, skeleton }: Identity): string[] {
  return kind === 'host' ? keysAbove(skeleton) : [skeleton, ...keysOfWords(text)];
}

/** The skeletons of the words of a name, and of words in a row. */
function keysOfWords(name: string): string[] {
  // Those of words in a row are theirs joined, because nothing combines across the end of a word.
  const parts = name.match(/[\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}]+/gu) ?? [];
  const skeletons = parts.map(caselessSkeleton);
  const isWord = parts.map((part) => /^[\p{L}\p{N}\p{M}]/u.test(part));
  const keys: string[] = [];
  for (let from = 0; from < parts.length; from++) {
    for (let to = from; to < Math.min(parts.length, from + 2 * wordsMax - 1); to++) {
      if (isWord[from] && isWord[to]) keys.push(skeletons.slice(from, to + 1).join(''));
    }
  }
  return keys;
}
