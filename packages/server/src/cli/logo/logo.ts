import { Command } from 'commander';
import { logoAddCommand } from './add.ts';
import { logoBlockCommand } from './block.ts';
import { logoDeleteCommand } from './delete.ts';
import { logoListCommand } from './list.ts';
import { logoUnblockCommand } from './unblock.ts';

export function logoCommand(): Command {
  return new Command('logo')
    .description('Manage the logos of apps.')
    .addCommand(logoAddCommand())
    .addCommand(logoListCommand())
    .addCommand(logoBlockCommand())
    .addCommand(logoUnblockCommand())
    .addCommand(logoDeleteCommand());
}
