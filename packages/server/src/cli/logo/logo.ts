import { Command } from 'commander';
import { logoBlockCommand } from './block.ts';
import { logoCreateCommand } from './create.ts';
import { logoDeleteCommand } from './delete.ts';
import { logoListCommand } from './list.ts';
import { logoUnblockCommand } from './unblock.ts';

export function logoCommand(): Command {
  return new Command('logo')
    .description('Manage the logos of apps.')
    .addCommand(logoCreateCommand())
    .addCommand(logoListCommand())
    .addCommand(logoBlockCommand())
    .addCommand(logoUnblockCommand())
    .addCommand(logoDeleteCommand());
}
