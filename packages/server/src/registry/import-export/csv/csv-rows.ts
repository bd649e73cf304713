import { pipeline } from 'node:stream';
import { CsvError, type Info, type Options, parse } from 'csv-parse';
import { lineBytesMax } from '../../../contract/import-record.ts';
import type { ValidationError } from '../../../contract/problem.ts';
import { RowLines } from './row-lines.ts';

/** One row of a CSV file, or why the file can be read no further. */
export type CsvRow =
  | {
      /** Where it begins. */
      line: number;
      cells: string[];
      /** The indexes of cells whose bytes are not UTF-8. */
      notUtf8: number[];
      error?: never;
    }
  | { line: number; error: ValidationError };

/** What the parser and the streams before it may hold beside the row. */
const bufferedBytesMax = 1_000_000;

const parserOptions: Options = {
  // Bytes as characters: each cell is decoded by itself, so that one that is not UTF-8 is an error of its row.
  encoding: 'latin1',
  info: true,
  max_record_size: lineBytesMax,
  record_delimiter: ['\r\n', '\n'],
  relax_column_count: true,
  skip_empty_lines: true,
};

/**
 * Reads CSV (RFC 4180) in UTF-8, with or without a byte order mark, in lines that end with LF or CRLF. Empty lines are no
 * rows. Holds one row and a few chunks in memory. A file that cannot be read ends with an error as its last row.
 */
export async function* readCsvRows(chunks: AsyncIterable<Uint8Array>, delimiter: string): AsyncGenerator<CsvRow> {
  const parser = parse({ ...parserOptions, delimiter });
  const lines = new RowLines();
  async function* counted() {
    let bytes = 0;
    for await (const chunk of withoutMark(chunks)) {
      lines.push(chunk);
      bytes += chunk.length;
      yield chunk;
      // The parser counts the characters of a row, and not its cells.
      if (bytes - parser.info.bytes_records > lineBytesMax + bufferedBytesMax) throw new Unreadable(tooLong);
    }
  }
  // Its errors are those of the loop.
  pipeline(counted(), parser, () => {});
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      yield decoded(lines.firstLineUntil(info.bytes), record);
    }
  } catch (error) {
    const reason = reasonOf(error);
    if (!reason) throw error;
    yield { line: lines.line, error: reason };
  }
}

/** Why a file can be read no further. */
class Unreadable extends Error {
  readonly reason: ValidationError;

  constructor(reason: ValidationError) {
    super(reason.detail);
    this.reason = reason;
  }
}

function reasonOf(error: unknown): ValidationError | null {
  if (error instanceof Unreadable) return error.reason;
  if (!(error instanceof CsvError)) return null;
  if (error.code === 'CSV_MAX_RECORD_SIZE') return tooLong;
  return error.code === 'CSV_QUOTE_NOT_CLOSED' ? notClosed : misplacedQuote;
}

const readNoFurther = 'The file was read no further.';
const tooLong: ValidationError = {
  pointer: '',
  code: 'too_long',
  detail: `A row must have at most ${lineBytesMax} bytes. A quote that is not closed makes one row of all that follows. ${readNoFurther}`,
};
const notClosed: ValidationError = {
  pointer: '',
  code: 'invalid_format',
  detail: `A quote of this row is not closed. ${readNoFurther}`,
};
const misplacedQuote: ValidationError = {
  pointer: '',
  code: 'invalid_format',
  detail: `This row, or one soon after it, has a quote inside of a cell. Put the cell in quotes and double the quotes inside (RFC 4180). ${readNoFurther}`,
};
const utf16: ValidationError = {
  pointer: '',
  code: 'invalid_format',
  detail: `The file is UTF-16. Save it as UTF-8. ${readNoFurther}`,
};

/** Leaves out the byte order mark of UTF-8, and refuses the one of UTF-16. */
async function* withoutMark(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Uint8Array | null = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (start === null) {
      yield chunk;
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (start.length < 3) continue;
    yield afterMark(start);
    start = null;
  }
  if (start !== null && start.length > 0) yield start;
}

function afterMark(start: Uint8Array): Uint8Array {
  const hex = Buffer.from(start.subarray(0, 3)).toString('hex');
  if (hex.startsWith('fffe') || hex.startsWith('feff')) throw new Unreadable(utf16);
  return hex === 'efbbbf' ? start.subarray(3) : start;
}

const strictly = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const notAscii = /[\x80-\xff]/;

function decoded(line: number, record: string[]): CsvRow {
  const notUtf8: number[] = [];
  const cells = record.map((cell, at) => {
    if (!notAscii.test(cell)) return cell;
    const bytes = Buffer.from(cell, 'latin1');
    try {
      return strictly.decode(bytes);
    } catch {
      notUtf8.push(at);
      return bytes.toString();
    }
  });
  return { line, cells, notUtf8 };
}
