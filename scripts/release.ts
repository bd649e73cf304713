// Makes a release: npm run release -- VERSION --dry-run|--tag [--out FOLDER]. CONTRIBUTING.md describes it.
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildArtifacts } from './release/build-artifacts.ts';
import { commitRelease } from './release/commit-release.ts';
import { git } from './release/execute.ts';
import { ReleaseRefused } from './release/release-refused.ts';
import { requireReleasable } from './release/require-releasable.ts';
import { withWorktree } from './release/with-worktree.ts';

const usage = 'Usage: npm run release -- VERSION --dry-run|--tag [--out FOLDER]';
const repository = fileURLToPath(new URL('..', import.meta.url));

try {
  await release();
} catch (error) {
  if (!(error instanceof ReleaseRefused)) throw error;
  console.error(`release: ${error.message}`);
  process.exitCode = 1;
}

/** Builds everything from the release commit, and only then moves the branch and the tag to it. */
async function release(): Promise<void> {
  const { version, tag, out } = readOptions();
  requireReleasable(repository, version);
  await withWorktree(repository, async (worktree) => {
    const commit = commitRelease(worktree, { version, date: new Date() });
    await buildArtifacts(worktree, { version, commit, out });
    if (tag) tagRelease(version, commit);
  });
  console.log(tag ? nextSteps(version, out) : `\nEverything is in ${out}. Nothing was committed or tagged.`);
}

function readOptions(): { version: string; tag: boolean; out: string } {
  const options = { 'dry-run': { type: 'boolean' }, tag: { type: 'boolean' }, out: { type: 'string' } } as const;
  const { values, positionals } = parse(() => parseArgs({ allowPositionals: true, options }));
  const [version, ...others] = positionals;
  if (!version || others.length > 0 || Boolean(values.tag) === Boolean(values['dry-run'])) {
    throw new ReleaseRefused(usage);
  }
  return { version, tag: Boolean(values.tag), out: resolve(values.out ?? join(repository, 'dist', version)) };
}

function parse<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new ReleaseRefused(`${(error as Error).message} ${usage}`);
  }
}

function tagRelease(version: string, commit: string): void {
  git(repository, 'merge', '--quiet', '--ff-only', commit);
  git(repository, 'tag', '--annotate', `--message=Release ${version}`, `v${version}`, commit);
}

function nextSteps(version: string, out: string): string {
  return `
Everything is in ${out}. This commit is tagged v${version}. Nothing was pushed or published. Check it, then run:

  git push --follow-tags
  npm publish ${join(out, `appregistrar-server-${version}.tgz`)} --access public
  npm publish ${join(out, `appregistrar-client-${version}.tgz`)} --access public

and distribute the other files with SHA256SUMS and the changelog. Publishing needs the owner of the scope @appregistrar.
To undo the release before that: git tag -d v${version} && git reset --keep HEAD~1`;
}
