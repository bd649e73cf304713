import { CommanderError } from 'commander';
import { program } from './program.ts';
import { tellFailure } from './tell-failure.ts';

/** Exit statuses: done, refused, wrong usage. */
const done = 0;
const refused = 1;
const wrongUsage = 2;

/** Runs one command line, without the name of the program. Resolves to its exit status. */
export async function run(args: string[]): Promise<number> {
  const root = program();
  try {
    await root.parseAsync(args, { from: 'user' });
    return done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? done : wrongUsage;
    tellFailure(error, { json: root.opts().json === true });
    return refused;
  }
}
