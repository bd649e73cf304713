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
