import type { AppRegistryEvent } from '@appregistrar/client';
import type { ActorName } from '@appregistrar/client/operator';
import type { ComponentChildren } from 'preact';
import { Pager } from '../parts/pager.tsx';
import { namesOf } from './actor.tsx';
import { EventEntry } from './event-entry.tsx';

interface EventListProps {
  page: { items: AppRegistryEvent[]; actors?: ActorName[]; nextCursor?: string; prevCursor?: string };
  hrefAt: (cursor: string) => string;
  isOfPage?: boolean;
  actionOf?: (event: AppRegistryEvent) => ComponentChildren;
}

/** A page of events, newest first. A page of a search may end before it has found any. */
export function EventList({ page, hrefAt, isOfPage = false, actionOf }: EventListProps) {
  const names = namesOf(page);
  return (
    <>
      {page.items.length === 0 && (
        <p class="empty">
          {page.nextCursor === undefined
            ? 'No matching events.'
            : 'No matching events on this page. Try the older ones.'}
        </p>
      )}
      <ol class="history">
        {page.items.map((event) => (
          <EventEntry
            key={event.id}
            event={event}
            actorName={names.get(event.actor)}
            isOfPage={isOfPage}
            action={actionOf?.(event)}
          />
        ))}
      </ol>
      <Pager page={page} hrefAt={hrefAt} of="the changes" previous="Newer" next="Older" />
    </>
  );
}
