import { chmodSync, chownSync, closeSync, openSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

const [privateFile, privateMask] = [0o600, 0o077];

/** The mode of a folder that only its owner may enter. */
export const privateFolder = 0o700;

/** Makes every file of this process private, also those of libraries, under any mask that it was started with. */
export function maskFiles(): void {
  process.umask(privateMask);
}

/** Creates an empty file of its owner alone, unless there is one. */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(linkTarget(path), 'wx', privateFile));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/**
 * Creates the file in which another one is written until it is complete, for its owner alone. Replaces what a killed process
 * has left there, and follows no link that someone has put there.
 */
export async function createPart(part: string): Promise<FileHandle> {
  await rm(part, { force: true });
  const handle = await open(part, 'wx', privateFile);
  // A mask can take rights from the owner too.
  await handle.chmod(privateFile);
  return handle;
}

/** Gives a complete and synced file its name. Unlike a rename, it fails with `EEXIST` if there is such a file. */
export async function publishPart(part: string, file: string): Promise<void> {
  const target = linkTarget(file);
  await link(part, target);
  await syncPath(dirname(target));
}

/** Puts a complete and synced file into the place of another one, where its links lead. No reader finds it missing. */
export async function replaceByPart(part: string, file: string): Promise<void> {
  const target = linkTarget(file);
  await rename(part, target);
  await syncPath(dirname(target));
}

/**
 * Writes a small file anew, or creates it. A reader finds the old text or the new one. It gets the owner of the file that
 * it goes with, which is the one before by default, and its mode.
 */
export async function replaceFile(
  file: string,
  text: string,
  { like = statIfPresent(file), mode = privateFile }: { like?: Stats | undefined; mode?: number } = {},
): Promise<void> {
  const part = `${linkTarget(file)}.${process.pid}.part`;
  try {
    const handle = await createPart(part);
    try {
      await handle.writeFile(text);
      if (like) giveTo(part, like, mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await replaceByPart(part, file);
  } finally {
    await rm(part, { force: true });
  }
}

/**
 * Gives a file the owner of the one that it replaces or goes with, as SQLite does with its log: one that root creates must
 * not keep the service from its own files. A user who may not give it away can give it to a group of theirs.
 */
export function giveTo(file: string, { uid, gid }: Stats, mode: number): void {
  try {
    chownSync(file, uid, gid);
  } catch {
    try {
      chownSync(file, process.geteuid?.() ?? uid, gid);
    } catch {
      // The file stays with its user.
    }
  }
  chmodSync(file, mode);
}

/** What a file grants its owner and its group, and no one else. */
export function modeWithoutOthers({ mode }: Stats): number {
  return mode & 0o660;
}

export function statIfPresent(file: string): Stats | undefined {
  return statSync(file, { throwIfNoEntry: false });
}

/** The file that a path means: where its links lead, also if nothing is there yet. */
export function linkTarget(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const named = readLink(path);
    if (named === null || !(error instanceof Error && 'code' in error && error.code === 'ENOENT')) return path;
    return linkTarget(resolve(realpathSync(dirname(path)), named));
  }
}

function readLink(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

/** Syncs a file, or the names in a folder, to disk. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path);
  await handle.sync().finally(() => handle.close());
}
