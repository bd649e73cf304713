import type { ValidationError } from '../../kernel/problem-details.ts';
import type { Registry } from '../../kernel/registry.ts';
import { readCsvFiles } from './csv/read-csv.ts';
import type { ImportInput, SourceRecord } from './import-input.ts';
import { lineBytesMax } from './import-record-schema.ts';

/** Distinguishes an error of the stream from those of the storage, which would classify it as its own. */
export class StreamError extends Error {}

/** Reads all records of an import, in the order in which they are stored. */
export async function* readRecords(registry: Registry, input: ImportInput): AsyncGenerator<SourceRecord> {
  const { onProgress } = input;
  let [bytes, records] = [0, 0];
  async function* chunksOf(open: () => AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of withStreamError(open)) {
      yield chunk;
      bytes += chunk.length;
      onProgress?.(bytes, records);
    }
  }
  const read = 'csv' in input ? readCsvFiles(registry, input.csv, chunksOf) : readJsonLines(chunksOf(input.open));
  for await (const record of read) {
    records += 1;
    yield record;
  }
}

async function* withStreamError(open: () => AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* open();
  } catch (error) {
    throw new StreamError('the stream failed', { cause: error });
  }
}

/** Reads JSON Lines, one record a line. Blank lines are none. */
async function* readJsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SourceRecord> {
  const lines = new ImportLines();
  for await (const chunk of chunks) {
    for (const line of lines.push(chunk)) if (!isBlank(line)) yield toRecord(line);
    if (lines.hasEnded) return;
  }
  for (const line of lines.end()) if (!isBlank(line)) yield toRecord(line);
}

function isBlank({ text, error }: ImportLine): boolean {
  return !error && /^[ \t\r]*$/.test(text);
}

function toRecord({ number: line, text, error }: ImportLine): SourceRecord {
  const value = error ? undefined : parse(text);
  if (value !== undefined) return { line, value, errors: [], bytes: text.length };
  return { line, value, errors: [error ?? notJson], bytes: text.length, text, isLast: error?.code === 'too_long' };
}

const notJson: ValidationError = {
  pointer: '',
  code: 'invalid_format',
  detail: 'The line must be one JSON object (RFC 8259).',
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const lineFeed = 0x0a;

export interface ImportLine {
  /** The first line is 1. */
  number: number;
  /** Without its line feed. */
  text: string;
  /** Why the line cannot be read; `text` is then a best effort. */
  error: ValidationError | null;
}

/**
 * Splits a file that arrives in chunks into lines. Holds one chunk and one line in memory. A line that is too long is the
 * last one: what follows may have no end.
 */
export class ImportLines {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #number = 0;
  #parts: Uint8Array[] = [];
  #length = 0;

  #hasEnded = false;

  /** Whether a line was too long, and no more are read. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Returns the lines that end in this chunk. */
  *push(chunk: Uint8Array): Generator<ImportLine> {
    let start = 0;
    while (!this.#hasEnded) {
      const end = chunk.indexOf(lineFeed, start);
      this.#hold(chunk.subarray(start, end === -1 ? chunk.length : end));
      this.#hasEnded = this.#length > lineBytesMax;
      if (end === -1 && !this.#hasEnded) return;
      yield this.#take();
      start = end + 1;
    }
  }

  /** Returns the last line if it has no line feed. */
  *end(): Generator<ImportLine> {
    if (this.#length > 0) yield this.#take();
  }

  #hold(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#parts.push(part);
    this.#length += part.length;
  }

  #take(): ImportLine {
    const [first, ...others] = this.#parts;
    const bytes = first && others.length === 0 ? first : Buffer.concat(this.#parts);
    const line = this.#hasEnded ? tooLong(bytes) : this.#decode(bytes);
    this.#parts = [];
    this.#length = 0;
    this.#number += 1;
    return { number: this.#number, ...line };
  }

  #decode(bytes: Uint8Array): Omit<ImportLine, 'number'> {
    try {
      return { text: this.#decoder.decode(bytes), error: null };
    } catch {
      const error = { pointer: '', code: 'invalid_format', detail: 'The line must be UTF-8.' } as const;
      return { text: Buffer.from(bytes).toString(), error };
    }
  }
}

function tooLong(bytes: Uint8Array): Omit<ImportLine, 'number'> {
  const detail = `The line must have at most ${lineBytesMax} bytes. The rest of the file was not read.`;
  return { text: Buffer.from(bytes).toString(), error: { pointer: '', code: 'too_long', detail } };
}

/** Reads the next batch while one is stored: on another processor, if that is what PostgreSQL has. */
export async function* bufferNextBatch<Batch>(
  batches: AsyncGenerator<Batch, undefined>,
): AsyncGenerator<Batch, undefined> {
  let next = batches.next();
  try {
    for (;;) {
      const { value, done } = await next;
      if (done) return;
      next = batches.next();
      // Handled when it is awaited.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await next.catch(() => {});
    await batches.return(undefined);
  }
}
