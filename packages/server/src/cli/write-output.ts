import { once } from 'node:events';
import { access, link, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { CannotWrite, errorCode } from './file-failure.ts';

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
  { part = `${file}.${process.pid}.part` }: NewFileOptions = {},
): Promise<Result> {
  await requireAbsent(file);
  const handle = await orCannotWrite(file, () => open(part, 'w', 0o600));
  try {
    const result = await work((data) => orCannotWrite(file, () => handle.appendFile(data)));
    await orCannotWrite(file, async () => {
      await handle.sync();
      // Unlike a rename, this fails when another process has created the file meanwhile.
      await link(part, file);
      await syncFolder(dirname(file));
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

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
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
