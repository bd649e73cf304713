/** A part of two texts: what both have, only the earlier one, or only the later one. */
export interface TextPart {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** What is compared as a whole: words of any script, or single characters as people count them. */
export type TextUnit = 'word' | 'grapheme';

/** What both texts have at a place, or what replaces what. */
interface Run {
  isSame: boolean;
  removed: string;
  added: string;
}

/** Above this, comparing takes too long: the texts are shown one after the other. */
const comparisonsMax = 10_000_000;

/** Texts that share less are easier to read one after the other. */
const sharedMin = 1 / 3;

/**
 * How to make one text of another. The parts that are not added are the earlier text, and those that are not removed the
 * later one. Of each change, what was removed comes first.
 */
export function textDifference(earlier: string, later: string, unit: TextUnit): TextPart[] {
  const replaced = [{ isSame: false, removed: earlier, added: later }];
  const runs = runsOf(segmentsOf(earlier, unit), segmentsOf(later, unit));
  const readable = runs && merged(merged(runs).map(withoutCoincidence));
  return partsOf(readable && isWorthwhile(readable, earlier, later) ? readable : replaced);
}

function segmentsOf(text: string, granularity: TextUnit): string[] {
  return Array.from(new Intl.Segmenter(undefined, { granularity }).segment(text), ({ segment }) => segment);
}

function runsOf(earlier: string[], later: string[]): Run[] | undefined {
  const start = sharedStart(earlier, later);
  const end = sharedStart(earlier.slice(start).toReversed(), later.slice(start).toReversed());
  const [before, after] = [earlier.slice(start, earlier.length - end), later.slice(start, later.length - end)];
  if (before.length * after.length > comparisonsMax) return undefined;
  return [
    ...earlier.slice(0, start).map(same),
    ...changesOf(before, after),
    ...earlier.slice(earlier.length - end).map(same),
  ];
}

function sharedStart(one: string[], other: string[]): number {
  const at = one.findIndex((segment, index) => segment !== other[index]);
  return at === -1 ? one.length : at;
}

/** The shortest way from one list to the other, by their longest common subsequence. */
function changesOf(before: string[], after: string[]): Run[] {
  const lengthAt = commonLengths(before, after);
  const runs: Run[] = [];
  let [from, to] = [0, 0];
  while (from < before.length || to < after.length) {
    const [removed = '', added = ''] = [before[from], after[to]];
    if (from < before.length && to < after.length && removed === added) {
      runs.push(same(removed));
      from += 1;
      to += 1;
    } else if (to === after.length || (from < before.length && lengthAt(from + 1, to) >= lengthAt(from, to + 1))) {
      runs.push({ isSame: false, removed, added: '' });
      from += 1;
    } else {
      runs.push({ isSame: false, removed: '', added });
      to += 1;
    }
  }
  return runs;
}

/** How much the rests of two lists have in common, from any place of each. */
function commonLengths(before: string[], after: string[]): (from: number, to: number) => number {
  const width = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  const at = (from: number, to: number) => lengths[from * width + to] ?? 0;
  for (let from = before.length - 1; from >= 0; from -= 1) {
    for (let to = after.length - 1; to >= 0; to -= 1) {
      const isSame = before[from] === after[to];
      lengths[from * width + to] = isSame ? at(from + 1, to + 1) + 1 : Math.max(at(from + 1, to), at(from, to + 1));
    }
  }
  return at;
}

function same(text: string): Run {
  return { isSame: true, removed: text, added: text };
}

function merged(runs: Run[]): Run[] {
  const result: Run[] = [];
  for (const { isSame, removed, added } of runs) {
    const last = result.at(-1);
    if (last?.isSame === isSame) {
      last.removed += removed;
      last.added += added;
    } else {
      result.push({ isSame, removed, added });
    }
  }
  return result;
}

/** A space or a comma between two changes belongs to them. */
function withoutCoincidence(run: Run, at: number, runs: Run[]): Run {
  const isBetweenChanges = at > 0 && at < runs.length - 1;
  return { ...run, isSame: run.isSame && !(isBetweenChanges && !/[\p{L}\p{N}]/u.test(run.removed)) };
}

function isWorthwhile(runs: Run[], earlier: string, later: string): boolean {
  const shared = runs.reduce((sum, { isSame, removed }) => sum + (isSame ? removed.length : 0), 0);
  return shared >= sharedMin * Math.max(earlier.length, later.length);
}

function partsOf(runs: Run[]): TextPart[] {
  const parts = runs.flatMap(({ isSame, removed, added }): TextPart[] =>
    isSame
      ? [{ kind: 'same', text: removed }]
      : [
          { kind: 'removed', text: removed },
          { kind: 'added', text: added },
        ],
  );
  return parts.filter(({ text }) => text !== '');
}
