import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

test('the pages declare no colours of their own', async () => {
  const style = await readFile(new URL('../web/style.css', import.meta.url), 'utf8');
  assert.doesNotMatch(style, /#[0-9a-f]{3,8}\b|rgb|hsl|lch|light-dark/);
});
