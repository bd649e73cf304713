import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileTail } from '@appregistrar/testkit/system/file-tail';
import { temporaryFolder } from '@appregistrar/testkit/system/temporary-folder';
import { cases } from './cases/index.ts';
import type { Bench, Case, Pace } from './harness/case.ts';
import { Databases } from './harness/databases.ts';
import { describeMachine, missingPrograms, takeCores } from './harness/machine.ts';
import { MachineLimit } from './harness/machine-limit.ts';
import { mechanisms } from './harness/speed.ts';
import { chanceMax, compareRuns, dropMin, requireComparable } from './report/compare.ts';
import { changesText } from './report/compare-text.ts';
import { publish } from './report/publish.ts';
import { type CaseResult, type Run, readRun, UsageError, writeRun } from './report/run.ts';
import { caseText, targetsText } from './report/text.ts';
import { measureWithout } from './without.ts';

const usage = `Measures the registry against the limit of this machine, in the same run.

  npm run bench                     every case, in less than 20 minutes; rewrites the figures in docs and the chart.
                                    The first run also fills two registries of a million apps, which takes longer.
  npm run bench -- --quick          every case in a few minutes, with less data and shorter measurements
  npm run bench -- NAME...          some cases:
${cases.map(({ name, title }) => `                                      ${name.padEnd(18)} ${title}`).join('\n')}
  npm run bench -- --against FILE   also compares with an earlier run, and exits with 1 if a figure has dropped
  npm run bench -- --compare FILE LATER-FILE
                                    compares two runs without measuring
  npm run bench -- --without NAME   the rows of the headline table with and without a mechanism for speed, or each (\`all\`):
${mechanisms.map(({ name, what }) => `                                      ${name.padEnd(18)} ${what}`).join('\n')}
  npm run bench -- --publish FILE   rewrites the figures in docs and the chart from an earlier run

  --cache FOLDER    a folder on a disk for the data of this run, and for large registries that later runs reuse.
                    A registry of a million apps takes 12.5 GB on SQLite. Default: app-registry-bench in the
                    temporary folder.
  --rounds N, --seconds N           how often and for how long each server is measured

FILE is bench/results/latest.json, or a copy of it. Both runs must have the same number and length of rounds, at least 5.
A figure of the registry has dropped if it is worse by more than ${dropMin * 100} % and p is at most ${chanceMax * 100} % (exact one-sided
Mann-Whitney test over the rounds). Anything else is noise. Throughput is compared relative to the limit of the machine in
the same round, which cancels out other load. A time must be worse both by itself and relative to the limit. About one in a
hundred unchanged figures is reported by chance: measure that case again.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    cache: { type: 'string', default: join(tmpdir(), 'app-registry-bench') },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    publish: { type: 'string' },
    without: { type: 'string' },
    against: { type: 'string' },
    compare: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) process.stdout.write(usage);
else {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

async function main(): Promise<void> {
  if (values.publish) return publish(await readRun(values.publish));
  if (values.compare) return compare(await readRun(values.compare), await readRun(laterFile()));
  if (values.without !== undefined) return measureSpeed(values.without);
  const chosen = chosenCases();
  const error = unknownCase() ?? missingPrograms();
  if (error !== null) throw new UsageError(error);
  const before = values.against ? await readRun(values.against) : null;
  if (before) requireComparable(before, { pace: pace(), names: chosen.map(({ name }) => name) });
  const run = await measure(chosen);
  if (before) compare(before, run);
}

/** Prints how a run differs from an earlier one. A drop is an exit status of 1. */
function compare(before: Run, now: Run): void {
  const changes = compareRuns(before, now);
  log(changesText(changes, { before, now }));
  if (changes.some(({ verdict }) => verdict === 'drop')) process.exitCode = 1;
}

async function measureSpeed(name: string): Promise<void> {
  const chosen = mechanisms.filter((one) => name === 'all' || one.name === name);
  if (chosen.length === 0) throw new UsageError(`There is no mechanism ${name}.\n\n${usage}`);
  const missing = missingPrograms();
  if (missing !== null) throw new UsageError(missing);
  await withBench((bench) => measureWithout(bench, chosen));
}

async function measure(chosen: Case[]): Promise<Run> {
  return withBench(async (bench) => {
    const results = await runCases(bench, chosen);
    const run: Run = {
      ...{ at: new Date().toISOString(), machine: describeMachine(bench.cores) },
      ...{ pace: bench.pace, results },
    };
    log(targetsText(run));
    const isComplete = !values.quick && chosen.length === cases.length;
    log(`The figures are in ${await writeRun(run, isComplete ? 'latest' : values.quick ? 'quick' : 'some')}.`);
    if (isComplete) await publish(run);
    return run;
  });
}

async function withBench<Result>(work: (bench: Bench) => Promise<Result>): Promise<Result> {
  mkdirSync(values.cache, { recursive: true });
  const folder = temporaryFolder('run-', values.cache);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  const cores = takeCores(log);
  const databases = new Databases({ folders: { run: folder, cache: values.cache }, cores, log });
  const limit = new MachineLimit();
  const measureLimit = () => limit.measure(bench);
  const bench: Bench = { pace: pace(), cores, databases, measureLimit, folder, log };
  try {
    return await work(bench);
  } catch (error) {
    log(`The end of the servers' log:\n${fileTail(join(folder, 'servers.log'), 3_000)}`);
    throw error;
  } finally {
    await limit.close();
    await databases.close();
  }
}

async function runCases(bench: Bench, chosen: Case[]): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  for (const { name, title, about, run } of chosen) {
    const startedAt = performance.now();
    const outcome = await run(bench);
    const result = { name, title, about, seconds: (performance.now() - startedAt) / 1_000, ...outcome };
    bench.log(caseText(result));
    results.push(result);
  }
  return results;
}

function laterFile(): string {
  const [file] = positionals;
  if (file === undefined) throw new UsageError('Name two files: --compare FILE LATER-FILE');
  return file;
}

function log(text: string): void {
  process.stdout.write(`${text}\n`);
}

function unknownCase(): string | null {
  const unknown = positionals.find((name) => !cases.some((one) => one.name === name));
  return unknown === undefined ? null : `There is no case ${unknown}.\n\n${usage}`;
}

function chosenCases(): Case[] {
  return positionals.length === 0 ? cases : cases.filter(({ name }) => positionals.includes(name));
}

function pace(): Pace {
  const preset = values.quick
    ? { rounds: 1, seconds: 1, warmUpSeconds: 0.4 }
    : { rounds: 5, seconds: 1, warmUpSeconds: 2 };
  return {
    isQuick: values.quick,
    connections: 64,
    ...preset,
    ...(values.rounds && { rounds: Number(values.rounds) }),
    ...(values.seconds && { seconds: Number(values.seconds) }),
  };
}
