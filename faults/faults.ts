import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { helpOf, usage } from './harness/command-help.ts';
import type { Defect } from './harness/defect.ts';
import type { FaultInjection } from './harness/fault-injection.ts';
import { findProgram, listPrograms, type Program } from './harness/programs.ts';
import { catchDefect, runProgram } from './harness/run-program.ts';

process.on('SIGINT', () => process.exit(130)).on('SIGTERM', () => process.exit(143));
const [name = '', ...args] = process.argv.slice(2);
process.exit(await runNamed());

async function runNamed(): Promise<number> {
  if (name === 'all') return runAll();
  const program = await findProgram(name);
  if (program) return runOne(program);
  process.stdout.write(await usage());
  return name === '' ? 0 : 2;
}

/** Runs every program. Returns the highest of their statuses. */
async function runAll(): Promise<number> {
  let worst = 0;
  for (const program of await listPrograms()) worst = Math.max(worst, await runOne(program));
  return worst;
}

async function runOne(program: Program): Promise<number> {
  const { seed = randomInt(2 ** 31), short, help, defects, defect, publish, ...given } = read(program.faultInjection);
  const run = { ...program, seed: Number(seed), short: short === true, given };
  if (help) process.stdout.write(helpOf(program));
  else if (defects) return catchAll(run);
  else if (defect !== undefined) {
    return runProgram({ ...run, short: true, defect: findDefect(program.faultInjection, String(defect)) });
  } else return runProgram({ ...run, isPublished: publish === true });
  return 0;
}

async function catchAll(run: Program & { seed: number; given: Record<string, unknown> }): Promise<number> {
  let worst = 0;
  for (const defect of run.faultInjection.defects) {
    worst = Math.max(worst, await catchDefect({ ...run, short: true, defect }));
  }
  return worst;
}

function read({ options }: FaultInjection): Record<string, string | boolean | undefined> {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const own = Object.fromEntries(Object.keys(options).map((option) => [option, text]));
  const all = { ...own, seed: text, defect: text, defects: flag, short: flag, publish: flag, help: flag };
  return parseArgs({ args, options: all }).values as Record<string, string | boolean | undefined>;
}

function findDefect({ defects }: FaultInjection, wanted: string): Defect {
  const defect = defects.find(({ name }) => name === wanted);
  if (defect) return defect;
  throw new Error(`There is no defect ${wanted}. There are: ${defects.map(({ name }) => name).join(', ')}`);
}
