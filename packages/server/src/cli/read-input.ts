import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { CannotRead, errorCode } from './file-failure.ts';

/**
 * Reads a file named on the command line: all of it, or one byte more than the maximum if it is longer, even without end.
 * Throws `CannotRead`.
 */
export async function readInput(file: string, bytesMax: number): Promise<Uint8Array> {
  return buffer(inputChunks(file, { end: bytesMax }));
}

/**
 * Opens a file at its start, each time that it is called, to read it in chunks. What can be read only once, such as
 * standard input, can be opened only once. Throws `CannotRead`.
 */
export function openerOf(file: string): () => AsyncGenerator<Uint8Array> {
  let isOpened = false;
  return async function* open() {
    if (isOpened && !(await stat(file)).isFile()) throw new CannotRead(readOnce(file));
    isOpened = true;
    yield* inputChunks(file);
  };
}

/** Reads a file in chunks. Throws `CannotRead`. */
export async function* inputChunks(file: string, range: { end?: number } = {}): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file, range);
  } catch (error) {
    throw cannotRead(file, error);
  }
}

/** The size of a file in bytes. Throws `CannotRead`. */
export async function inputBytes(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    throw cannotRead(file, error);
  }
}

function readOnce(file: string): string {
  return `The import must restart, but ${file} cannot be read twice. Nothing was changed. Import from a file, or run the command again.`;
}

function cannotRead(file: string, error: unknown): CannotRead {
  return new CannotRead(`The file ${file} cannot be read: ${errorCode(error)}.`);
}
