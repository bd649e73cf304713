import type { Command } from 'commander';

/** The name of a command below the program, as in `app create`. */
export function commandName(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${commandName(parent)} ${command.name()}` : command.name();
}
