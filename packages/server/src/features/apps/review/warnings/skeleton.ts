import { nameKey } from '../../name-key.ts';
import confusables from './confusables.json' with { type: 'json' };

/**
 * The version of what `caselessSkeleton` returns: that of Unicode's data, and of the rules below, which
 * counts up when they change. Skeletons of different versions must not be compared.
 */
export const skeletonVersion = `${confusables.version}.1`;

/**
 * The skeleton of a text (UTS #39, section 4): texts that look alike have the same one. It is made to be compared, not
 * to be shown.
 */
export function skeleton(text: string): string {
  // Repeated, because a few prototypes of the data are composed of characters that have one themselves.
  return untilStable(text, (current) => {
    const visible = current.normalize('NFD').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
    return Array.from(visible, (character) => prototypes().get(character) ?? character)
      .join('')
      .normalize('NFD');
  });
}

/**
 * What names and hosts are compared by: texts that look alike in some choice of capitals have the same one, regardless of
 * white space. The skeleton comes before the change of case, because Greek `Ν` looks like `N` and its small letter like
 * `v`; so a name in another script and in other capitals may get another one.
 */
export function caselessSkeleton(text: string): string {
  // Repeated, because a prototype may be a capital: that of `0` is `O`. And the capital of `i` looks like `l`.
  return untilStable(text, (current) =>
    nameKey(skeleton(current))
      .replace(/\p{White_Space}/gu, '')
      .replaceAll('i', 'l'),
  );
}

function untilStable(text: string, step: (text: string) => string): string {
  const next = step(text);
  return next === text ? text : untilStable(next, step);
}

/** The prototype of each character that has one. Read on first use, as most processes never need them. */
function prototypes(): ReadonlyMap<string, string> {
  prototypeOf ??= new Map(
    Object.entries(confusables.characters).flatMap(([prototype, characters]) => {
      const text = textOf(prototype);
      return characters.split(' ').map((character): [string, string] => [textOf(character), text]);
    }),
  );
  return prototypeOf;
}

let prototypeOf: ReadonlyMap<string, string> | undefined;

/** The text of code points in hexadecimal. */
function textOf(codePoints: string): string {
  return String.fromCodePoint(...codePoints.split(' ').map((codePoint) => Number.parseInt(codePoint, 16)));
}
