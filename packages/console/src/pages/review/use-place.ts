import { useEffect, useRef } from 'preact/hooks';
import { hrefOfReview, type QueueFilter } from './queue-filter.ts';
import type { OpenedApp } from './use-opened-app.ts';
import type { Queue } from './use-queue.ts';

/** From how many apps before the end on the next page of the queue is loaded. */
const aheadOfEnd = 5;

/** Where the app that is open is in the queue. */
export interface Place {
  /** From 1; undefined where it is not in the queue. */
  position: number | undefined;
  next: () => void;
  previous: () => void;
  /** Takes the app out of the queue and opens the one that follows, or else the one before it. */
  leave: (opened: OpenedApp) => void;
  open: (appId: string) => void;
}

export function usePlace(id: string | undefined, filter: QueueFilter, queue: Queue): Place {
  const items = queue.items ?? [];
  const index = items.findIndex(({ app }) => app.id === id);
  // Where an app has left the queue, the next one takes its place.
  const latest = useRef(0);
  if (index >= 0) latest.current = index;
  const isNearEnd = id !== undefined && queue.hasMore && latest.current >= items.length - aheadOfEnd;
  useEffect(() => {
    if (isNearEnd) void queue.loadMore();
  }, [isNearEnd, items.length]);

  const openAt = (at: number) => {
    const item = items[at];
    if (item) location.hash = hrefOfReview(filter, item.app.id);
  };
  return {
    position: index >= 0 ? index + 1 : undefined,
    next: () => openAt(index >= 0 ? index + 1 : id === undefined ? 0 : latest.current),
    previous: () => openAt((index >= 0 ? index : latest.current) - 1),
    leave: ({ item }) => {
      const following = items[index + 1] ?? items[index - 1];
      if (item) queue.remove(item);
      location.hash = hrefOfReview(filter, following?.app.id);
    },
    open: (appId) => {
      location.hash = hrefOfReview(filter, appId);
    },
  };
}
