import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lineBytesMax } from './import-record-schema.ts';
import { type ImportLine, ImportLines } from './read-records.ts';

test('lines do not depend on the boundaries of chunks', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r', 'é', '🚀', '\u2028', ' ') });
  fc.assert(
    fc.property(text, fc.array(fc.nat({ max: 40 })), (content, lengths) => {
      const expected = content.split('\n');
      // An empty rest after the last line feed is not a line.
      if (expected.at(-1) === '') expected.pop();
      const lines = readAll(split(Buffer.from(content), lengths));
      assert.deepEqual(
        lines,
        expected.map((line, index) => ({ number: index + 1, text: line, error: null })),
      );
    }),
  );
});

test('a line of the maximum length is read, and a longer one is reported and is the last', () => {
  const [fits, tooLong] = ['x'.repeat(lineBytesMax), 'y'.repeat(lineBytesMax + 1)];
  for (const chunkBytes of [1_000_003, 65_536, 4 * lineBytesMax]) {
    const chunks = split(Buffer.from(`${fits}\n${tooLong}\nshort`), Array(200).fill(chunkBytes));
    const lines = readAll(chunks).map(({ number, error }) => [number, error?.code]);
    assert.deepEqual(lines, [
      [1, undefined],
      [2, 'too_long'],
    ]);
  }
});

test('a line without end is reported as soon as it is too long', () => {
  const lines = new ImportLines();
  const chunk = Buffer.alloc(65_536);
  let bytes = 0;
  const read: ImportLine[] = [];
  while (!lines.hasEnded) {
    read.push(...lines.push(chunk));
    bytes += chunk.length;
  }
  assert.deepEqual(
    read.map(({ number, error }) => [number, error?.code]),
    [[1, 'too_long']],
  );
  assert.equal(bytes, lineBytesMax + chunk.length);
  assert.deepEqual([...lines.push(chunk), ...lines.end()], []);
});

function readAll(chunks: Uint8Array[]): ImportLine[] {
  const lines = new ImportLines();
  return [...chunks.flatMap((chunk) => [...lines.push(chunk)]), ...lines.end()];
}

/** Chunks of these lengths, and the rest. */
function split(bytes: Uint8Array, lengths: number[]): Uint8Array[] {
  let start = 0;
  const chunks = lengths.map((length) => {
    start += length;
    return bytes.subarray(start - length, start);
  });
  return [...chunks, bytes.subarray(start)];
}
