import { Command } from 'commander';
import { restoreArchivedEvents } from '../../features/events/archive/restore-archived-events.ts';
import { example } from '../options.ts';
import { partProgress } from '../progress/part-progress.ts';
import { registryAction } from '../registry-action.ts';
import { archiveFile } from './archive-file.ts';

const explanation = `
Restores the events of the last archive under their original ids, so that they can be listed again. To go further back,
restore the previous archive next. Running it twice restores nothing twice. The events are not sent to webhooks again.
`;

export function eventRestoreCommand(): Command {
  return new Command('restore')
    .description('Restore the events of the last archive to the database.')
    .argument('<file>', 'the file that "event archive" created last')
    .addHelpText('after', explanation + example('app-registry event restore /archive/events-1.jsonl.gz'))
    .action(
      registryAction(async (registry, { args: [file = ''] }) => {
        const progress = partProgress('event restore');
        try {
          return await restoreArchivedEvents(registry, { file: archiveFile(file), onProgress: progress.show });
        } finally {
          progress.end();
        }
      }),
    );
}
