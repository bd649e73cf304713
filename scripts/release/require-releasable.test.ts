import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { ClonedRepository } from './testing/cloned-repository.ts';

let clone: ClonedRepository;
let start: string;
before(async () => {
  clone = await ClonedRepository.create();
  clone.change('Something new.');
  start = clone.git('rev-parse', 'HEAD');
});
beforeEach(() => {
  clone.git('reset', '--quiet', '--hard', start);
});
after(() => clone.remove());

test('a release needs a version, and either --dry-run or --tag', async () => {
  const version = clone.later(1);
  for (const args of [[], [version], ['--tag'], [version, '--tag', '--dry-run'], [version, version, '--tag']]) {
    await refused(args, /^Usage: npm run release -- VERSION --dry-run\|--tag/);
  }
  await refused([version, '--push'], /--push/);
});

test('a version that is not three numbers is refused', async () => {
  for (const version of ['1', '1.2', 'v9.0.0', '9.0.0-rc.1', '09.0.0', 'next']) {
    await refused([version, '--tag'], /is not a version\. Use three numbers/);
  }
});

test('a version that is not later than the current one and every release is refused', async (t) => {
  await refused(['0.0.9', '--tag'], /^0\.0\.9 is older than /);
  clone.git('tag', 'v10.9.0');
  t.after(() => clone.git('tag', '--delete', 'v10.9.0'));
  for (const version of ['10.9.0', '9.10.0']) {
    await refused([version, '--tag'], /^10\.9\.0 is already released\. Choose a later version\.$/);
  }
});

test('a checkout with changes or new files is refused', async () => {
  clone.append('README.md', 'More.\n');
  await refused([clone.later(1), '--dry-run'], /The checkout has uncommitted changes or new files/);
  clone.git('checkout', '--quiet', '.');
  clone.write('notes.txt', 'Mine.\n');
  await refused([clone.later(1), '--dry-run'], /The checkout has uncommitted changes or new files/);
  clone.git('clean', '--quiet', '--force');
});

test('a changelog without unreleased changes is refused', async () => {
  clone.write('CHANGELOG.md', '# Changelog\n\n## [Unreleased]\n\n## [0.0.1] - 2026-01-01\n\n- The first one.\n');
  clone.commit('Empty the changelog');
  await refused([clone.later(1), '--tag'], /CHANGELOG\.md has nothing under "Unreleased"/);
});

async function refused(args: string[], reason: RegExp): Promise<void> {
  const { status, stdout, stderr } = await clone.release(...args);
  assert.deepEqual([status, stdout], [1, ''], stderr);
  assert.match(stderr, /^release: /);
  assert.match(stderr.slice('release: '.length).trim(), reason);
}
