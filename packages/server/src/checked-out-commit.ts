import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * The commit that is checked out in a repository, if its files show it. Running git would slow the start of a command.
 */
export function checkedOutCommit(repository: string): string | undefined {
  try {
    const folder = gitFolder(join(repository, '.git'));
    const head = read(join(folder, 'HEAD'));
    const branch = /^ref: (.+)$/.exec(head)?.[1];
    return commitOnly(branch ? branchCommit(sharedFolder(folder), branch) : head);
  } catch {
    return undefined;
  }
}

/** In a worktree `.git` is a file that names the folder. */
function gitFolder(path: string): string {
  try {
    const [, folder = ''] = /^gitdir: (.+)$/.exec(read(path)) ?? [];
    return resolve(path, '..', folder);
  } catch {
    return path;
  }
}

/** All worktrees share the branches. */
function sharedFolder(folder: string): string {
  try {
    return resolve(folder, read(join(folder, 'commondir')));
  } catch {
    return folder;
  }
}

function branchCommit(folder: string, branch: string): string | undefined {
  try {
    return read(join(folder, branch));
  } catch {
    const packed = read(join(folder, 'packed-refs')).split('\n');
    return packed.find((line) => line.endsWith(` ${branch}`))?.split(' ')[0];
  }
}

function commitOnly(text = ''): string | undefined {
  return /^[0-9a-f]{40,64}$/.test(text) ? text : undefined;
}

function read(file: string): string {
  return readFileSync(file, 'utf8').trim();
}
