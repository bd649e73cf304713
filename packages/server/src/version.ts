import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The running build. `commit` is absent if it is unknown. */
interface Build {
  version: string;
  commit?: string;
}

/** The version of this program's package. */
export function version(): string {
  const manifest = new URL('../package.json', import.meta.url);
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}

/** The version, and the commit that the package was built from, or that is checked out where the source runs. */
export function currentBuild(): Build {
  const commit = builtCommit() ?? checkedOutCommit(fileURLToPath(new URL('../../..', import.meta.url)));
  return { version: version(), ...(commit && { commit }) };
}

/** A build in readable form. */
export function describeBuild({ version, commit }: Build): string {
  return commit ? `${version} (${commit})` : version;
}

/** `build.ts` writes it beside the bundle. */
function builtCommit(): string | undefined {
  try {
    return readFileSync(new URL('commit.txt', import.meta.url), 'utf8').trim();
  } catch {
    return undefined;
  }
}

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
