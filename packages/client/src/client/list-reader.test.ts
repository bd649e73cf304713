import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ListReader } from './list-reader.ts';

/** What is read of a text that comes in pieces. */
function read(pieces: string[]): unknown[] {
  const list = new ListReader<unknown>('list');
  const items = pieces.flatMap((piece) => list.push(piece));
  list.end();
  return items;
}

function cutAt(text: string, places: number[]): string[] {
  const sorted = places.map((place) => place % (text.length + 1)).sort((a, b) => a - b);
  return [0, ...sorted].map((from, at) => text.slice(from, sorted[at] ?? text.length));
}

const name = fc.oneof(fc.string(), fc.constantFrom('list', '"list":[', ',"list"', ',"list', '\\', '{', ']', '\\"'));
const value = fc.oneof(fc.jsonValue({ noUnicodeString: false }), name, fc.array(name));
const members = fc.dictionary(
  name.filter((each) => each !== 'list' && each !== '__proto__'),
  value,
);

test('the items are those that JSON.parse finds, whatever is around them and wherever the text is cut', () => {
  const shape = fc.record({
    before: members,
    list: fc.array(value),
    after: members,
    indent: fc.constantFrom(0, 2, '\t'),
    cuts: fc.array(fc.nat()),
  });
  const property = fc.property(shape, ({ before, list, after, indent, cuts }) => {
    const text = JSON.stringify({ ...before, list, ...after }, null, indent);
    assert.deepEqual(read(cutAt(text, cuts)), JSON.parse(text).list);
    assert.deepEqual(read([...text]), JSON.parse(text).list);
  });
  fc.assert(property, { numRuns: 500 });
});

test('an item is there as soon as it is whole', () => {
  const list = new ListReader<number>('list');
  assert.deepEqual(list.push('{"name":"x","list":[1,2'), [1]);
  assert.deepEqual(list.push('3'), []);
  assert.deepEqual(list.push(' , {"a":[],"b":"]'), [23]);
  assert.deepEqual(list.push('"}]'), [{ a: [], b: ']' }]);
});

test('a text that is not whole, wherever it was cut, is an error', () => {
  const text = '{"name":"x","list":[{"id":"\\"1"},{"id":"2"}],"developer":{"email":"x"}}';
  for (let end = 0; end < text.length; end += 1)
    assert.throws(() => read([text.slice(0, end)]), SyntaxError, text.slice(0, end));
});

test('what is no JSON, or has no such list, is an error', () => {
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
