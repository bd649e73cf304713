import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ImportLine, ImportLines, lineBytesMax } from './import-lines.ts';

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

test('a line of the maximum length is read, and a longer one is reported and truncated', () => {
  const [fits, tooLong] = ['x'.repeat(lineBytesMax), 'y'.repeat(lineBytesMax + 1)];
  const chunks = split(Buffer.from(`${fits}\n${tooLong}\n${tooLong}\nshort`), Array(200).fill(65_536));
  const lines = readAll(chunks).map(({ number, text, error }) => [number, text.length, error?.code]);
  assert.deepEqual(lines, [
    [1, lineBytesMax, undefined],
    [2, lineBytesMax, 'too_long'],
    [3, lineBytesMax, 'too_long'],
    [4, 5, undefined],
  ]);
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
