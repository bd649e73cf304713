import { listPrograms, type Program } from './programs.ts';

export async function usage(): Promise<string> {
  const lines = (await listPrograms()).map(
    ({ name, faultInjection }) => `  ${name.padEnd(16)} ${faultInjection.summary}\n`,
  );
  return `Programs that try to break the guarantees of the registry.

  npm run faults -- NAME [--seed N] [--short] [its own options]
  npm run faults -- NAME --publish    also writes its figures to docs/fault-injection-results.md
  npm run faults -- NAME --help       its options and defects
  npm run faults -- NAME --defects    every deliberate defect must be caught
  npm run faults -- NAME --defect M   runs with one of them
  npm run faults -- all --short       every program

${lines.join('')}`;
}

export function helpOf({ name, faultInjection: { summary, options, defects } }: Program): string {
  const optionLines = Object.entries(options).map(
    ([option, { what, value, short = value }]) => `  --${option} ${value} (short: ${short}): ${what}\n`,
  );
  const defectLines = defects.map(({ name, what }) => `  --defect ${name}: ${what}\n`);
  return `${name}: ${summary}\n\n${[...optionLines, ...defectLines].join('')}`;
}
