import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Group } from './groups.ts';
import type { Results } from './results.ts';

const otherTiers = /\.(slow|system)\.test\.ts$/;

/** Resolves to whether all tests passed and every process ended with status 0. */
export async function runGroup(
  group: Group,
  { paths, results }: { paths: string[]; results: Results },
): Promise<boolean> {
  const files = filesOf(group).filter((file) => paths.length === 0 || paths.some((path) => file.includes(path)));
  if (files.length === 0) return true;
  for (const workspace of group.build ?? []) build(workspace);
  const shares = group.filesPerProcess === undefined ? [files] : split(files, group.filesPerProcess);
  const worker = async () => {
    for (let share = shares.shift(); share; share = shares.shift()) {
      if ((await runFiles(share, group, results)) !== 0) isPassed = false;
    }
  };
  let isPassed = true;
  await Promise.all(Array.from({ length: group.filesPerProcess === undefined ? 1 : group.processes }, worker));
  return isPassed && !results.hasFailed;
}

/** The files of a group, sorted. A glob without a tier in its name excludes the files of the others. */
export function filesOf({ files }: Pick<Group, 'files'>): string[] {
  const found = files.flatMap((glob) => {
    const all = globSync(glob, { exclude: ['**/node_modules'] });
    return otherTiers.test(glob) ? all : all.filter((file) => !otherTiers.test(file));
  });
  return found.toSorted();
}

/** Deals the files like cards, so that each share has some of every folder. */
function split(files: string[], filesPerShare: number): string[][] {
  const shares = Math.ceil(files.length / filesPerShare);
  return Array.from({ length: shares }, (_, share) => files.filter((_file, index) => index % shares === share));
}

async function runFiles(files: string[], group: Group, results: Results): Promise<number> {
  const { setup, filesPerProcess, processes, testMsMax } = group;
  const options = [
    '--import=@appregistrar/testkit/programs/exit-check',
    '--test',
    filesPerProcess === undefined ? `--test-concurrency=${processes}` : '--test-isolation=none',
    `--test-timeout=${testMsMax}`,
    ...(setup ? [`--test-global-setup=${setup}`] : []),
    `--test-reporter=${new URL('reporter.ts', import.meta.url)}`,
  ];
  const run = spawn(process.execPath, [...options, ...files], {
    // Else a test could not run a group.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  const closed = once(run, 'close');
  const take = results.ofProcess();
  for await (const line of createInterface({ input: run.stdio[3] as Readable })) take(JSON.parse(line));
  const [status, signal] = await closed;
  if (status !== 0 && !results.hasFailed)
    console.error(`a process of tests ended with ${signal ?? `status ${status}`}`);
  return status ?? 1;
}

function build(workspace: string): void {
  const { status } = spawnSync('npm', ['run', 'build', '--silent', '-w', workspace], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`the build of ${workspace} failed`);
}
