import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandProblemTitles } from './cli/command-problems.ts';

const page = readFileSync(new URL('../../../docs/troubleshooting.md', import.meta.url), 'utf8');
const source = globSync('**/*.ts', { cwd: import.meta.dirname })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
  .join('\n');

test('the troubleshooting page quotes only messages that the program has', () => {
  const messages = sections('The server does not start', 'The log has a warning').flatMap(firstCells);
  assert.ok(messages.length > 15);
  assert.deepEqual(
    messages.filter((message) => !source.includes(message)),
    [],
  );
});

test('the troubleshooting page lists exactly the codes that only the command line reports', () => {
  const [listed = ''] = sections('A command fails');
  const codes = [...listed.matchAll(/^\| (`.*?) \| /gm)].flatMap(([, cell = '']) => cell.match(/[a-z_]+/g) ?? []);
  assert.deepEqual(codes.toSorted(), Object.keys(commandProblemTitles).toSorted());
});

function sections(...titles: string[]): string[] {
  return titles.map((title) => page.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? assert.fail(title));
}

function firstCells(section: string): string[] {
  return [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, message = '']) => message);
}
