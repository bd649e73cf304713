import type { Command } from 'commander';
import { type Config, readConfig } from '../config/config.ts';
import { environment } from '../config/env.ts';
import { NewEvents } from '../features/events/feed/new-events.ts';
import { openRegistry } from '../features/settings/settings.ts';
import { type AnyOperation, runOperation } from '../kernel/operation.ts';
import type { Caller, Registry } from '../kernel/registry.ts';
import { openStorage } from '../storage/open-storage.ts';
import { type ChangeOptions, callerOf } from './command-options.ts';
import { describe } from './output/describe-result.ts';
import { requireDatabase } from './remote/remote-target.ts';
import { type AnyParts, operationNamed, type RunOperation } from './run-operation.ts';

/** The arguments and parsed options of a command. */
export interface Invocation<Options> {
  /** To ask a person, and to report wrong usage. */
  command: Command;
  args: string[];
  options: Options;
  /** Who makes the changes of a command that has the `changeOptions`. */
  caller: Caller;
}

type Work<Options> = (registry: Registry, invocation: Invocation<Options>) => Promise<object>;

interface ActionOptions {
  /** Whether to create a registry if there is none. */
  create?: boolean;
  /** Whether the steps of a migration are shown without a terminal too, unless the result is JSON. */
  showsSteps?: boolean;
}

/** Creates the action of a command that works on a registry and prints the result. */
export function registryAction<Options extends object>(
  work: Work<Options>,
  { create = false, showsSteps = false }: ActionOptions = {},
) {
  return async function action(this: Command): Promise<void> {
    const options = this.optsWithGlobals<Options & ChangeOptions & { json?: boolean }>();
    const config = configOf(this);
    const caller = callerOf(options, config);
    const isShown = process.stderr.isTTY || (showsSteps && !options.json);
    await withRegistry(
      config,
      async (registry) => printResult(this, await work(registry, { command: this, args: this.args, options, caller })),
      { create, onMigrating: isShown ? stepsOn(this) : () => {} },
    );
  };
}

/** Prints a result as JSON with `--json`, otherwise as lines for people. */
export function printResult(command: Command, result: object): void {
  const { json } = command.optsWithGlobals();
  command.configureOutput().writeOut?.(`${json ? JSON.stringify(result) : describe(result)}\n`);
}

/** The configuration from the environment and the global options. Throws `ConfigError`. */
export function configOf(command: Command): Config {
  requireDatabase(command);
  const { databaseUrl: url } = command.optsWithGlobals<{ databaseUrl?: string }>();
  return readConfig({
    ...environment,
    ...(url !== undefined && { DATABASE_URL: url, DATABASE_URL_FILE: '' }),
  });
}

/** Opens the registry, runs `work` and closes the database again. */
export async function withRegistry<Result>(
  config: Config,
  work: (registry: Registry) => Promise<Result>,
  { create = false, onMigrating = (_line: string) => {} } = {},
): Promise<Result> {
  const storage = await openStorage(config.databaseUrl, { create, onMigrating, ...config.postgres });
  try {
    return await work(await openRegistry(storage, config));
  } finally {
    await storage.close();
  }
}

/** Shows each step of a migration, apart from the result. Any command may be the first on a large database, and then takes long. */
export function stepsOn(command: Command): (line: string) => void {
  return (line) => command.configureOutput().writeErr?.(`migrating the database: ${line}\n`);
}

/** Runs operations on a database. The command line may do everything. */
export function localOperations(registry: Registry, caller: Caller): RunOperation {
  // No one else waits in the process of a command.
  const waits = { newEvents: new NewEvents(registry.storage), longPolls: { acquire: () => () => {} } };
  const run = async (named: AnyOperation | string, { ifRevision, signal, ...parts }: AnyParts = {}) => {
    const operation = await operationNamed(named);
    return runOperation(operation, registry, {
      ...parts,
      ...{ caller, waits },
      ...(ifRevision !== undefined && { ifRevision: [ifRevision] }),
      ...(signal && { disconnected: () => signal }),
    });
  };
  return run as RunOperation;
}
