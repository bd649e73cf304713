import { Command } from 'commander';
import { archiveEvents, restoreArchivedEvents } from '../../features/events/archive/archive-events.ts';
import { example } from '../options.ts';
import { partProgress } from '../progress/part-progress.ts';
import { registryAction } from '../registry-action.ts';
import { archiveFile } from './archive-file.ts';

const archiveExplanation = `
Writes the oldest events to FILE, as JSON Lines compressed with gzip, then deletes them from the database. A server may
be using the database. If the command is interrupted, run it again with the same FILE: it resumes where it stopped.
It stops before events of the last 24 hours, and at the first event that a delivery or an undecided change needs, and
prints why it stopped. "event list" then starts after the last archive. Keep the files: they are the only copy.
`;

export function eventArchiveCommand(): Command {
  return new Command('archive')
    .description('Move the oldest events from the database to a file.')
    .argument('<file>', 'the file to create; the file of an interrupted run is completed')
    .requiredOption('--before <time>', 'archive events before this UTC time, such as 2026-03-01T00:00:00Z')
    .addHelpText(
      'after',
      archiveExplanation +
        example('app-registry event archive --before 2026-03-01T00:00:00Z /archive/events-1.jsonl.gz'),
    )
    .action(
      registryAction<{ before: string }>(async (registry, { args: [file = ''], options: { before } }) => {
        const progress = partProgress('event archive');
        try {
          return await archiveEvents(registry, { file: archiveFile(file), before, onProgress: progress.show });
        } finally {
          progress.end();
        }
      }),
    );
}

const restoreExplanation = `
Restores the events of the last archive under their original ids, so that they can be listed again. To go further back,
restore the previous archive next. Running it twice restores nothing twice. The events are not sent to webhooks again.
`;

export function eventRestoreCommand(): Command {
  return new Command('restore')
    .description('Restore the events of the last archive to the database.')
    .argument('<file>', 'the file that "event archive" created last')
    .addHelpText('after', restoreExplanation + example('app-registry event restore /archive/events-1.jsonl.gz'))
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
