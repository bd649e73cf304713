import { Command } from 'commander';
import { reasonTemplateCreateCommand } from './create.ts';
import { reasonTemplateDeleteCommand } from './delete.ts';
import { reasonTemplateListCommand } from './list.ts';
import { reasonTemplateUpdateCommand } from './update.ts';

export function reasonTemplateCommand(): Command {
  return new Command('reason-template')
    .description('Manage reusable texts for the reasons of review decisions.')
    .addCommand(reasonTemplateListCommand())
    .addCommand(reasonTemplateCreateCommand())
    .addCommand(reasonTemplateUpdateCommand())
    .addCommand(reasonTemplateDeleteCommand());
}
