import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from '../release/execute.ts';

/**
 * Checks out the current commit, once per worker, into a temporary folder, for as long as the work takes. A copy has the
 * installed packages of the repository, and its own packages of the workspace.
 */
export async function withWorkingCopies(
  repository: string,
  count: number,
  work: (copies: string[]) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  try {
    const copies = Array.from({ length: count }, (_, index) => join(folder, `copy-${index}`));
    for (const copy of copies) {
      git(repository, 'worktree', 'add', '--quiet', '--detach', copy);
      linkPackages(repository, copy);
    }
    await work(copies);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
    git(repository, 'worktree', 'prune');
  }
}

/** Runs each item on the next free working copy. Stops early once the signal aborts. */
export async function onCopies<Item>(
  copies: readonly string[],
  { items, signal }: { items: Iterable<Item>; signal: AbortSignal },
  work: (copy: string, item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const workOn = async (copy: string) => {
    for (let item = waiting.next(); !item.done && !signal.aborted; item = waiting.next()) await work(copy, item.value);
  };
  // All have ended before an error of one of them removes the copies.
  const ended = await Promise.allSettled(copies.map(workOn));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}

/** One link for all of `node_modules` would lead through `@appregistrar` to the source of the repository itself. */
function linkPackages(repository: string, copy: string): void {
  const [installed, linked] = [join(repository, 'node_modules'), join(copy, 'node_modules')];
  mkdirSync(linked);
  for (const name of readdirSync(installed)) {
    if (name !== '@appregistrar') symlinkSync(join(installed, name), join(linked, name));
  }
  // Its links are relative.
  cpSync(join(installed, '@appregistrar'), join(linked, '@appregistrar'), { recursive: true, verbatimSymlinks: true });
}
