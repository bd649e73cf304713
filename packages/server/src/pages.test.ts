import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

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

  test(`every link of ${page} to a file of the repository leads somewhere`, () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) => link);
    assert.deepEqual(
      links.filter((link) => !existsSync(join(repository, link))),
      [],
    );
  });
}

test('a name that does not exist is found, of each kind', () => {
  const missing = ['contract/event-type.ts', 'gone-file.ts', 'npm run nothing', '--no-such-option', 'NO_SUCH_VARIABLE'];
  assert.deepEqual([...missing, 'noSuchConstant', 'storage/*.tsx'].filter(exists), []);
});

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
