import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isEntityTags } from './header-fields.ts';

test('a list of entity tags has a comma between each two', () => {
  for (const field of ['*', ' * ', '"a"', 'W/"a"', '"a","b"', '"a" , W/"b"', ', "a",', '"a,b"', '""']) {
    assert.equal(isEntityTags(field), true, field);
  }
  for (const field of ['a', '"a" "b"', '"a""b"', 'W/ "a"', '"a', '"', '*, "a"', 'w/"a"', '"a b"', '"a", b']) {
    assert.equal(isEntityTags(field), false, field);
  }
});
