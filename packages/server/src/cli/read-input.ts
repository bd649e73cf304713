import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { CannotRead } from './file-failure.ts';

/** The bytes of a file that was named on the command line. */
export async function readInput(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    throw cannotRead(file, error);
  }
}

/** The same in pieces, as they are read. */
export async function* inputPieces(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file);
  } catch (error) {
    throw cannotRead(file, error);
  }
}

/** The size of a file that was named on the command line. */
export async function inputBytes(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    throw cannotRead(file, error);
  }
}

function cannotRead(file: string, error: unknown): CannotRead {
  const reason = (error as NodeJS.ErrnoException).code ?? String(error);
  return new CannotRead(`The file ${file} cannot be read: ${reason}.`);
}
