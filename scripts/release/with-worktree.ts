import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from './execute.ts';

/** Runs work on a checkout of its own of the current commit, without a branch. */
export async function withWorktree(repository: string, work: (worktree: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'release-'));
  const worktree = join(folder, 'app-registry');
  git(repository, 'worktree', 'add', '--quiet', '--detach', worktree);
  try {
    await work(worktree);
  } finally {
    await rm(folder, { recursive: true, force: true });
    git(repository, 'worktree', 'prune');
  }
}
