import { once } from 'node:events';
import { access, link, open, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { CannotWrite } from './file-failure.ts';

type Write = (text: string) => Promise<void>;

/**
 * Makes a file that was named on the command line: whole and on the disk, or not at all. One that is
 * there already is never overwritten. Only its owner may read it.
 */
export async function writeNewFile<Result>(file: string, work: (write: Write) => Promise<Result>): Promise<Result> {
  await requireAbsent(file);
  const part = `${file}.${process.pid}.part`;
  const handle = await orCannotWrite(file, () => open(part, 'wx', 0o600));
  try {
    const result = await work((text) => orCannotWrite(file, () => handle.appendFile(text)));
    await orCannotWrite(file, async () => {
      await handle.sync();
      // Unlike a renaming, it fails when somebody else has made the file meanwhile.
      await link(part, file);
      await syncFolder(dirname(file));
    });
    return result;
  } finally {
    await handle.close();
    await unlink(part);
  }
}

/** Writes to standard output, no faster than it is read. */
export async function writeOutput<Result>(command: Command, work: (write: Write) => Promise<Result>): Promise<Result> {
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  process.stdout.on('error', onError);
  try {
    return await work(async (text) => {
      command.configureOutput().writeOut?.(text);
      if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
      if (broken) throw broken;
    });
  } catch (error) {
    throw error === broken ? new CannotWrite(`Standard output cannot be written: ${reasonOf(error)}.`) : error;
  } finally {
    process.stdout.off('error', onError);
  }
}

async function requireAbsent(file: string): Promise<void> {
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere) throw new CannotWrite(`The file ${file} exists already and is not overwritten. Name another one.`);
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
  return new CannotWrite(`The file ${file} cannot be written: ${reasonOf(error)}.`);
}

function reasonOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
