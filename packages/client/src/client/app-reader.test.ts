import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AppReader } from './app-reader.ts';

/** Reads a text that arrives in chunks: the object, with the items as its installations. */
function read(chunks: string[]): object {
  const reader = new AppReader();
  const installations = chunks.flatMap((chunk) => reader.push(chunk));
  reader.end();
  return { ...reader.app, installations };
}

function splitAt(text: string, offsets: number[]): string[] {
  const sorted = offsets.map((offset) => offset % (text.length + 1)).sort((a, b) => a - b);
  return [0, ...sorted].map((from, at) => text.slice(from, sorted[at] ?? text.length));
}

const name = fc.oneof(
  fc.string(),
  fc.constantFrom('installations', '"installations":[', ',"installations"', ',"installations', '\\', '{', ']', '\\"'),
);
const value = fc.oneof(fc.jsonValue({ noUnicodeString: false }), name, fc.array(name));
const otherFields = fc.dictionary(
  name.filter((each) => each !== 'installations' && each !== '__proto__'),
  value,
);

test('the object and its items are those of JSON.parse, for any surrounding fields and any split of the text', () => {
  const shape = fc.record({
    before: otherFields,
    installations: fc.array(otherFields),
    after: otherFields,
    indent: fc.constantFrom(0, 2, '\t'),
    offsets: fc.array(fc.nat()),
  });
  const property = fc.property(shape, ({ before, installations, after, indent, offsets }) => {
    const text = JSON.stringify({ ...before, installations, ...after }, null, indent);
    assert.deepEqual(read(splitAt(text, offsets)), JSON.parse(text));
    assert.deepEqual(read([...text]), JSON.parse(text));
  });
  fc.assert(property, { numRuns: 150 });
});

test('an item is returned as soon as it is complete', () => {
  const reader = new AppReader();
  assert.deepEqual(reader.push('{"name":"x","installations":[{"a":1},{"a'), [{ a: 1 }]);
  assert.deepEqual(reader.push('":2'), []);
  assert.deepEqual(reader.push('} , {"a":[],"b":"]'), [{ a: 2 }]);
  assert.deepEqual(reader.push('"}]'), [{ a: [], b: ']' }]);
});

test('the fields before the installations are known when it starts, and all others when it has been read', () => {
  const reader = new AppReader();
  reader.push('{"name":"x"');
  assert.equal(reader.app, undefined);
  reader.push(',"installations":[');
  const { app } = reader;
  assert.deepEqual(app, { name: 'x' });
  reader.push('{"a":1}],"logoUrl":"y"}');
  reader.end();
  assert.deepEqual(app, { name: 'x', logoUrl: 'y' });
});

test('a text truncated at any position is an error', () => {
  const text = '{"name":"x","installations":[{"id":"\\"1"},{"id":"2"}],"developer":{"email":"x"}}';
  for (let end = 0; end < text.length; end += 1)
    assert.throws(() => read([text.slice(0, end)]), SyntaxError, text.slice(0, end));
});

test('malformed JSON and an object without the installations are errors', () => {
  const malformed = [
    '<html><body>installations</body></html>',
    '{}',
    'null',
    '[]',
    '{"installations":{}}',
    '{"installations":"[1]"}',
    '{"other":{"installations":[1]}}',
    '{"other,\\"installations":[1]}',
    '{"installations\\"":[1],"x":"\\"installations\\":"}',
    '{"installations":[{},]}',
    '{"installations":[,{}]}',
    '{"installations":[{},,{}]}',
    '{"installations":[,]}',
    '{"installations":[{} {}]}',
    '{"installations":[1 {}]}',
    '{"installations":[1]}',
    '{"installations":[{},1]}',
    '{"installations":[{}]]}',
    '{"installations":[{}}}',
    '{"installations":[{}]}}',
    '{"installations":[{}]} {}',
    '{"installations":[{"a":1]}',
    '{"installations":[nul]}',
    '{"installations":[{}],}',
    '{installations:[1]}',
  ];
  for (const text of malformed) assert.throws(() => read([text]), SyntaxError, text);
});
