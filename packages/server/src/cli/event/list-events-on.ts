import type { EventPage, EventQuery } from '../../features/events/event-query.ts';
import { pageLimits } from '../../kernel/page-parameters.ts';
import type { RunOperation } from '../operation/run-operation.ts';
import { searchProgress } from '../progress/search-progress.ts';

/** A query whose parameters may be undefined, as options are. */
type Query = { [Name in keyof EventQuery]?: EventQuery[Name] | undefined };

/**
 * A page of events. A page of a search may end before it is full: this goes on, showing its progress, until its
 * page is full or everything is searched.
 */
export async function listEventsOn(run: RunOperation, query: Query): Promise<EventPage> {
  const { limit = pageLimits.default } = query;
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
