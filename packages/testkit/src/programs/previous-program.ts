import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const repositoryFolder = fileURLToPath(new URL('../../../..', import.meta.url));

/** The last commit of each schema version. Decision record 0009 says when a line is added and removed. */
const lastCommits: Record<number, string> = {
  // Before the migration `0002-upkeep`: deleted apps, revoked installations, idempotency keys and limits of tokens.
  1: '5f4d1ed3f88a8ac9dba2d523d0b534a46f108050',
  // Before 0003-operator-plane: scopes of operator tokens, webhooks and their deliveries.
  2: '1de898d40bea8ded939f26ca144a5bff0bbfa555',
  // Before 0004-console: sessions, last uses of tokens, times of submissions, daily counts.
  3: '1dd64406b42fefe19ed9b408bc615813e4fddb05',
  // Before 0005-whole-installations: an index.
  4: '31b12453bb0b6826beae3ac8a8ef67bb69fde156',
  // Before 0006-shared-state: observed clocks, stored bytes, archives of events and shared settings.
  5: '7df0b48d8fd11acafd11cbe49c0abbfb3eebeb24',
  // Before 0007-revision-stamps: random stamps of revisions.
  6: '9fd29c4460010d0d21431a592233541df2b1261b',
  // Before 0008-review: review of changes, suspensions, protected names and blocked logos.
  7: '9efbfdbdb14522f8d8ce18d9e974f1a789edfac0',
  // Before 0009-scale: shards of webhooks, the order of the event feed, stamps of developers, fewer indexes.
  8: 'fd14fd8f926e0ac0dd063d1d31b672ba421f58f8',
  // Before 0010-console: what reviewers share, and what the console searches and counts.
  9: '05f015e957a7a1f564ec570d29479e76368fcce0',
  // Before 0011-traces-deliveries-search: what operators search by, traces of changes, requests of deliveries.
  10: 'b100f13f0604ba8077aa352fa056f548ba6b46b3',
};

/** The schema versions with an available program, oldest first. */
export const previousVersions = Object.keys(lastCommits).map(Number);

export interface PreviousProgram {
  /** The file that Node runs, like the current `cli/main.ts`. */
  main: string;
  remove(): Promise<void>;
}

/** Extracts the program of a schema version from the history, to run on the current dependencies. */
export async function extractPreviousProgram(version: number): Promise<PreviousProgram> {
  const folder = await mkdtemp(join(tmpdir(), `schema-${version}-`));
  const remove = () => rm(folder, { recursive: true });
  try {
    const archive = join(folder, 'source.tar');
    await archiveProgram(version, archive);
    await execute('tar', ['-xf', archive, '-C', folder]);
    await symlink(join(repositoryFolder, 'node_modules'), join(folder, 'node_modules'));
    return { main: join(folder, 'packages/server/src/cli/main.ts'), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function archiveProgram(version: number, archive: string): Promise<void> {
  const commit = lastCommits[version] ?? '';
  // A server reads its reference documents when it starts.
  const parts = ['packages/server', 'docs/*.md'];
  try {
    await execute('git', ['-C', repositoryFolder, 'archive', '--output', archive, commit, ...parts]);
  } catch (error) {
    throw new Error(
      `git cannot read the program of schema ${version}, commit ${commit}. In a shallow clone, run: git fetch --unshallow`,
      { cause: error },
    );
  }
}
