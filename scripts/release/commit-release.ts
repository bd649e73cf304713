import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseChangelog } from './changelog.ts';
import { git } from './execute.ts';

const packages = ['client', 'console', 'server', 'testkit'].map((name) => `packages/${name}`);

/** Commits what a release changes in the repository, and returns the commit. */
export function commitRelease(worktree: string, { version, date }: { version: string; date: Date }): string {
  const edit = (file: string, change: (text: string) => string) =>
    writeFileSync(join(worktree, file), change(readFileSync(join(worktree, file), 'utf8')));
  for (const folder of packages) edit(`${folder}/package.json`, (text) => json({ ...JSON.parse(text), version }));
  edit('package-lock.json', (text) => json(lockWith(JSON.parse(text), version)));
  edit('packages/client/src/client/version.ts', (text) => text.replace(/VERSION = '.*'/, `VERSION = '${version}'`));
  edit('deploy/kubernetes/deployment.yaml', (text) =>
    text.replace(/image: app-registry:.*/, `image: app-registry:${version}`),
  );
  edit('CHANGELOG.md', (text) => releaseChangelog(text, version, date));
  mkdirSync(join(worktree, 'docs/released'), { recursive: true });
  for (const document of ['openapi.json', 'operator-openapi.json']) {
    copyFileSync(join(worktree, 'docs', document), join(worktree, 'docs/released', document));
  }
  git(worktree, 'add', 'docs/released');
  git(worktree, 'commit', '--quiet', '--all', `--message=Release ${version}`);
  return git(worktree, 'rev-parse', 'HEAD');
}

interface Lock {
  packages: Record<string, object>;
}

function lockWith(lock: Lock, version: string): Lock {
  for (const folder of packages) lock.packages[folder] = { ...lock.packages[folder], version };
  return lock;
}

/** As npm writes its files. */
function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
