import type { Command } from 'commander';

/** What a command takes whose operation can be tried. */
export interface DryRunOption {
  dryRun?: true;
}

/** Adds the option to try a command. */
export function dryRunOption(command: Command): Command {
  return command.option('--dry-run', 'show what would be affected without changing anything');
}
