import { Command } from 'commander';
import type { RevisionName } from '../../kernel/revision.ts';
import { changeOptions } from '../change-options.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example, revisionName } from '../options.ts';
import { addUpdateOptions, type ContentOptions, updatedContent } from './content-options.ts';

interface Options extends ContentOptions {
  revision?: RevisionName;
}

export function appUpdateCommand(): Command {
  const command = new Command('update')
    .description('Update the given fields of an app. An empty value clears an optional field.')
    .argument('<id>', 'the app id');
  addUpdateOptions(command).option(
    '--revision <revision>',
    'the revision that you read, by number or ETag; fails if the app has changed since',
    revisionName,
  );
  return changeOptions(command)
    .addHelpText(
      'after',
      example('app-registry app update app_01jq3v9y6ae0xv5m6b7k8c9d0e --name "Invoice Sync" --no-long-description'),
    )
    .action(
      operationAction<Options>((run, { args: [id = ''], options }) =>
        run('updateAppAsOperator', { params: { id }, body: updatedContent(options), ifRevision: options.revision }),
      ),
    );
}
