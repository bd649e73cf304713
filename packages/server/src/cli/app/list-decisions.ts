import { Command } from 'commander';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';
import { type PageOptions, pageOptions } from '../page-options.ts';

interface Options extends PageOptions {
  actors?: true;
}

const columns = ['decidedAt', 'step', 'actor', 'code', 'message'];

export function appListDecisionsCommand(): Command {
  const command = new Command('list-decisions')
    .description('List the decisions about an app, newest first.')
    .argument('<id>', 'the app id')
    .option('--actors', 'also list the names of the reviewers');
  return pageOptions(command, columns)
    .addHelpText('after', example('app-registry app list-decisions app_01jq3v9y6ae0xv5m6b7k8c9d0e'))
    .action(
      operationAction<Options>((run, { args: [id = ''], options: { actors, cursor, limit } }) =>
        run('listDecisions', { params: { id }, query: { actors, cursor, limit } }),
      ),
    );
}
