import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describe, describeOnOneLine } from './describe-result.ts';

test('fields are printed one per line, with their values in one column', () => {
  assert.equal(
    describe({ id: 'app_1', name: 'Invoice Sync', count: 3, enabled: false }),
    ['id       app_1', 'name     Invoice Sync', 'count    3', 'enabled  false'].join('\n'),
  );
});

test('the fields of an object are indented below it, in a column of their own', () => {
  const listingInfo = { backgroundColor: '#fff', shortDescription: 'Short.' };
  assert.equal(
    describe({ id: 'app_1', listingInfo, revision: 2 }),
    ['id        app_1', 'listingInfo:', '  backgroundColor   #fff', '  shortDescription  Short.', 'revision  2'].join(
      '\n',
    ),
  );
});

test('a multi-line text stays in its column', () => {
  assert.equal(describe({ reason: 'One.\nTwo.\r\nThree.' }), 'reason  One.\n        Two.\n        Three.');
});

test('undefined values are omitted', () => {
  assert.equal(describe({ id: 'app_1', name: undefined, oauthInfo: {} }), 'id  app_1\noauthInfo:');
});

test('list items are printed one below the other, each after a dash', () => {
  const items = [
    { id: 'app_1', listingInfo: { backgroundColor: '#fff' } },
    { id: 'app_2', name: 'Two' },
  ];
  assert.equal(
    describe({ items, nextCursor: 'next' }),
    [
      'items:',
      '  - id  app_1',
      '    listingInfo:',
      '      backgroundColor  #fff',
      '  - id    app_2',
      '    name  Two',
      'nextCursor  next',
    ].join('\n'),
  );
  assert.equal(describe({ items: [] }), 'items:');
});

test('a list of strings stays on one line', () => {
  assert.equal(describe({ id: 'token_1', scopes: ['read', 'review'] }), 'id      token_1\nscopes  read, review');
  assert.equal(describe({ items: [{ scopes: ['read'] }] }), 'items:\n  - scopes  read');
});

test('an object on one line shows each value after its path, with line breaks escaped', () => {
  assert.equal(
    describeOnOneLine({ name: 'A, "B"', listingInfo: { longDescription: 'One.\nTwo.', shortDescription: null } }),
    'name "A, \\"B\\"", listingInfo.longDescription "One.\\nTwo.", listingInfo.shortDescription null',
  );
  assert.equal(describeOnOneLine({ count: 2, ids: ['a'] }), 'count 2, ids ["a"]');
  assert.equal(describeOnOneLine({}), '');
});
