import { Command } from 'commander';
import { logoAddCommand } from './add.ts';
import { logoListCommand } from './list.ts';

export function logoCommand(): Command {
  return new Command('logo')
    .description('The images that apps show.')
    .addCommand(logoAddCommand())
    .addCommand(logoListCommand());
}
