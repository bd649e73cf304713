import { nameKey } from '../app-content.ts';
import confusables from './confusables.json' with { type: 'json' };

/**
 * The version of what `caselessSkeleton` returns: that of Unicode's data, and of the rules below and of
 * the list of sites (`tldts`), which counts up when they change. Skeletons of different versions must not be compared.
 */
export const skeletonVersion = `${confusables.version}.2`;

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
      const text = fromCodePoints(prototype);
      return characters.split(' ').map((character): [string, string] => [fromCodePoints(character), text]);
    }),
  );
  return prototypeOf;
}

let prototypeOf: ReadonlyMap<string, string> | undefined;

/** The text of code points in hexadecimal. */
function fromCodePoints(codePoints: string): string {
  return String.fromCodePoint(...codePoints.split(' ').map((codePoint) => Number.parseInt(codePoint, 16)));
}

/**
 * The scripts that a text mixes (UTS #39, section 5.1), by their names in Unicode; none when one script has all of its
 * characters, or one writing system of several scripts. Latin may stand beside Chinese, Japanese and Korean, as in text of
 * the level "Highly Restrictive" (section 5.2).
 */
export function mixedScripts(text: string): string[] {
  const written = Array.from(text).filter((character) => !isShared.test(character));
  const candidates = Object.keys(scripts).filter((script) => scripts[script]?.test(text));
  const scriptsOf = written.map((character) => {
    const own = candidates.filter((script) => scripts[script]?.test(character));
    return own.length === 0 ? [otherScript] : own;
  });
  const systemsOf = (own: string[]) => own.flatMap((script) => [script, ...(writingSystems[script] ?? [])]);
  const [first = [], ...others] = scriptsOf.map(systemsOf);
  const isOne = first.some((system) => others.every((other) => other.includes(system)));
  if (isOne || scriptsOf.length === 0) return [];
  return [...new Set(scriptsOf.flatMap((own) => own.slice(0, 1)))].toSorted();
}

/** Digits, punctuation, marks and others that any script may use. */
const isShared = /^[\p{Script_Extensions=Common}\p{Script_Extensions=Inherited}]$/u;

/** The scripts that modern languages are written in (UAX #31, table 5). All others count as one. */
const scripts: Record<string, RegExp> = Object.fromEntries(
  (
    'Latin Arabic Armenian Bengali Bopomofo Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Han Hangul ' +
    'Hebrew Hiragana Kannada Katakana Khmer Lao Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan'
  )
    .split(' ')
    .map((script) => [script, new RegExp(`\\p{Script_Extensions=${script}}`, 'u')]),
);
const otherScript = 'another script';

/** The writing systems that use several scripts, by script. */
const writingSystems: Record<string, string[]> = {
  Latin: ['Chinese', 'Japanese', 'Korean'],
  Han: ['Chinese', 'Japanese', 'Korean'],
  Bopomofo: ['Chinese'],
  Hiragana: ['Japanese'],
  Katakana: ['Japanese'],
  Hangul: ['Korean'],
};
