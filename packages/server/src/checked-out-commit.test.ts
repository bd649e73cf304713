import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { environment } from './config/env.ts';
import { checkedOutCommit } from './version.ts';

test('the commit of a branch, a packed branch, a detached head or a worktree is the one that git reports', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'commit-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const repository = join(folder, 'repository');
  const worktree = join(folder, 'worktree');
  const git = gitIn(folder);
  git('init', '--quiet', '--initial-branch=topic/one', repository);
  git('-C', repository, 'commit', '--quiet', '--allow-empty', '--message=First');
  const commit = git('-C', repository, 'rev-parse', 'HEAD');
  assert.equal(checkedOutCommit(repository), commit);

  git('-C', repository, 'worktree', 'add', '--quiet', '-b', 'other', worktree);
  assert.equal(checkedOutCommit(worktree), commit);

  git('-C', repository, 'pack-refs', '--all');
  assert.equal(checkedOutCommit(repository), commit);
  assert.equal(checkedOutCommit(worktree), commit);

  git('-C', repository, 'checkout', '--quiet', '--detach');
  assert.equal(checkedOutCommit(repository), commit);
});

test('the commit is unknown without a repository, or when its files do not hold one', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'commit-'));
  t.after(() => rmSync(folder, { recursive: true }));
  assert.equal(checkedOutCommit(folder), undefined);
  mkdirSync(join(folder, '.git'));
  writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n');
  assert.equal(checkedOutCommit(folder), undefined, 'before the first commit');
  writeFileSync(join(folder, '.git/HEAD'), '<script>\n');
  assert.equal(checkedOutCommit(folder), undefined);
});

/** Independent of the configuration of this machine, and of a repository that a hook of git names. */
function gitIn(folder: string) {
  const person = { NAME: 'Ada', EMAIL: 'ada@example.com' };
  const people = ['AUTHOR', 'COMMITTER'].flatMap((role) =>
    Object.entries(person).map(([key, value]) => [`GIT_${role}_${key}`, value]),
  );
  const env = { PATH: environment.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', ...Object.fromEntries(people) };
  return (...args: string[]) => execFileSync('git', args, { cwd: folder, env, encoding: 'utf8' }).trim();
}
