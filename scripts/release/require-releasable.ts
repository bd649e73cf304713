import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { environment } from '../../packages/server/src/config/env.ts';
import { unreleasedSection } from './changelog.ts';
import { git } from './execute.ts';
import { ReleaseRefused } from './release-refused.ts';

/** The programs that build a release besides Node, each with its Debian package. */
const programs = {
  'apt-get': 'apt',
  'dpkg-deb': 'dpkg',
  git: 'git',
  gzip: 'gzip',
  patchelf: 'patchelf',
  tar: 'tar',
  umoci: 'umoci',
};

/** Throws `ReleaseRefused` unless a release of this version can be made from the checkout. */
export function requireReleasable(repository: string, version: string): void {
  if (!/^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(version)) {
    throw new ReleaseRefused(`"${version}" is not a version. Use three numbers, such as 1.2.0.`);
  }
  if (git(repository, 'status', '--porcelain') !== '') {
    throw new ReleaseRefused('The checkout has uncommitted changes or new files. Commit or remove them first.');
  }
  requireNewer(repository, version);
  if (unreleasedSection(readFileSync(join(repository, 'CHANGELOG.md'), 'utf8')) === '') {
    throw new ReleaseRefused('CHANGELOG.md has nothing under "Unreleased". Describe the changes for users there.');
  }
  requireMachine();
}

function requireNewer(repository: string, version: string): void {
  const { version: current } = JSON.parse(readFileSync(join(repository, 'packages/server/package.json'), 'utf8'));
  if (compare(version, current) < 0)
    throw new ReleaseRefused(`${version} is older than the current version, ${current}. Choose a later version.`);
  const tags = git(repository, 'tag', '--list', 'v*').split('\n');
  const released = tags.map((tag) => tag.slice(1)).filter((name) => compare(version, name) <= 0);
  if (released[0]) throw new ReleaseRefused(`${released[0]} is already released. Choose a later version.`);
}

/** Negative if the first version is the earlier one. */
function compare(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

function requireMachine(): void {
  if (`${process.platform}-${process.arch}` !== 'linux-x64') {
    throw new ReleaseRefused('The archive and the image are for linux-x64. Build them on such a machine.');
  }
  const folders = (environment.PATH ?? '').split(delimiter);
  const missing = Object.entries(programs).filter(
    ([program]) => !folders.some((path) => existsSync(join(path, program))),
  );
  if (missing.length === 0) return;
  const names = missing.map(([program]) => program).join(', ');
  throw new ReleaseRefused(
    `Missing: ${names}. On Debian: apt-get install ${missing.map(([, name]) => name).join(' ')}`,
  );
}
