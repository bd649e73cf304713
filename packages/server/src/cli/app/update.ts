import { Command } from 'commander';
import { updateAppAsOperator } from '../../registry/apps/update-app-as-operator.ts';
import type { RevisionName } from '../../registry/revision.ts';
import { changeOptions } from '../change-options.ts';
import { example, revisionName } from '../options.ts';
import { registryAction } from '../registry-action.ts';
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
    'the revision that was seen, as its number or its ETag; refused if the app has changed since',
    revisionName,
  );
  return changeOptions(command)
    .addHelpText(
      'after',
      example('app-registry app update app_01jq3v9y6ae0xv5m6b7k8c9d0e --name "Invoice Sync" --no-long-description'),
    )
    .action(
      registryAction<Options>((registry, { args: [appId = ''], options, caller }) =>
        updateAppAsOperator(registry, caller, {
          appId,
          update: updatedContent(options),
          ifRevision: options.revision === undefined ? undefined : [options.revision],
        }),
      ),
    );
}
