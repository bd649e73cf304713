import { Command } from 'commander';
import { listReasonTemplates } from '../../registry/review/reason-templates/list-reason-templates.ts';
import { example } from '../options.ts';
import { type PageOptions, pageOptions } from '../page-options.ts';
import { registryAction } from '../registry-action.ts';

export function reasonTemplateListCommand(): Command {
  const command = new Command('list').description('List the templates of reasons, by title.');
  return pageOptions(command)
    .addHelpText('after', example('app-registry reason-template list --limit 100'))
    .action(
      registryAction<PageOptions>((registry, { options: { cursor, limit } }) =>
        listReasonTemplates(registry, { cursor, limit }),
      ),
    );
}
