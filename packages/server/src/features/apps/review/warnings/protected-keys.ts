import type { ProtectedNameRow } from '../../../../storage/tables.ts';
import { keysAbove, readHost } from './hosts.ts';
import { hostIdentity, type Identity, nameIdentity } from './identities.ts';
import { caselessSkeleton } from './skeleton.ts';

/** Protected names of more words, of which a single letter is none, are found only where they are a whole name. */
const wordsMax = 6;
/** Words, spaces and signs: bounds what a name of single letters costs. */
const partsMax = 19;

/** What a protected name or host is compared by: one key for all that look alike. */
export function protectedKey({ kind, value }: Pick<ProtectedNameRow, 'kind' | 'value'>): string {
  const host = kind === 'host' ? readHost(value) : null;
  return (host ? hostIdentity(host) : nameIdentity(value)).skeleton;
}

/** The keys of the protected names or hosts that a name contains, or that a host is or is below. */
export function protectedKeysIn({ kind, text, skeleton }: Identity): string[] {
  if (kind === 'host') return keysAbove(skeleton);
  // As people see it: an ignorable character ends no word.
  const visible = text.replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  // Both, because \u24c2 is a letter of a word, and \u2122 ends one.
  const spelled = visible.replace(/\p{S}/gu, (symbol) => symbol.normalize('NFKC'));
  return [skeleton, ...new Set([visible, spelled].flatMap(keysOfWords))];
}

/** The skeletons of the words of a name, and of words in a row, each also with the signs beside it. */
function keysOfWords(name: string): string[] {
  // Those of words in a row are theirs joined, because nothing combines across the end of a word.
  const parts = name.match(/[\p{L}\p{N}\p{M}]+|\p{White_Space}+|[^\p{L}\p{N}\p{M}\p{White_Space}]+/gu) ?? [];
  // The skeleton of the name itself.
  if (parts.length === 1) return [];
  const skeletons = parts.map(caselessSkeleton);
  const isSpace = parts.map((part) => /^\p{White_Space}/u.test(part));
  const isWord = parts.map((part) => /^[\p{L}\p{N}\p{M}]/u.test(part));
  const keys: string[] = [];
  for (let from = 0; from < parts.length; from++) {
    if (isSpace[from]) continue;
    let words = 0;
    for (let to = from; to < Math.min(parts.length, from + partsMax); to++) {
      if (isWord[to] && [...(parts[to] ?? '')].length > 1) words += 1;
      if (words > wordsMax) break;
      if (!isSpace[to]) keys.push(skeletons.slice(from, to + 1).join(''));
    }
  }
  return keys;
}
