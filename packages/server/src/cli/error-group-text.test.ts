import assert from 'node:assert/strict';
import { test } from 'node:test';
import { otherRecords } from './report-failure.ts';

const lines = (count: number) => Array.from({ length: count }, (_, at) => ({ line: at + 1, value: `v${at + 1}` }));

test('the value of one record is shown, and what it clashes with', () => {
  assert.equal(otherRecords({ count: 1, examples: [{ line: 3 }] }), '');
  assert.equal(otherRecords({ count: 1, examples: [{ line: 3, value: 'a "b"' }] }), ' ("a \\"b\\"")');
  const here = { id: 'app_1', file: 'apps.csv', line: 2 };
  assert.equal(
    otherRecords({ count: 1, examples: [{ line: 3, value: 5, clashesWith: here }] }),
    ' (5 see apps.csv line 2)',
  );
  const before = { id: 'app_1' };
  assert.equal(
    otherRecords({ count: 1, examples: [{ line: 3, clashesWith: before }] }),
    ' (see app_1, which was here before)',
  );
});

test('the first five of many records are shown, with the number of the others', () => {
  assert.equal(otherRecords({ count: 2, examples: lines(2) }), ' (2 times: "v1"; line 2 "v2")');
  assert.equal(
    otherRecords({ count: 1_204, examples: lines(10) }),
    ' (1204 times: "v1"; line 2 "v2"; line 3 "v3"; line 4 "v4"; line 5 "v5"; and 1199 more)',
  );
});

test('an error outside an import adds nothing', () => {
  assert.equal(otherRecords({}), '');
});
