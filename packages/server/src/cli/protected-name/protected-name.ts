import { Command } from 'commander';
import { protectedNameAddCommand } from './add.ts';
import { protectedNameListCommand } from './list.ts';
import { protectedNameRemoveCommand } from './remove.ts';

export function protectedNameCommand(): Command {
  return new Command('protected-name')
    .description(
      'The names and hosts that only some developers may use: the review queue warns of their use by others.',
    )
    .addCommand(protectedNameAddCommand())
    .addCommand(protectedNameListCommand())
    .addCommand(protectedNameRemoveCommand());
}
