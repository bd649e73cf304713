import { Command } from 'commander';
import type { AppRevisionPage } from '../../contract/review/revision.ts';
import { listRevisions } from '../../registry/revisions/list-revisions.ts';
import { example } from '../options.ts';
import { type PageOptions, pageOptions } from '../page-options.ts';
import { registryAction } from '../registry-action.ts';

export function appRevisionsCommand(): Command {
  const command = new Command('revisions')
    .description(
      "List the revisions of an app's content, newest first: when each was made, by whom, and which fields it changed.",
    )
    .argument('<id>', 'the app id');
  return pageOptions(command)
    .addHelpText('after', example('app-registry app revisions app_01jq3v9y6ae0xv5m6b7k8c9d0e'))
    .action(
      registryAction<PageOptions, AppRevisionPage>(
        (registry, { args: [appId = ''], options: { cursor, limit } }) =>
          listRevisions(registry, appId, { cursor, limit }),
        ({ items, ...page }) => ({ items: items.map(readableRevision), ...page }),
      ),
    );
}

function readableRevision({ changed, ...revision }: AppRevisionPage['items'][number]): object {
  return { ...revision, ...(changed && { changed: changed.join(', ') || 'nothing' }) };
}
