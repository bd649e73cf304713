// Reports words that the project's glossary replaces, in names, comments, texts, pages and YAML: npm run terms
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Where a term is looked for: identifiers, or comments, strings and Markdown, or the pages of `docs` alone. */
type Place = 'names' | 'prose' | 'pages';

interface Terminology {
  /** Standard terms that contain words to avoid. */
  allowed: string[];
  /** What to write in place of some words; everywhere, unless `in` names the places. */
  terms: { avoid: string[]; write: string; in?: Place[] }[];
  /** A longer page has several subjects. */
  pageWordsMax: number;
  /** More semicolons than this make a page a chain of clauses. */
  semicolonsPerThousandWordsMax: number;
  /** Pages of `docs` to which the rules for pages do not apply yet, or whose text a program or an earlier run wrote. */
  unconvertedPages: string[];
}

interface Passage {
  places: Place[];
  text: string;
  /** Where it begins in the file. */
  index: number;
}

const terminologyFile = 'scripts/terminology.json';
const {
  allowed: standard,
  terms,
  pageWordsMax,
  semicolonsPerThousandWordsMax,
  unconvertedPages,
}: Terminology = JSON.parse(readFileSync(terminologyFile, 'utf8'));

/** Comments, strings and templates, and identifiers. JSX text is read as identifiers. */
const tokens =
  /(?<comment>\/\*[\s\S]*?\*\/|(?<![:'"`\\\w/])\/\/.*)|(?<string>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\.|\$(?!\{)|\$\{[^{}`]*\})*`)|(?<identifier>[A-Za-z_$][\w$]*)/g;

const termOf = new Map(terms.flatMap((term) => term.avoid.map((words) => [words, term])));
/** A phrase may be broken over lines, of comments too. */
const avoided = new RegExp(
  `(?<![\\w-])(?:${[...standard, ...termOf.keys()].join('|').replaceAll(' ', '[\\s*/]+')})(?![\\w-])`,
  'gi',
);

const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.md', '*.yml', '*.yaml'], { encoding: 'utf8' })
  .trim()
  .split('\n');
const findings = files.filter((file) => existsSync(file) && !file.includes('/migrations/')).flatMap(findingsIn);
for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exitCode = 1;

function findingsIn(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const passages = /\.tsx?$/.test(file) ? codePassages(text) : [pagePassage(file, text)];
  const found = passages.flatMap(({ places, text: passage, index }) =>
    [...passage.matchAll(avoided)].flatMap((match) => {
      const words = match[0].toLowerCase().replaceAll(/[\s*/]+/g, ' ');
      const term = termOf.get(words);
      if (!term || (term.in && !term.in.some((place) => places.includes(place)))) return [];
      const line = text.slice(0, index + match.index).split('\n').length;
      return [`${file}:${line}: "${words}": write ${term.write}`];
    }),
  );
  return [...found, ...passages.flatMap(pageFindings).map((finding) => `${file}: ${finding}`)];
}

/** Code is left out: it shows what programs print and store. */
function pagePassage(file: string, text: string): Passage {
  const prose = blanked(text, /^( *)```[\s\S]*?^\1```|`[^`\n]*`|\]\([^)]*\)/gm);
  const isPage = /^docs\/[\w-]+\.md$/.test(file) && !unconvertedPages.includes(file);
  return { places: isPage ? ['prose', 'pages'] : ['prose'], text: prose, index: 0 };
}

function pageFindings({ places, text }: Passage): string[] {
  if (!places.includes('pages')) return [];
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const words = count(/\S+/g);
  return [
    ...(words > pageWordsMax ? [`${words} words: cut the page by subject, to at most ${pageWordsMax}`] : []),
    ...(count(/;/g) > (semicolonsPerThousandWordsMax * words) / 1_000 ? ['write sentences instead of semicolons'] : []),
  ];
}

function codePassages(text: string): Passage[] {
  return [...text.matchAll(tokens)].flatMap(({ index, groups = {} }): Passage[] => {
    const { comment, string, identifier } = groups;
    if (comment) return [{ places: ['prose'], text: blanked(comment, /`[^`]*`|"[^"]*"/g), index }];
    // One word alone is a stored or published name.
    if (string)
      return string.includes(' ') ? [{ places: ['prose'], text: blanked(string, /\$\{[^}]*\}/g), index }] : [];
    return identifier ? [{ places: ['names'], text: wordsOf(identifier), index }] : [];
  });
}

function blanked(text: string, part: RegExp): string {
  return text.replaceAll(part, (found) => found.replaceAll(/[^\n]/g, ' '));
}

/** `askNameServers` has three words; `answer_status` is a stored name and has none. */
function wordsOf(identifier: string): string {
  return identifier.includes('_') ? '' : (identifier.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).join(' ');
}
