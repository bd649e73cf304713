import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { keyNames } from './keys.ts';

test('docs/reviewing.md lists every key of the review mode', () => {
  const page = readFileSync(new URL('../../../../../docs/reviewing.md', import.meta.url), 'utf8');
  const listed = [...page.matchAll(/^\| (`.+?`) \|/gm)].flatMap(([, cell = '']) => cell.split(', '));
  const shown = Object.keys(keyNames).map((key) => (key === 'Control+K' ? '`Ctrl` `K`' : `\`${key.toUpperCase()}\``));
  assert.deepEqual(
    shown.filter((key) => !listed.includes(key)),
    [],
  );
});
