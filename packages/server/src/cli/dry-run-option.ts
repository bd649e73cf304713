import type { Command } from 'commander';
import { runOrTry, type Scope } from '../registry/dry-run/dry-run.ts';
import type { Registry } from '../registry/registry.ts';
import { type Invocation, registryAction } from './registry-action.ts';

/** What a command does, and what that concerns. */
interface Operation {
  scope: Scope;
  work: (registry: Registry) => Promise<object>;
}

interface DryRunOption {
  dryRun?: boolean;
}

/** Adds the option to try a command, whose action is a `triableAction`. */
export function dryRunOption(command: Command): Command {
  return command.option('--dry-run', 'print what would be affected and change nothing');
}

/** Like `registryAction`: does an operation or, with `--dry-run`, tries it. */
export function triableAction<Options extends object = object>(
  operation: (invocation: Invocation<Options>) => Operation,
) {
  return registryAction<Options & DryRunOption>((registry, invocation) => {
    const { scope, work } = operation(invocation);
    return runOrTry(registry, { dryRun: invocation.options.dryRun, scope }, work);
  });
}
