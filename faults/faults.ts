import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { helpOf, usage } from './frame/command-help.ts';
import type { Mutant } from './frame/mutant.ts';
import { findProgram, listPrograms, type Program } from './frame/programs.ts';
import { catchMutant, runProgram } from './frame/run-program.ts';
import type { Torture } from './frame/torture.ts';

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
  const { seed = randomInt(2 ** 31), short, help, mutants, mutant, ...given } = read(program.torture);
  const run = { ...program, seed: Number(seed), short: short === true, given };
  if (help) process.stdout.write(helpOf(program));
  else if (mutants) return catchAll(run);
  else if (mutant !== undefined) {
    return runProgram({ ...run, short: true, mutant: mutantOf(program.torture, String(mutant)) });
  } else return runProgram(run);
  return 0;
}

async function catchAll(run: Program & { seed: number; given: Record<string, unknown> }): Promise<number> {
  let worst = 0;
  for (const mutant of run.torture.mutants) {
    worst = Math.max(worst, await catchMutant({ ...run, short: true, mutant }));
  }
  return worst;
}

function read({ options }: Torture): Record<string, string | boolean | undefined> {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const own = Object.fromEntries(Object.keys(options).map((option) => [option, text]));
  const all = { ...own, seed: text, mutant: text, mutants: flag, short: flag, help: flag };
  return parseArgs({ args, options: all }).values as Record<string, string | boolean | undefined>;
}

function mutantOf({ mutants }: Torture, wanted: string): Mutant {
  const mutant = mutants.find(({ name }) => name === wanted);
  if (mutant) return mutant;
  throw new Error(`There is no mutant ${wanted}. There are: ${mutants.map(({ name }) => name).join(', ')}`);
}
