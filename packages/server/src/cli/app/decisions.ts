import { Command } from 'commander';
import { listDecisions } from '../../registry/review/list-decisions.ts';
import { example } from '../options.ts';
import { type PageOptions, pageOptions } from '../page-options.ts';
import { registryAction } from '../registry-action.ts';

interface Options extends PageOptions {
  actors?: true;
}

export function appDecisionsCommand(): Command {
  const command = new Command('decisions')
    .description('List the decisions about an app, newest first. Events have those of releases before this command.')
    .argument('<id>', 'the app id')
    .option('--actors', 'also list the names of those who decided');
  return pageOptions(command)
    .addHelpText('after', example('app-registry app decisions app_01jq3v9y6ae0xv5m6b7k8c9d0e'))
    .action(
      registryAction<Options>((registry, { args: [appId = ''], options: { actors, cursor, limit } }) =>
        listDecisions(registry, { appId, query: { actors, cursor, limit }, showsNotes: true }),
      ),
    );
}
