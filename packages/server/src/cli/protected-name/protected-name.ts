import { Command } from 'commander';
import { protectedNameCreateCommand } from './create.ts';
import { protectedNameDeleteCommand } from './delete.ts';
import { protectedNameListCommand } from './list.ts';

export function protectedNameCommand(): Command {
  return new Command('protected-name')
    .description('Manage names and hosts reserved for some developers. The review queue warns when others use them.')
    .addCommand(protectedNameCreateCommand())
    .addCommand(protectedNameListCommand())
    .addCommand(protectedNameDeleteCommand());
}
