import type { Command } from 'commander';
import { type Config, readConfig } from '../config/config.ts';
import { environment } from '../config/env.ts';
import { openRegistry, type Registry } from '../registry/registry.ts';
import { openStorage } from '../storage/open-storage.ts';
import { describe } from './describe.ts';

/** What a command is given: its arguments and options, as they were typed. */
export interface Invocation<Options> {
  args: string[];
  options: Options;
}

/**
 * Makes the action of a command that works on the registry and prints what it answers: as JSON with
 * `--json`, else as lines for a person, who may be told it in other words.
 */
export function registryAction<Options, Result extends object = object>(
  work: (registry: Registry, invocation: Invocation<Options>) => Promise<Result>,
  forPerson?: (result: Result) => object,
) {
  return async function action(this: Command): Promise<void> {
    const options = this.optsWithGlobals();
    const result = await withRegistry(configOf(this), (registry) =>
      work(registry, { args: this.args, options: options as Options }),
    );
    tellResult(this, options.json ? result : (forPerson?.(result) ?? result));
  };
}

/** Prints a result. */
export function tellResult(command: Command, result: object): void {
  const { json } = command.optsWithGlobals();
  command.configureOutput().writeOut?.(`${json ? JSON.stringify(result) : describe(result)}\n`);
}

/** The configuration from the environment and the global options. */
export function configOf(command: Command): Config {
  const url: string | undefined = command.optsWithGlobals().databaseUrl;
  return readConfig({ ...environment, ...(url !== undefined && { DATABASE_URL: url }) });
}

/** Does work on the registry, whose database is open as long as that takes. */
export async function withRegistry<Result>(
  config: Config,
  work: (registry: Registry) => Promise<Result>,
): Promise<Result> {
  const storage = await openStorage(config.databaseUrl);
  try {
    return await work(await openRegistry(storage, config));
  } finally {
    await storage.close();
  }
}
