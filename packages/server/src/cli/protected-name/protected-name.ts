import { Command } from 'commander';
import { protectedNameAddCommand } from './add.ts';
import { protectedNameListCommand } from './list.ts';
import { protectedNameRemoveCommand } from './remove.ts';

export function protectedNameCommand(): Command {
  return new Command('protected-name')
    .description('Manage names and hosts reserved for some developers. The review queue warns when others use them.')
    .addCommand(protectedNameAddCommand())
    .addCommand(protectedNameListCommand())
    .addCommand(protectedNameRemoveCommand());
}
