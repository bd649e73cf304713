// Reports words that the project's glossary replaces, in identifiers and comments: npm run terms
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** What to write in place of each word. Stored and published names have underscores, or are strings: both stay. */
const replacements: Record<string, string> = {
  'told|telling': 'report, receive, show, store',
  'asked|asking|asker|askers': 'request, query',
  'answer|answers|answered|answering': 'response (noun); respond, return (verb)',
  'fault|faults|faulty': 'validation error, failure, defect',
  'member|members': 'field (of JSON)',
  'nobody|somebody|anybody': 'no one, another client or process, anyone',
  'whoever|whatever': 'anyone who, any, regardless of',
  'door|doors': 'interface, API, command line',
  'deed|deeds|bell|bells|patient|upkeep': 'change context, signal, retrying, maintenance',
  kept: 'cached, retained, stored',
  'rude|nasty|heed|heeds|heeded': 'hostile, fuzz, honour',
  'judge|judges|judged': 'validate, check',
  'unsaid|twin|twins': 'absent, counterpart',
};
/** The same for names; as verbs of a sentence these are plain English. */
const replacementsInNames: Record<string, string> = {
  ...replacements,
  'tell|tells': 'report, print, send',
  'ask|asks': 'request, query, call',
  'said|says': 'result, output',
};
const [inComments, inNames] = [replacements, replacementsInNames].map(
  (table) =>
    new Map(Object.entries(table).flatMap(([words, instead]) => words.split('|').map((word) => [word, instead]))),
);

/** Comments, strings and templates (which are skipped), and identifiers. */
const tokens =
  /(?<comment>\/\*[\s\S]*?\*\/|(?<![:'"`\\\w/])\/\/.*)|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\.|\$(?!\{)|\$\{[^{}`]*\})*`|(?<identifier>[A-Za-z_$][\w$]*)/g;

/** `answer` is the name of a column and of a field of the operator API: of deliveries and of idempotency keys. */
const hasStoredAnswers =
  /deliver|webhook|client\/src\/operator\/types|idempoten|integrity|storage\/(?:tables|testing|queries)|fill-registry|contract\/event/;

const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { encoding: 'utf8' }).trim().split('\n');
const findings = files.filter((file) => existsSync(file) && !file.includes('/migrations/')).flatMap(findingsIn);
for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exitCode = 1;

function findingsIn(file: string): string[] {
  if (file === 'scripts/check-terms.ts') return [];
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(tokens)].flatMap(({ index, groups = {} }) => {
    const [table, found] = groups.comment
      ? [inComments, wordsOf(groups.comment)]
      : [inNames, partsOf(groups.identifier ?? '')];
    return found.flatMap((word) => {
      if (word === 'answer' && !groups.comment && hasStoredAnswers.test(file)) return [];
      const instead = table?.get(word);
      return instead ? [`${file}:${text.slice(0, index).split('\n').length}: "${word}": write ${instead}`] : [];
    });
  });
}

/** The words of a comment, without code in backticks and quoted text. */
function wordsOf(comment: string): string[] {
  return (
    comment
      .replaceAll(/`[^`]*`|"[^"]*"/g, '')
      .toLowerCase()
      .match(/[a-z]+/g) ?? []
  );
}

/** `askNameServers` has three parts; `answer_status` is a stored name and has none. */
function partsOf(identifier: string): string[] {
  if (identifier.includes('_')) return [];
  return (identifier.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((part) => part.toLowerCase());
}
