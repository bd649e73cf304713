import { CommanderError } from 'commander';
import { type Output, program } from './program.ts';

/** Exit statuses: done, refused, wrong usage. */
const done = 0;
const refused = 1;
const wrongUsage = 2;

/** Runs one command line, without the name of the program. Resolves to its exit status. */
export async function run(args: string[], output?: Output): Promise<number> {
  const root = await program(args, output);
  try {
    await root.parseAsync(args, { from: 'user' });
    return done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? done : wrongUsage;
    const { reportFailure } = await import('./report-failure.ts');
    root.configureOutput().writeErr?.(reportFailure(error, { json: root.opts().json === true }));
    return refused;
  }
}
