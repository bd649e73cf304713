import type { Command } from 'commander';
import { program } from '../../src/cli/program.ts';

/** Every command that runs, without the groups. */
export async function listCommands(): Promise<Command[]> {
  return leaves(await program());
}

/** As in `app create`. */
export function nameOf(command: Command): string {
  const parent = command.parent?.parent ? `${nameOf(command.parent)} ` : '';
  return parent + command.name();
}

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}
