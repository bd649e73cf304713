import { Command } from 'commander';
import { archiveEvents, restoreArchivedEvents } from '../../features/events/archive/archive-events.ts';
import type { EventPage } from '../../features/events/event-query.ts';
import { eventOperations } from '../../features/events/events.ts';
import { pageLimits } from '../../kernel/page.ts';
import { archiveFile } from '../command-files.ts';
import { example } from '../command-options.ts';
import { commandGroup, derivedCommand } from '../derived-commands.ts';
import { partProgress, searchProgress } from '../progress-line.ts';
import { registryAction } from '../registry-action.ts';
import type { RunOperation } from '../run-operation.ts';

export function eventCommand(): Command {
  const { listEvents, readEventFeed } = eventOperations;
  return commandGroup(new Command('event').description('Read and archive the history of changes.'), {
    list: derivedCommand(listEvents, { read: (run, { query = {} }) => readSearch(run, query) }),
    readEventFeed,
    archive: eventArchiveCommand(),
    restore: eventRestoreCommand(),
  });
}

/**
 * A page of events. A page of a search may end before it is full: this goes on, showing its progress, until its
 * page is full or everything is searched.
 */
async function readSearch(run: RunOperation, query: Record<string, unknown>): Promise<EventPage> {
  const limit = Number(query.limit ?? pageLimits.default);
  const progress = searchProgress('event list');
  try {
    let page = await run('listEvents', { query });
    while (page.searched) {
      const searched = progress.add(page.searched);
      page = { ...page, searched };
      if (page.nextCursor === undefined || page.items.length >= limit) break;
      const rest = { ...query, cursor: page.nextCursor, limit: limit - page.items.length };
      page = joined(page, await run('listEvents', { query: rest }));
    }
    return page;
  } finally {
    progress.end();
  }
}

/** Two pages as one, which has got as far as the second. */
function joined({ items, apps = [], actors = [] }: EventPage, next: EventPage): EventPage {
  const appsById = new Map([...apps, ...(next.apps ?? [])].map((app) => [app.appId, app]));
  const namesById = new Map([...actors, ...(next.actors ?? [])].map((one) => [one.actor, one]));
  return {
    ...next,
    items: [...items, ...next.items],
    ...(next.apps && { apps: [...appsById.values()] }),
    ...(next.actors && { actors: [...namesById.values()] }),
  };
}

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
