import { Command } from 'commander';
import type { AppRevisionPage } from '../../features/apps/revisions/revisions.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';
import { type PageOptions, pageOptions } from '../page-options.ts';

interface Options extends PageOptions {
  actors?: true;
}

const columns = ['revision', 'createdAt', 'actor', 'isApproved', 'changed'];

export function appListRevisionsCommand(): Command {
  const command = new Command('list-revisions')
    .description("List the revisions of an app's content, newest first, with time, author and changed fields.")
    .argument('<id>', 'the app id')
    .option('--actors', 'also list the names of the actors');
  return pageOptions(command, columns)
    .addHelpText('after', example('app-registry app list-revisions app_01jq3v9y6ae0xv5m6b7k8c9d0e'))
    .action(
      operationAction<Options, AppRevisionPage>(
        (run, { args: [id = ''], options: { actors, cursor, limit } }) =>
          run('listRevisions', { params: { id }, query: { actors, cursor, limit } }),
        ({ items, ...page }) => ({ items: items.map(readableRevision), ...page }),
      ),
    );
}

function readableRevision({ changed, ...revision }: AppRevisionPage['items'][number]): object {
  return { ...revision, ...(changed && { changed: changed.join(', ') || 'nothing' }) };
}
