import type { Searched } from '../../features/events/event-query.ts';
import { type ProgressOptions, progressLine } from './progress-line.ts';

/** Adds up how far the pages of a search have got, and shows it. */
export function searchProgress(command: string, options?: ProgressOptions) {
  const line = progressLine(command, options);
  let total: Searched = { events: 0 };
  return {
    /** Adds a page, and returns the sum. */
    add({ events, until = total.until }: Searched): Searched {
      total = { events: total.events + events, ...(until && { until }) };
      if (until) line.show(() => ({ text: `${total.events} events read, at ${until.timestamp}` }));
      return total;
    },
    end: line.end,
  };
}

/** A page of a search for people: its cursor as the way to go on. */
export function readableSearch<Page extends { nextCursor?: string; searched?: Searched }>(page: Page): object {
  const { nextCursor, ...rest } = page;
  if (nextCursor === undefined || page.searched === undefined) return page;
  return { ...rest, toGoOn: `run the command again with --cursor ${nextCursor}` };
}
