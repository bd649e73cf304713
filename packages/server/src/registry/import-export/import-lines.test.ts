import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ImportLine, ImportLines, lineBytesMax } from './import-lines.ts';

test('lines are the same wherever the pieces are cut', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r', 'é', '🚀', '\u2028', ' ') });
  fc.assert(
    fc.property(text, fc.array(fc.nat({ max: 40 })), (whole, cuts) => {
      const expected = whole.split('\n');
      // What follows the last line feed is a line only if it is something.
      if (expected.at(-1) === '') expected.pop();
      const lines = readAll(cut(Buffer.from(whole), cuts));
      assert.deepEqual(
        lines,
        expected.map((line, index) => ({ number: index + 1, text: line, fault: null })),
      );
    }),
  );
});

test('a line of the greatest length is read, and a longer one is told and cut', () => {
  const [fits, tooLong] = ['x'.repeat(lineBytesMax), 'y'.repeat(lineBytesMax + 1)];
  const pieces = cut(Buffer.from(`${fits}\n${tooLong}\n${tooLong}\nshort`), Array(200).fill(65_536));
  const lines = readAll(pieces).map(({ number, text, fault }) => [number, text.length, fault?.code]);
  assert.deepEqual(lines, [
    [1, lineBytesMax, undefined],
    [2, lineBytesMax, 'too_long'],
    [3, lineBytesMax, 'too_long'],
    [4, 5, undefined],
  ]);
});

function readAll(pieces: Uint8Array[]): ImportLine[] {
  const lines = new ImportLines();
  return [...pieces.flatMap((piece) => [...lines.push(piece)]), ...lines.end()];
}

/** Pieces of these lengths, and the rest. */
function cut(bytes: Uint8Array, lengths: number[]): Uint8Array[] {
  let start = 0;
  const pieces = lengths.map((length) => {
    start += length;
    return bytes.subarray(start - length, start);
  });
  return [...pieces, bytes.subarray(start)];
}
