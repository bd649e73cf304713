import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { access, rm, stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { ArchiveFile } from '../features/events/archive/archive-file.ts';
import { createPart, linkTarget, publishPart } from '../files/private-files.ts';
import { CannotRead, CannotWrite, errorCode } from './command-problems.ts';

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
async function* inputChunks(file: string, range: { end?: number } = {}): AsyncGenerator<Uint8Array> {
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

type Write = (text: string) => Promise<void>;
type WriteBytes = (data: string | Uint8Array) => Promise<void>;

interface NewFileOptions {
  /** Where it is written until it is complete. What a killed process has left there is overwritten. */
  part?: string;
}

/**
 * Creates a file named on the command line: complete and synced to disk, or not at all. An existing file is never
 * overwritten. Only the owner may read it. Throws `CannotWrite`.
 */
export async function writeNewFile<Result>(
  file: string,
  work: (write: WriteBytes) => Promise<Result>,
  { part = `${linkTarget(file)}.${process.pid}.part` }: NewFileOptions = {},
): Promise<Result> {
  await requireAbsent(file);
  const handle = await orCannotWrite(file, () => createPart(part));
  try {
    const result = await work((data) => orCannotWrite(file, () => handle.appendFile(data)));
    await orCannotWrite(file, async () => {
      await handle.sync();
      await publishPart(part, file);
    });
    return result;
  } finally {
    await handle.close();
    await rm(part, { force: true });
  }
}

/** Writes to standard output, no faster than it is read. Throws `CannotWrite`. */
export async function writeOutput<Result>(command: Command, work: (write: Write) => Promise<Result>): Promise<Result> {
  let streamError: Error | undefined;
  const onError = (error: Error) => {
    streamError = error;
  };
  process.stdout.on('error', onError);
  try {
    return await work(async (text) => {
      command.configureOutput().writeOut?.(text);
      if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
      if (streamError) throw streamError;
    });
  } catch (error) {
    throw error === streamError ? new CannotWrite(`Standard output cannot be written: ${errorCode(error)}.`) : error;
  } finally {
    process.stdout.off('error', onError);
  }
}

/** Whether there is a file of this name. */
export async function fileExists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

async function requireAbsent(file: string): Promise<void> {
  if (await fileExists(file))
    throw new CannotWrite(`The file ${file} already exists and is not overwritten. Choose another name.`);
}

async function orCannotWrite<Result>(file: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    throw cannotWrite(file, error);
  }
}

function cannotWrite(file: string, error: unknown): CannotWrite {
  return new CannotWrite(`The file ${file} cannot be written: ${errorCode(error)}.`);
}

/** A file of archived events, named on the command line. Throws `CannotRead` and `CannotWrite`. */
export function archiveFile(name: string): ArchiveFile {
  const part = `${linkTarget(name)}.part`;
  return {
    name,
    async exists() {
      if (!(await fileExists(name))) return false;
      await rm(part, { force: true });
      return true;
    },
    create: (bytes) =>
      writeNewFile(
        name,
        async (write) => {
          for await (const chunk of bytes) await write(chunk);
        },
        { part },
      ),
    read: () => inputChunks(name),
  };
}
