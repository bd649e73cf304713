import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { lineBytesMax } from '../import-record-schema.ts';
import { type CsvRow, readCsvRows } from './csv-rows.ts';

const megabyte = 2 ** 20;

const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r\n', 'é', '🚀', '\u2028', ' ', '\0') });
/** A row of one empty cell would be an empty line. */
const row = fc.array(cell, { minLength: 2, maxLength: 5 });
const lengthsOfChunks = fc.array(fc.integer({ min: 1, max: 9 }));

test('every table is read as it was written, with the lines of its rows, regardless of the boundaries of chunks', async () => {
  const format = fc.record({
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    lineEnd: fc.constantFrom('\n', '\r\n'),
    mark: fc.constantFrom('', '\ufeff'),
    emptyLines: fc.array(fc.nat({ max: 2 }), { minLength: 8, maxLength: 8 }),
    isClosed: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 8 }), format, lengthsOfChunks, async (rows, format, lengths) => {
      const { delimiter, lineEnd, mark, emptyLines, isClosed } = format;
      let text = '';
      const expected = rows.map((cells, at) => {
        text += lineEnd.repeat(emptyLines[at] ?? 0);
        const line = 1 + (text.match(/\n/g)?.length ?? 0);
        text += cells.map((one) => quoted(one, delimiter)).join(delimiter) + lineEnd;
        return { line, cells, notUtf8: [] };
      });
      const bytes = Buffer.from(mark + (isClosed ? text : text.slice(0, text.length - lineEnd.length)));
      assert.deepEqual(await all(readCsvRows(split(bytes, lengths), delimiter)), expected);
    }),
    { numRuns: 300 },
  );
});

test('any bytes yield rows, or an error as the last row', async () => {
  const units = fc.constantFrom(...Buffer.from('",\n\ra\xc3\xa9\xff\xfe\0', 'latin1'));
  await fc.assert(
    fc.asyncProperty(fc.array(units, { maxLength: 60 }), lengthsOfChunks, async (bytes, lengths) => {
      const rows = await readAll(Buffer.from(bytes), lengths);
      assert.ok(rows.slice(0, -1).every((one) => !one.error));
      for (const [at, { line }] of rows.entries()) {
        assert.ok(line > (rows[at - 1]?.line ?? 0) && line <= bytes.length, JSON.stringify(rows));
      }
    }),
    { numRuns: 500 },
  );
});

test('a cell that is not UTF-8 is reported, and all others are read', async () => {
  assert.deepEqual(await readAll(Buffer.from('a,caf\xe9\n\xc3\xa9,\xc3\n', 'latin1')), [
    { line: 1, cells: ['a', 'caf\ufffd'], notUtf8: [1] },
    { line: 2, cells: ['é', '\ufffd'], notUtf8: [1] },
  ]);
});

for (const [what, text, detail, line] of [
  ['a quote that is not closed', 'x,y\n\na,"b\nc,d\n', /unclosed quote/, 3],
  ['text after a closing quote', 'x,y\n\na,"b"c\n', /RFC 4180/, 3],
  ['a quote inside of a cell', 'x,y\n\na,b"c\n', /RFC 4180/, 3],
  ['UTF-16 with its mark', '\xff\xfea\0', /UTF-16/, 1],
] as const) {
  test(`${what} ends the file with an error that names it`, async () => {
    const last = (await readAll(Buffer.from(text, 'latin1'))).at(-1);
    assert.deepEqual([last?.line, last?.error?.code], [line, 'invalid_format']);
    assert.match(last?.error?.detail ?? '', detail);
  });
}

for (const [what, start, piece] of [
  ['one cell', 'a,', 'x'],
  ['a quote that is not closed', 'a,"', '\n'],
  ['empty cells', 'a', ','],
  ['cells with a line break', 'a,"', '\n",,,,"'],
] as const) {
  test(`a row without end, of ${what}, is an error after a few megabytes`, async () => {
    const chunk = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)));
    let bytes = 0;
    async function* endless() {
      yield Buffer.from(`first,row\n${start}`);
      for (; bytes < 100 * megabyte; bytes += chunk.length) {
        yield chunk;
        if (bytes % megabyte < chunk.length) await nextTurn();
      }
    }
    const rows = await all(readCsvRows(endless(), ','));
    assert.deepEqual(
      rows.map(({ line, error }) => [line, error?.code]),
      [
        [1, undefined],
        [2, 'too_long'],
      ],
    );
    assert.ok(bytes <= lineBytesMax + 3 * megabyte, `${bytes} bytes were read`);
  });
}

test('an error of the stream is thrown unchanged, and a reader that stops closes the stream', async () => {
  let closed = 0;
  async function* chunks(failure?: Error) {
    try {
      yield Buffer.from('a,b\nc,d\n');
      if (failure) throw failure;
      yield Buffer.from('e,f\n');
    } finally {
      closed += 1;
    }
  }
  const failure = new Error('the disk is gone');
  await assert.rejects(all(readCsvRows(chunks(failure), ',')), failure);
  const rows = readCsvRows(chunks(), ',');
  await rows.next();
  await rows.return(undefined);
  assert.equal(closed, 2);
});

function readAll(bytes: Uint8Array, lengths: number[] = []): Promise<CsvRow[]> {
  return all(readCsvRows(split(bytes, lengths), ','));
}

async function all(rows: AsyncIterable<CsvRow>): Promise<CsvRow[]> {
  const read: CsvRow[] = [];
  for await (const one of rows) read.push(one);
  return read;
}

function quoted(text: string, delimiter: string): string {
  return /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
}

async function* split(bytes: Uint8Array, lengths: number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const length of lengths) {
    if (start >= bytes.length) return;
    yield bytes.subarray(start, start + length);
    start += length;
  }
  if (start < bytes.length) yield bytes.subarray(start);
}
