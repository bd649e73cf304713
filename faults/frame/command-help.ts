import { listPrograms, type Program } from './programs.ts';

export async function usage(): Promise<string> {
  const lines = (await listPrograms()).map(({ name, torture }) => `  ${name.padEnd(16)} ${torture.summary}\n`);
  return `Programs that try to break the promises of the registry.

  npm run torture -- NAME [--seed N] [--short] [its own options]
  npm run torture -- NAME --help       its options and mutants
  npm run torture -- NAME --mutants    every deliberate defect must be caught
  npm run torture -- NAME --mutant M   runs with one of them
  npm run torture -- all --short       every program

${lines.join('')}`;
}

export function helpOf({ name, torture: { summary, options, mutants } }: Program): string {
  const optionLines = Object.entries(options).map(
    ([option, { what, value, short = value }]) => `  --${option} ${value} (short: ${short}): ${what}\n`,
  );
  const mutantLines = mutants.map(({ name, what }) => `  --mutant ${name}: ${what}\n`);
  return `${name}: ${summary}\n\n${[...optionLines, ...mutantLines].join('')}`;
}
