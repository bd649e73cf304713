import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cases } from './cases/index.ts';
import type { Bench, Case, Pace } from './frame/case.ts';
import { Databases } from './frame/databases.ts';
import { describeMachine, missingPrograms, takeCores } from './frame/machine.ts';
import { publish } from './report/publish.ts';
import { type CaseResult, type Run, readRun, writeRun } from './report/run.ts';
import { caseText, targetsText } from './report/text.ts';

const usage = `Measures the registry against the limit of this machine, in the same run.

  npm run bench                     every case, and then docs/performance.md and its picture are written anew
  npm run bench -- --quick          every case in less than two minutes: less to measure, and for less long
  npm run bench -- NAME...          some cases:
${cases.map(({ name, title }) => `                                      ${name.padEnd(18)} ${title}`).join('\n')}
  npm run bench -- --publish FILE   writes docs/performance.md and its picture from the figures of an earlier run

  --cache FOLDER    where the large registries stay for the next run, and everything else is while it runs; on a
                    disk. A registry of a million apps takes 12.5 GB on SQLite. Unless given: app-registry-bench
                    among the temporary files.
  --rounds N, --seconds N           how often each contestant is measured, and for how long
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    cache: { type: 'string', default: join(tmpdir(), 'app-registry-bench') },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    publish: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) process.stdout.write(usage);
else if (values.publish) await publish(await readRun(values.publish));
else {
  const fault = unknownCase() ?? missingPrograms();
  if (fault === null) await main(chosenCases());
  else {
    process.stderr.write(`${fault}\n`);
    process.exitCode = 1;
  }
}

async function main(chosen: Case[]): Promise<void> {
  const say = (text: string) => process.stdout.write(`${text}\n`);
  mkdirSync(values.cache, { recursive: true });
  const folder = mkdtempSync(join(values.cache, 'run-'));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const cores = takeCores(say);
  const databases = new Databases({ folders: { run: folder, cache: values.cache }, cores, say });
  const bench: Bench = { pace: pace(), cores, databases, folder, say };
  try {
    const results = await runCases(bench, chosen);
    const run: Run = { at: new Date().toISOString(), machine: describeMachine(cores), pace: bench.pace, results };
    say(targetsText(run));
    const isWhole = !values.quick && chosen.length === cases.length;
    say(`The figures are in ${await writeRun(run, isWhole ? 'latest' : values.quick ? 'quick' : 'some')}.`);
    if (isWhole) await publish(run);
  } catch (error) {
    say(`What the servers have logged last:\n${lastLines(join(folder, 'servers.log'))}`);
    throw error;
  } finally {
    await databases.close();
  }
}

async function runCases(bench: Bench, chosen: Case[]): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  for (const { name, title, about, run } of chosen) {
    const startedAt = performance.now();
    const outcome = await run(bench);
    const result = { name, title, about, seconds: (performance.now() - startedAt) / 1_000, ...outcome };
    bench.say(caseText(result));
    results.push(result);
  }
  return results;
}

/** A run logs more than a string can hold. */
function lastLines(file: string): string {
  if (!existsSync(file)) return '';
  const { size } = statSync(file);
  const log = openSync(file, 'r');
  const bytes = Buffer.alloc(Math.min(size, 3_000));
  readSync(log, bytes, 0, bytes.length, size - bytes.length);
  closeSync(log);
  return bytes.toString();
}

function unknownCase(): string | null {
  const unknown = positionals.find((name) => !cases.some((one) => one.name === name));
  return unknown === undefined ? null : `There is no case ${unknown}.\n\n${usage}`;
}

function chosenCases(): Case[] {
  return positionals.length === 0 ? cases : cases.filter(({ name }) => positionals.includes(name));
}

function pace(): Pace {
  const usual = values.quick
    ? { rounds: 1, seconds: 1, warmUpSeconds: 0.4 }
    : { rounds: 5, seconds: 8, warmUpSeconds: 5 };
  return {
    isQuick: values.quick,
    connections: 64,
    ...usual,
    ...(values.rounds && { rounds: Number(values.rounds) }),
    ...(values.seconds && { seconds: Number(values.seconds) }),
  };
}
