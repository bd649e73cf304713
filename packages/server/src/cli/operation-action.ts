import type { Command } from 'commander';
import { type ChangeOptions, callerOf } from './command-options.ts';
import { printResults } from './output/print-results.ts';
import type { Invocation } from './registry-action.ts';
import { remoteTarget } from './remote/remote-target.ts';
import type { RunOperation } from './run-operation.ts';

/** The arguments and parsed options of a command whose operations know their caller. */
export type OperationInvocation<Options> = Omit<Invocation<Options>, 'caller'>;

type Work<Options, Result> = (run: RunOperation, invocation: OperationInvocation<Options>) => Promise<Result>;

/**
 * Creates the action of a command that runs operations, on a database or, with `--url`, through the operator API, and
 * prints the result as `registryAction` does.
 */
export function operationAction<Options extends object, Result extends object = object>(
  work: Work<Options, Result>,
  readable?: (result: Result) => object,
) {
  return async function action(this: Command): Promise<void> {
    const options = this.optsWithGlobals<Options>();
    await withOperations(this, (run) =>
      printResults(
        this,
        (page) => work(run, { command: this, args: this.args, options: { ...options, ...page } }),
        readable as (result: object) => object,
      ),
    );
  };
}

/** Gives a command its operations: on a database or, with `--url`, through the operator API. */
export async function withOperations(command: Command, work: (run: RunOperation) => Promise<void>): Promise<void> {
  const target = remoteTarget(command);
  if (target) {
    const { remoteOperations } = await import('./remote/remote-operations.ts');
    return work(await remoteOperations(command, target));
  }
  const { configOf, localOperations, stepsOn, withRegistry } = await import('./registry-action.ts');
  const config = configOf(command);
  const caller = callerOf(command.optsWithGlobals<ChangeOptions>(), config);
  const onMigrating = process.stderr.isTTY ? stepsOn(command) : () => {};
  await withRegistry(config, (registry) => work(localOperations(registry, caller)), { onMigrating });
}
