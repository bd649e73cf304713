import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packArchive } from './archive/pack-archive.ts';
import { writeProgramTree } from './archive/program-tree.ts';
import { writeBills } from './bills-of-materials.ts';
import { writeChecksums } from './checksums.ts';
import { executeIn, git } from './execute.ts';
import { buildImage } from './image/build-image.ts';
import { unpackDebian } from './image/debian-tree.ts';

/** What is built, and where. */
export interface Release {
  version: string;
  commit: string;
  /** The output folder. */
  out: string;
}

/** Makes every file of a release, from a checkout of its commit. */
export async function buildArtifacts(worktree: string, { version, commit, out }: Release): Promise<void> {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  step('installing what the build needs');
  executeIn(worktree, ['npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund']);
  step('packing the packages');
  for (const name of ['client', 'server']) {
    executeIn(worktree, ['npm', 'pack', '--silent', '--pack-destination', out], join(worktree, 'packages', name));
  }
  const scratch = await mkdtemp(join(tmpdir(), 'release-'));
  try {
    const time = Number(git(worktree, 'show', '--no-patch', '--format=%ct', commit));
    const parts = { worktree, scratch, version, commit, out, time };
    step('packing the archive');
    const system = unpackDebian(scratch);
    const program = writeProgramTree(system, parts);
    packArchive(program, parts);
    step('building the image');
    buildImage(program, system, parts);
    writeBills(program, system, parts);
  } finally {
    await rm(scratch, { recursive: true });
  }
  writeDocuments(worktree, { version, commit, out });
  writeChecksums(out);
}

/** The API documents, and what changes for users. */
function writeDocuments(worktree: string, { version, out }: Release): void {
  for (const document of ['openapi.json', 'operator-openapi.json']) {
    copyFileSync(join(worktree, 'docs/released', document), join(out, document));
  }
  const changelog = readFileSync(join(worktree, 'CHANGELOG.md'), 'utf8');
  const section = changelog.split(/^(?=## )/m).find((text) => text.startsWith(`## [${version}]`)) ?? '';
  writeFileSync(join(out, 'CHANGES.md'), `${section.trim()}\n`);
}

function step(what: string): void {
  console.log(`release: ${what}`);
}
