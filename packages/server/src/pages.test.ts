import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isTypeId } from './kernel/ids.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const pages = ['ARCHITECTURE.md', 'CONTRIBUTING.md'];

/** The folders that paths of these pages are relative to. */
const bases = ['', 'packages/server/src', 'packages/client/src', 'packages/client/src/client', 'node_modules'];

const tracked = execFileSync('git', ['-C', repository, 'ls-files'], { encoding: 'utf8' }).trim().split('\n');
const sources = tracked.filter(
  (file) => /\.(?:ts|tsx|js|json|yml)$/.test(file) && !/package-lock|openapi|results\//.test(file),
);
const sourceText = sources
  .filter((file) => file !== 'packages/server/src/pages.test.ts' && existsSync(join(repository, file)))
  .map((file) => readFileSync(join(repository, file), 'utf8'))
  .join('\n');
const words = new Set(sourceText.match(/[\w$]+/g));
const scripts = new Set(Object.keys(JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')).scripts));

for (const page of pages) {
  const text = readFileSync(join(repository, page), 'utf8');

  test(`every path, script, option, variable and constant that ${page} names exists`, () => {
    const names = [...text.matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map(([, name = '']) => name);
    assert.ok(names.length > 50, 'its names are found');
    assert.deepEqual(
      names.filter((name) => !exists(name)),
      [],
    );
  });

  test(`every number that ${page} gives with a constant is the value of that constant`, () => {
    for (const [, number = '', name] of text.matchAll(/([\d,]+)[^.()\d]* \(`(\w+)`\)/g)) {
      const [, value = ''] = new RegExp(`\\b${name} = ([\\d_]+)`).exec(sourceText) ?? [];
      assert.equal(value.replaceAll('_', ''), number.replaceAll(',', ''), `${name}`);
    }
  });
}

const documents = tracked.filter((file) => /\.md$|^docs\/.*\.json$/.test(file));

test('every link of a page leads to a file of the repository, and to a heading or an anchor in it', () => {
  // The README of an archive links to files of the archive.
  const files = documents.filter((file) => file.endsWith('.md') && !file.startsWith('scripts/release/files/'));
  const links = files.flatMap((file) => linksOf(file).map((link) => ({ file, link })));
  assert.ok(links.length > 500);
  const broken = links.filter(({ file, link }) => !leads(file, link));
  assert.deepEqual(
    broken.map(({ file, link }) => `${file}: ${link}`),
    [],
  );
  assert.ok(!leads('README.md', 'gone.md') && !leads('README.md', 'docs/events.md#gone'));
});

test('every id in a page, a published document or a comment of the client is valid', () => {
  const examples = documents.map((file) => [file, readFileSync(join(repository, file), 'utf8')] as const);
  const comments = tracked
    .filter((file) => /^packages\/client\/src\/.*\.ts$/.test(file) && !file.includes('test'))
    .map(
      (file) =>
        [
          file,
          readFileSync(join(repository, file), 'utf8')
            .match(/\/\*\*.*?\*\//gs)
            ?.join('\n') ?? '',
        ] as const,
    );
  const invalid = [...examples, ...comments].flatMap(([file, text]) => invalidIds(text).map((id) => `${file}: ${id}`));
  assert.deepEqual(invalid, []);
  assert.deepEqual(invalidIds("app_not_found, 'workspace_1', user_id, 'logo_x'"), ['workspace_1', 'logo_x']);
});

test('every actor in a page or a published document is one that events record', () => {
  const actors = documents.flatMap((file) => {
    const text = readFileSync(join(repository, file), 'utf8');
    return [...text.matchAll(/"actor": ?"([^"…]+)"|\t(command-line[^\t]*)\t/g)].map(
      ([, json, shown]) => json ?? shown ?? '',
    );
  });
  assert.ok(actors.length > 1);
  const isActor = (actor: string) => /^(?:token_|command-line:.|oidc:.|maintenance$)/.test(actor);
  assert.deepEqual(
    actors.filter((actor) => !isActor(actor)),
    [],
  );
});

test('every command of a page runs in bash 4 and with curl 7.81', () => {
  const shell = documents.flatMap((file) =>
    [...readFileSync(join(repository, file), 'utf8').matchAll(/^ *```(?:sh|shell|bash|console)\n(.*?)^ *```$/gms)]
      .flatMap(([, block = '']) => block.replaceAll(/\\\n/g, '').split('\n'))
      .map((line) => `${file}: ${line.trim()}`),
  );
  assert.ok(shell.length > 300);
  assert.deepEqual(shell.filter(needsNewer), []);
  assert.ok(['call "$TOKEN" /apps --json {}', 'curl -w "%header{etag}"', 'echo $EPOCHSECONDS'].every(needsNewer));
});

test('a name that does not exist is found, of each kind', () => {
  const missing = ['contract/event-type.ts', 'gone-file.ts', 'npm run nothing', '--no-such-option', 'NO_SUCH_VARIABLE'];
  assert.deepEqual([...missing, 'noSuchConstant', 'storage/*.tsx'].filter(exists), []);
});

/** Words that look like ids, by a digit or a single letter after the prefix. */
function invalidIds(text: string): string[] {
  const prefixes =
    'app|user|workspace|installation|logo|token|event|webhook|delivery|note|protected_name|reason_template';
  const ids = text.matchAll(new RegExp(`(?<![\\w.-])(?:${prefixes})_(?:[a-zA-Z]|\\w*\\d\\w*)(?![\\w…-])`, 'g'));
  return [...ids].map(([id]) => id).filter((id) => !isTypeId(id, id.replace(/_[^_]*$/, '')));
}

/** Whether a command needs an option of a newer curl, or a feature of a newer bash. */
function needsNewer(command: string): boolean {
  const ofCurl = /\b(?:curl|call|send)\b.* (?:--json|--url-query|--variable|--expand-\S+|--rate)\b|%header\{|%output\{/;
  const ofBash = /\bEPOCH(?:SECONDS|REALTIME)\b|\bSRANDOM\b|\bwait -\w*p|\$\{\w+@[UuLKk]\}|\$\{ /;
  return ofCurl.test(command) || ofBash.test(command);
}

/** Whether everything that a piece of inline code names is in the repository. */
function exists(name: string): boolean {
  const script = /^npm run (\S+)/.exec(name)?.[1];
  if (script) return scripts.has(script);
  if (isPath(name)) return bases.some((base) => pathExists(join(base, name)));
  if (/^[\w.-]+\.(?:ts|js|json|md)$/.test(name)) return tracked.some((file) => basename(file) === name);
  if (name.startsWith('--')) return sourceText.includes(name);
  return (name.match(/[A-Za-z_$][\w$]*/g) ?? []).every((word) => words.has(word));
}

function isPath(name: string): boolean {
  return /^[\w.*-]+\/[\w./*-]*$/.test(name) && !/^(?:application|@appregistrar)\//.test(name);
}

function pathExists(path: string): boolean {
  return path.includes('*') ? globSync(path, { cwd: repository }).length > 0 : existsSync(join(repository, path));
}

/** A page without its blocks of code. */
function proseOf(file: string): string {
  return readFileSync(join(repository, file), 'utf8').replaceAll(/^( *)```.*?^\1```/gms, '');
}

/** The links of a page to itself and to other files. */
function linksOf(file: string): string[] {
  const links = proseOf(file)
    .replaceAll(/`[^`\n]*`/g, 'code')
    .matchAll(/\]\((?!https?:)([^)\s]+)\)/g);
  return [...links].map(([, link = '']) => link);
}

function leads(file: string, link: string): boolean {
  const [path, anchor] = link.split('#');
  const target = path ? join(dirname(file), path) : file;
  return existsSync(join(repository, target)) && (anchor === undefined || anchorsOf(target).includes(anchor));
}

/** The anchors that GitHub gives to the headings of a page, and those of its own. */
function anchorsOf(file: string): string[] {
  const prose = proseOf(file);
  const slugs = [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
  return [...slugs, ...[...prose.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)];
}
