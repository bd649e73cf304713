import type { Registry } from '../../../kernel/registry.ts';
import { readCsvFiles } from '../csv/read-csv-files.ts';
import type { ImportInput } from '../import-input.ts';
import { readJsonLines } from './json-lines.ts';
import type { SourceRecord } from './source-record.ts';

/** Distinguishes an error of the stream from those of the storage, which would classify it as its own. */
export class StreamError extends Error {}

/** Reads all records of an import, in the order in which they are stored. */
export async function* recordsOf(registry: Registry, input: ImportInput): AsyncGenerator<SourceRecord> {
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
