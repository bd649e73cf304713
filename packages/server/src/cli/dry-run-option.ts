import type { Command } from 'commander';

export interface DryRunOption {
  dryRun?: boolean;
}

/** Adds the option to try a command. */
export function dryRunOption(command: Command): Command {
  return command.option('--dry-run', 'print what would be affected and change nothing');
}
