import { type Command, CommanderError } from 'commander';
import { isJson, RecordsRefused } from './command-problems.ts';
import { type Output, program } from './program.ts';

/** Exit statuses. */
const success = 0;
const failure = 1;
const wrongUsage = 2;
/** What could be done is done. */
const partly = 3;

/** Runs one command line, given without the program name. Resolves to the exit status. */
export async function run(args: string[], output?: Output): Promise<number> {
  const root = await program(args, output);
  let invoked: Command | undefined;
  root.hook('preAction', (_root, command) => {
    invoked = command;
  });
  try {
    await root.parseAsync(args, { from: 'user' });
    return success;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? success : wrongUsage;
    const { reportFailure } = await import('./report-failure.ts');
    root.configureOutput().writeErr?.(reportFailure(error, { json: isJson(args), command: invoked }));
    return error instanceof RecordsRefused ? partly : failure;
  }
}
