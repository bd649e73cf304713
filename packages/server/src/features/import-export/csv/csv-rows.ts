import { CsvError, type Options, Parser } from 'csv-parse';
import type { ValidationError, ValidationErrorCode } from '../../../kernel/problem-details.ts';
import { errorOfAll, lineBytesMax } from '../import-record-schema.ts';

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

const parserOptions: Options = {
  // Bytes as characters: each cell is decoded by itself, so that one that is not UTF-8 is an error of its row.
  encoding: 'latin1',
  max_record_size: lineBytesMax,
  record_delimiter: ['\r\n', '\n'],
  relax_column_count: true,
  skip_empty_lines: true,
};

/**
 * Reads CSV (RFC 4180) in UTF-8, with or without a byte order mark, in lines that end with LF or CRLF. Empty lines are
 * skipped. Holds one row and one chunk in memory. A file that cannot be read ends with an error as its last row.
 */
export async function* readCsvRows(chunks: AsyncIterable<Uint8Array>, delimiter: string): AsyncGenerator<CsvRow> {
  const parser = new RowParser(delimiter);
  try {
    for await (const chunk of withoutMark(chunks)) {
      const parsed = parser.parse(chunk);
      yield* parser.take();
      await parsed;
    }
    await parser.end();
    yield* parser.take();
  } catch (error) {
    const reason = unreadableReason(error);
    if (!reason) throw error;
    yield* parser.take();
    yield { line: parser.nextLine, error: reason };
  }
}

/** Parses chunks into rows with their lines. */
class RowParser {
  readonly #parser: Parser;
  readonly #lines = new RowLines();
  #rows: { record: string[]; end: number }[] = [];
  #bytes = 0;
  /** Where the last row ends. */
  #end = 0;

  constructor(delimiter: string) {
    this.#parser = new Parser({
      ...{ ...parserOptions, delimiter },
      on_record: (record: string[], { bytes }) => {
        this.#rows.push({ record, end: bytes });
        this.#end = bytes;
        // Nothing is left to read from the stream.
        return null;
      },
    });
    // Its errors are those of the calls.
    this.#parser.on('error', () => {});
  }

  /** The line on which the row begins that is parsed next. */
  get nextLine(): number {
    return this.#lines.firstLineUntil(this.#bytes);
  }

  /** All rows that end in the chunk can be taken at once, also if it then fails. */
  async parse(chunk: Uint8Array): Promise<void> {
    this.#lines.push(chunk);
    this.#bytes += chunk.length;
    await new Promise<void>((resolve, reject) => {
      this.#parser.write(chunk, (error) => (error ? reject(error) : resolve()));
    });
    // The parser bounds the characters of a row, and not its cells.
    if (this.#bytes - this.#end > lineBytesMax) throw new Unreadable(tooLong);
  }

  async end(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#parser.once('error', reject);
      this.#parser.end(resolve);
    });
  }

  *take(): Generator<CsvRow> {
    const rows = this.#rows;
    this.#rows = [];
    for (const { record, end } of rows) yield decoded(this.#lines.firstLineUntil(end), record);
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

function unreadableReason(error: unknown): ValidationError | null {
  if (error instanceof Unreadable) return error.reason;
  if (!(error instanceof CsvError)) return null;
  if (error.code === 'CSV_MAX_RECORD_SIZE') return tooLong;
  return error.code === 'CSV_QUOTE_NOT_CLOSED' ? notClosed : misplacedQuote;
}

const tooLong = unreadable(
  'too_long',
  `A row must have at most ${lineBytesMax} bytes. An unclosed quote makes one row of everything after it.`,
);
const notClosed = unreadable('invalid_format', 'This row has an unclosed quote.');
const misplacedQuote = unreadable(
  'invalid_format',
  'This row, or one shortly after it, has a quote inside a cell. Put the cell in quotes, and double the quotes inside it (RFC 4180).',
);
const utf16 = unreadable('invalid_format', 'The file is UTF-16. Save it as UTF-8.');

function unreadable(code: ValidationErrorCode, detail: string): ValidationError {
  return errorOfAll(code, `${detail} The rest of the file was not read.`);
}

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

const [lineFeed, carriageReturn] = [0x0a, 0x0d];

/** Counts the lines of a file that is read in chunks, of which it holds those that are not counted yet. */
class RowLines {
  #chunks: Uint8Array[] = [];
  /** The offset in the file of the first chunk. */
  #chunkStart = 0;
  /** How far lines are counted. */
  #offset = 0;
  #line = 1;

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
  }

  /** The line on which the row begins that ends at this offset and follows the last one, apart from empty lines. */
  firstLineUntil(end: number): number {
    this.#skipEmptyLines(end);
    const first = this.#line;
    while (this.#offset < end) this.#countIn(this.#nextChunk(), end);
    return first;
  }

  #skipEmptyLines(end: number): void {
    while (this.#offset < end) {
      const chunk = this.#nextChunk();
      const at = this.#offset - this.#chunkStart;
      // A carriage return that ends no line is part of a cell.
      const isEnd = chunk[at] === carriageReturn && (chunk[at + 1] ?? this.#chunks[1]?.[0]) === lineFeed;
      if (chunk[at] !== lineFeed && !isEnd) return;
      this.#line += 1;
      this.#offset += isEnd ? 2 : 1;
    }
  }

  /** The chunk that has the next byte. */
  #nextChunk(): Uint8Array {
    for (;;) {
      const [chunk] = this.#chunks;
      if (!chunk) throw new Error('a row ends after what was read');
      if (this.#offset < this.#chunkStart + chunk.length) return chunk;
      this.#chunkStart += chunk.length;
      this.#chunks.shift();
    }
  }

  #countIn(chunk: Uint8Array, end: number): void {
    const to = Math.min(chunk.length, end - this.#chunkStart);
    let at = chunk.indexOf(lineFeed, this.#offset - this.#chunkStart);
    while (at !== -1 && at < to) {
      this.#line += 1;
      at = chunk.indexOf(lineFeed, at + 1);
    }
    this.#offset = this.#chunkStart + to;
  }
}
