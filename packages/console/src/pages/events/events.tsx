import type { EventQuery } from '@appregistrar/client/operator';
import { EventList } from '../../events/event-list.tsx';
import { anyEvent } from '../../live/changes.ts';
import { operator } from '../../operator.ts';
import { Page } from '../../parts/page.tsx';
import { activityTabs, Tabs } from '../../parts/tabs.tsx';
import { hrefOf } from '../../route.ts';
import { useRequest } from '../../use-request.ts';
import { EventFilter } from './event-filter.tsx';

const filterNames = [
  'type',
  'appId',
  'actor',
  'about',
  'requestId',
  'field',
  'contains',
  'since',
  'until',
] as const satisfies (keyof EventQuery)[];

/** Everything that has changed in the registry, newest first, with filters. */
export function EventsPage({ query }: { query: URLSearchParams }) {
  const filter = Object.fromEntries(filterNames.map((name) => [name, query.get(name) ?? undefined]));
  const cursor = query.get('cursor') ?? undefined;
  const { data, error, isPending, reload } = useRequest(
    (signal) =>
      operator.events
        .list({ ...filter, type: filter.type?.split(','), cursor, sort: '-id', actors: true }, { signal })
        .page(),
    [...Object.values(filter), cursor],
    { follows: anyEvent },
  );
  return (
    <Page title="Activity">
      <Tabs of="the activity" tabs={activityTabs} current="events" />
      <EventFilter filter={filter} query={query} error={error} retry={reload} />
      <div aria-busy={isPending}>
        {data && <EventList page={data} hrefAt={(at) => hrefOf(['events'], { ...filter, cursor: at })} />}
        {cursor !== undefined && data?.prevCursor === undefined && (
          <p class="alone">
            <a href={hrefOf(['events'], filter)}>Back to the newest</a>
          </p>
        )}
      </div>
    </Page>
  );
}
