import { Command } from 'commander';
import { logoAddCommand } from './add.ts';

export function logoCommand(): Command {
  return new Command('logo').description('The images that apps show.').addCommand(logoAddCommand());
}
