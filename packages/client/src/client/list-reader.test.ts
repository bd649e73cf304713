import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ListReader } from './list-reader.ts';

/** Reads a text that arrives in chunks. */
function read(chunks: string[]): unknown[] {
  const list = new ListReader<unknown>('list');
  const items = chunks.flatMap((chunk) => list.push(chunk));
  list.end();
  return items;
}

function splitAt(text: string, offsets: number[]): string[] {
  const sorted = offsets.map((offset) => offset % (text.length + 1)).sort((a, b) => a - b);
  return [0, ...sorted].map((from, at) => text.slice(from, sorted[at] ?? text.length));
}

const name = fc.oneof(fc.string(), fc.constantFrom('list', '"list":[', ',"list"', ',"list', '\\', '{', ']', '\\"'));
const value = fc.oneof(fc.jsonValue({ noUnicodeString: false }), name, fc.array(name));
const otherFields = fc.dictionary(
  name.filter((each) => each !== 'list' && each !== '__proto__'),
  value,
);

test('the items are those of JSON.parse, for any surrounding fields and any split of the text', () => {
  const shape = fc.record({
    before: otherFields,
    list: fc.array(value),
    after: otherFields,
    indent: fc.constantFrom(0, 2, '\t'),
    offsets: fc.array(fc.nat()),
  });
  const property = fc.property(shape, ({ before, list, after, indent, offsets }) => {
    const text = JSON.stringify({ ...before, list, ...after }, null, indent);
    assert.deepEqual(read(splitAt(text, offsets)), JSON.parse(text).list);
    assert.deepEqual(read([...text]), JSON.parse(text).list);
  });
  fc.assert(property, { numRuns: 500 });
});

test('an item is returned as soon as it is complete', () => {
  const list = new ListReader<number>('list');
  assert.deepEqual(list.push('{"name":"x","list":[1,2'), [1]);
  assert.deepEqual(list.push('3'), []);
  assert.deepEqual(list.push(' , {"a":[],"b":"]'), [23]);
  assert.deepEqual(list.push('"}]'), [{ a: [], b: ']' }]);
});

test('a text truncated at any position is an error', () => {
  const text = '{"name":"x","list":[{"id":"\\"1"},{"id":"2"}],"developer":{"email":"x"}}';
  for (let end = 0; end < text.length; end += 1)
    assert.throws(() => read([text.slice(0, end)]), SyntaxError, text.slice(0, end));
});

test('malformed JSON and an object without the list are errors', () => {
  const malformed = [
    '<html><body>list</body></html>',
    '{}',
    'null',
    '[]',
    '{"list":{}}',
    '{"list":"[1]"}',
    '{"other":{"list":[1]}}',
    '{"other,\\"list":[1]}',
    '{"list\\"":[1],"x":"\\"list\\":"}',
    '{"list":[1,]}',
    '{"list":[,1]}',
    '{"list":[,]}',
    '{"list":[1 2]}',
    '{"list":[1]]}',
    '{"list":[1}}',
    '{"list":[1]}}',
    '{"list":[1]} {}',
    '{"list":[{"a":1]}',
    '{"list":[nul]}',
    '{"list":[1],}',
    '{list:[1]}',
  ];
  for (const text of malformed) assert.throws(() => read([text]), SyntaxError, text);
});
