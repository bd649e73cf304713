import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, readRoute } from './route.ts';

test('the address of a page is read as it was made, whatever is in it', () => {
  const name = 'a/b?c=d&e#f %2f ü 👩‍👩‍👧';
  const { path, query } = readRoute(addressOf(['apps', name], { name, empty: '', missing: undefined }));
  assert.deepEqual([path, [...query]], [['apps', name], [['name', name]]]);
});

test('an address that was typed by hand is read as far as it goes', () => {
  assert.deepEqual(readRoute('').path, []);
  assert.deepEqual(readRoute('#/').path, []);
  assert.deepEqual(readRoute('#apps//x/').path, ['apps', 'x']);
  assert.deepEqual(readRoute('#/apps/%zz').path, ['apps', '%zz']);
});
