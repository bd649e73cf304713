import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { CannotRead, errorCode } from './file-failure.ts';

/** Reads a file named on the command line. Throws `CannotRead`. */
export async function readInput(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    throw cannotRead(file, error);
  }
}

/** Reads a file in chunks. Throws `CannotRead`. */
export async function* inputChunks(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file);
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

function cannotRead(file: string, error: unknown): CannotRead {
  return new CannotRead(`The file ${file} cannot be read: ${errorCode(error)}.`);
}
