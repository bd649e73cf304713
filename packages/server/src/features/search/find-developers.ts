import type { Registry } from '../../kernel/registry.ts';
import type { DeveloperRow } from '../../storage/tables.ts';
import { operatorDeveloperView } from '../developers/change-developer.ts';
import { findTexts, type Sought, wordsOf } from './find-texts.ts';
import { listFoundDevelopers } from './found-object-queries.ts';
import { lowerAscii } from './projections.ts';
import type { SearchHit } from './search-result.ts';

type DeveloperHit = Extract<SearchHit, { type: 'developer' }>;

/** Developers whose email address and names contain the words of a text. */
export async function findDevelopersByText(registry: Registry, { text, wanted }: Sought): Promise<DeveloperHit[]> {
  const found = await Promise.all(
    spellingsOf(text).map((spelling) => findTexts(registry, { column: 'person', words: wordsOf(spelling), wanted })),
  );
  const ids = new Set(found.flat().map(({ subject_id: id }) => id));
  return developerHits(registry, [...ids].slice(0, wanted));
}

/** The existing ones of these developers, in their order. */
export async function developerHits({ storage }: Registry, ids: string[]): Promise<DeveloperHit[]> {
  const rows = await listFoundDevelopers(storage.reader, ids);
  const rowOf = new Map(rows.map((row) => [row.user_id, row]));
  return ids.flatMap((id) => rowOf.get(id) ?? []).map(developerHit);
}

function developerHit(row: DeveloperRow): DeveloperHit {
  const { suspensionReason: _, ...developer } = operatorDeveloperView(row);
  return { type: 'developer', ...developer };
}

/** The stored text is in lower case only as far as it is ASCII: a name such as Åsa is found by `Åsa` and by `åsa`. */
function spellingsOf(text: string): string[] {
  const lower = text.toLowerCase();
  const names = lower.replace(/(?<=^|\s)\S/gu, (initial) => initial.toUpperCase());
  return [...new Set([text, lower, names].map(lowerAscii))];
}
