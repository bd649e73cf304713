import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { reviewWarnings } from './review-warning.ts';

test('every warning of review has a row in docs/reviewing.md', () => {
  const reference = readFileSync(new URL('../../../../../../docs/reviewing.md', import.meta.url), 'utf8');
  const missing = Object.entries(reviewWarnings).filter(
    ([code, meaning]) => !reference.includes(`| \`${code}\` | ${meaning}`),
  );
  assert.deepEqual(missing, []);
});
