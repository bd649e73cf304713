// The only file that knows how tests of the server are run.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globalSetup, globalTeardown } from '@appregistrar/testkit/engines/global-setup';

/** How a run ended. The files are named by their path below `packages/server/src`. */
export interface TestRun {
  outcome: 'passed' | 'failed' | 'not loaded' | 'timed out' | 'aborted';
  /** The test file that failed, if one test did. */
  file: string | undefined;
  seconds: number;
}

export interface TestRunOptions {
  timeoutMs: number;
  signal: AbortSignal;
  /** Where V8 writes the coverage of each process. */
  coverageFolder?: string;
}

/** Starts what all runs share, one PostgreSQL server and a folder in memory. They find it through the environment. */
export async function withTestServer(work: () => Promise<void>): Promise<void> {
  await globalSetup();
  try {
    await work();
  } finally {
    await globalTeardown();
  }
}

/** The files of `npm test`, by their path below `packages/server/src`. */
export function testFiles(repository: string): string[] {
  const files = globSync('**/*.test.ts', { cwd: join(repository, 'packages/server/src') });
  return files.filter((file) => !/\.(slow|system)\.test\.ts$/.test(file)).toSorted();
}

/** Runs test files of a repository in one process, which ends at the first failure. */
export async function runTests(
  repository: string,
  files: readonly string[],
  { timeoutMs, signal, coverageFolder }: TestRunOptions,
): Promise<TestRun> {
  const startedAt = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'mutant-'));
  const failureFile = join(folder, 'failure.json');
  const reporter = fileURLToPath(new URL('first-failure.ts', import.meta.url));
  const options = ['--test-isolation=none', '--test-timeout=60000', `--test-reporter=${reporter}`];
  const child = spawn(
    process.execPath,
    ['--import=@appregistrar/testkit/programs/exit-check', '--test', ...options, ...files.map((file) => `src/${file}`)],
    {
      cwd: join(repository, 'packages/server'),
      // In a process group of its own, with all that its tests start.
      detached: true,
      stdio: 'ignore',
      env: {
        ...process.env,
        TMPDIR: folder,
        FIRST_FAILURE_FILE: failureFile,
        TEST_EXIT_MS_MAX: '20000',
        // Beside the copy, which it does not outlive.
        NODE_COMPILE_CACHE: join(repository, '../compiled'),
        // Code from the compile cache has imprecise coverage.
        ...(coverageFolder && { NODE_V8_COVERAGE: coverageFolder, NODE_DISABLE_COMPILE_CACHE: '1' }),
      },
    },
  );
  const limit = AbortSignal.timeout(timeoutMs);
  const isPassed = await ended(child, AbortSignal.any([limit, signal]));
  const failure = await readFile(failureFile, 'utf8').then(JSON.parse, () => ({}));
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  const outcome = outcomeOf();
  const file = failure.file && relative(join(repository, 'packages/server/src'), failure.file);
  return { outcome, file, seconds: (performance.now() - startedAt) / 1000 };

  function outcomeOf(): TestRun['outcome'] {
    if (isPassed) return 'passed';
    if (signal.aborted) return 'aborted';
    // A file that does not load is reported as a test with its name.
    if (failure.file) return basename(failure.file) === basename(failure.test) ? 'not loaded' : 'failed';
    return limit.aborted ? 'timed out' : 'failed';
  }
}

/** Whether it ended with success. Ends what it started, and all of it once the signal aborts. */
async function ended(child: ChildProcess, signal: AbortSignal): Promise<boolean> {
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The group has no process left.
    }
  };
  signal.addEventListener('abort', kill);
  if (signal.aborted) kill();
  const [status] = await once(child, 'exit');
  signal.removeEventListener('abort', kill);
  kill();
  return status === 0;
}
