import { Command } from 'commander';
import { developerCreateCommand } from './create.ts';

export function developerCommand(): Command {
  return new Command('developer')
    .description('The people and companies who publish apps.')
    .addCommand(developerCreateCommand());
}
