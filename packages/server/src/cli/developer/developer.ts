import { Command } from 'commander';
import { developerCreateCommand } from './create.ts';
import { developerEraseCommand } from './erase.ts';
import { developerGetCommand } from './get.ts';
import { developerGetRecordCommand } from './get-record.ts';
import { developerListCommand } from './list.ts';
import { developerSuspendCommand, developerUnsuspendCommand } from './suspend.ts';
import { developerUpdateCommand } from './update.ts';

export function developerCommand(): Command {
  return new Command('developer')
    .description('Manage developers, the people and companies that publish apps.')
    .addCommand(developerCreateCommand())
    .addCommand(developerListCommand())
    .addCommand(developerGetCommand())
    .addCommand(developerGetRecordCommand())
    .addCommand(developerUpdateCommand())
    .addCommand(developerSuspendCommand())
    .addCommand(developerUnsuspendCommand())
    .addCommand(developerEraseCommand());
}
