import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const scope = '@appregistrar/';

/** Packages of others that are really meant. */
const ofOthers = new Set([
  '@hey-api/openapi-ts',
  '@openapitools/openapi-generator-cli',
  'node',
  'openapi-fetch',
  'openapi-typescript',
  'orval',
  'typescript',
  'zod',
]);

const commands =
  /\b(?<program>npx|bunx|(?:npm|pnpm|yarn|bun) (?:add|create|dlx|exec|i|init|install|x))\b(?<words>(?:[ \t]+[^\s`'"|&;()#\\]+)*)/g;

test('no document or message makes a user run or install a package that is neither ours nor well known', () => {
  const files = execFileSync('git', ['-C', repository, 'ls-files', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  const texts = files.split('\n').filter((file) => /\.(?:md|tsx?|js|json|ya?ml|html|sh)$/.test(file));
  const strangers = texts
    .filter((file) => file !== 'packages/server/src/package-names.test.ts' && existsSync(join(repository, file)))
    .flatMap((file) => strangersIn(readFileSync(join(repository, file), 'utf8')).map((name) => `${file}: ${name}`));
  assert.deepEqual(strangers, []);
});

test('a name outside the scope is detected in every command that would install it', () => {
  const text =
    'npx app-registry dev\n`npm install -g app-registry@1`\nnpx --yes --package=registry -- run\nnpm exec -- app-registry x\npnpm add zod mine';
  assert.deepEqual(strangersIn(text), ['app-registry', 'app-registry', 'registry', 'app-registry', 'mine']);
  assert.deepEqual(strangersIn(`npx ${scope}server dev\nnpm install ./server.tgz\nthe \`npx\` of a project`), []);
});

function strangersIn(text: string): string[] {
  return [...text.matchAll(commands)]
    .flatMap(({ groups: { program = '', words = '' } = {} }) => packagesOf(program, words.trim().split(/\s+/)))
    .filter((name) => !name.startsWith(scope) && !ofOthers.has(name));
}

/** The names of the packages that a command installs, without versions. */
function packagesOf(program: string, words: string[]): string[] {
  const options = words.flatMap((word) => /^(?:-p|--package)=(.+)/.exec(word)?.[1] ?? []);
  const names = words.filter((word) => /^[@a-z]/i.test(word));
  const runs = /x$|exec$/.test(program);
  const installed = options.length > 0 ? options : names.slice(0, runs ? 1 : undefined);
  return installed.map((name) => name.replace(/(?<=.)@.*/, ''));
}
