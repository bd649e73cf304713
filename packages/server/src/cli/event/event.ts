import { Command } from 'commander';
import type { EventPage } from '../../features/events/event-query.ts';
import { eventOperations } from '../../features/events/events.ts';
import { pageLimits } from '../../kernel/page-parameters.ts';
import { commandGroup, derivedCommand } from '../derived-commands.ts';
import type { RunOperation } from '../operation/run-operation.ts';
import { searchProgress } from '../progress/search-progress.ts';
import { eventArchiveCommand, eventRestoreCommand } from './archive.ts';

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
