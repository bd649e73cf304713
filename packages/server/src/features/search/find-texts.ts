import type { Registry } from '../../kernel/registry.ts';
import { type FoundText, listSearchTexts, type TextSearch } from './search-text-queries.ts';

/** What to find, and how many of it. */
export interface Sought {
  text: string;
  wanted: number;
}

interface WordSearch {
  column: TextSearch['column'];
  /** In lower case. */
  words: string[];
  wanted: number;
}

/** How many are compared to find the best. Of more, which are compared is left to the index. */
const comparedMax = 200;

/** The texts that contain all words, those in which each starts a word first, and of these the shortest. */
export async function findTexts({ storage }: Registry, { column, words, wanted }: WordSearch): Promise<FoundText[]> {
  if (words.length === 0) return [];
  const found = new Map<string, FoundText>();
  for (const parts of [words.map(startOfWord), words.map((word) => (isLetter(word) ? startOfWord(word) : word))]) {
    if (found.size >= wanted) break;
    const texts = await listSearchTexts(storage, { column, parts, limit: comparedMax });
    for (const text of texts.toSorted(shortestFirst)) if (!found.has(text.subject_id)) found.set(text.subject_id, text);
  }
  return [...found.values()].slice(0, wanted);
}

/** The words of a text, without any that another contains. */
export function wordsOf(text: string): string[] {
  const words = [...new Set(text.split(/\s+/).filter(Boolean))];
  return words.filter((word) => !words.some((other) => other !== word && other.includes(word)));
}

/** Each word of a stored text follows a space. */
function startOfWord(word: string): string {
  return ` ${word}`;
}

/** One letter is in nearly every text. In scripts without spaces it may be a word. */
function isLetter(word: string): boolean {
  return /^[\p{ASCII}\p{Script=Latin}]$/u.test(word);
}

function shortestFirst(one: FoundText, other: FoundText): number {
  return one.text.length - other.text.length || (one.text < other.text ? -1 : 1);
}
