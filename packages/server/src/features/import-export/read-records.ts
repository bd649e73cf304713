import type { ValidationError } from '../../kernel/problem-details.ts';
import type { Registry } from '../../kernel/registry.ts';
import { readCsvFiles } from './csv/read-csv.ts';
import type { ImportInput, SourceRecord } from './import-input.ts';
import { errorOfAll, lineBytesMax } from './import-record-schema.ts';

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

const lineFeed = 0x0a;

/**
 * Reads JSON Lines, one record a line. Blank lines are none. Holds one chunk and one line in memory. A line that is too long
 * is the last one: what follows may have no end.
 */
async function* readJsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SourceRecord> {
  let line = 1;
  let parts: Uint8Array[] = [];
  let length = 0;
  const takeLine = () => {
    const record = toRecord(line, parts);
    [line, parts, length] = [line + 1, [], 0];
    return record;
  };
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; ) {
      const found = chunk.indexOf(lineFeed, start);
      const end = found === -1 ? chunk.length : found;
      parts.push(chunk.subarray(start, end));
      length += end - start;
      start = end + 1;
      if (found === -1 && length <= lineBytesMax) continue;
      const record = takeLine();
      if (record) yield record;
      if (record?.isLast) return;
    }
  }
  const record = takeLine();
  if (record) yield record;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Null if the line is blank. */
function toRecord(line: number, parts: Uint8Array[]): SourceRecord | null {
  const [first, ...others] = parts;
  const bytes = first && others.length === 0 ? first : Buffer.concat(parts);
  if (bytes.length > lineBytesMax) return unreadable(line, Buffer.from(bytes).toString(), tooLong);
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return unreadable(line, Buffer.from(bytes).toString(), notUtf8);
  }
  if (/^[ \t\r]*$/.test(text)) return null;
  try {
    return { line, value: JSON.parse(text), errors: [], bytes: text.length };
  } catch {
    return unreadable(line, text, notJson);
  }
}

function unreadable(line: number, text: string, error: ValidationError): SourceRecord {
  return { line, value: undefined, errors: [error], bytes: text.length, text, isLast: error === tooLong };
}

const tooLong = errorOfAll(
  'too_long',
  `The line must have at most ${lineBytesMax} bytes. The rest of the file was not read.`,
);
const notUtf8 = errorOfAll('invalid_format', 'The line must be UTF-8.');
const notJson = errorOfAll('invalid_format', 'The line must be one JSON object (RFC 8259).');

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
