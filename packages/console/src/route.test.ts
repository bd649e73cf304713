import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hrefOf, readRoute } from './route.ts';

test('a page URL is parsed back to any path and query it was built from', () => {
  const name = 'a/b?c=d&e#f %2f ü 👩‍👩‍👧';
  const { path, query } = readRoute(hrefOf(['apps', name], { name, empty: '', missing: undefined }));
  assert.deepEqual([path, [...query]], [['apps', name], [['name', name]]]);
});

test('a malformed page URL is parsed as far as possible', () => {
  assert.deepEqual(readRoute('').path, []);
  assert.deepEqual(readRoute('#/').path, []);
  assert.deepEqual(readRoute('#apps//x/').path, ['apps', 'x']);
  assert.deepEqual(readRoute('#/apps/%zz').path, ['apps', '%zz']);
});
