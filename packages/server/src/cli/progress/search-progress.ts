import type { Searched } from '../../contract/event-query.ts';

const intervalMs = 100;

/** Adds up how far the pages of a search have got, and shows it on a terminal. Elsewhere it shows nothing. */
export function searchProgress(terminal: NodeJS.WriteStream = process.stderr) {
  let total: Searched = { events: 0 };
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    /** Adds a page, and returns the sum. */
    add({ events, until = total.until }: Searched): Searched {
      total = { events: total.events + events, ...(until && { until }) };
      if (until && terminal.isTTY && performance.now() - shownAt >= intervalMs) {
        shownAt = performance.now();
        terminal.write(`\r\u001b[K${total.events} events read, at ${until.timestamp}`);
      }
      return total;
    },
    /** Clears the line. */
    end(): void {
      if (terminal.isTTY) terminal.write('\r\u001b[K');
    },
  };
}

/** A page of a search for people: its cursor as the way to go on. */
export function readableSearch<Page extends { nextCursor?: string; searched?: Searched }>(page: Page): object {
  const { nextCursor, ...rest } = page;
  if (nextCursor === undefined || page.searched === undefined) return page;
  return { ...rest, toGoOn: `run the command again with --cursor ${nextCursor}` };
}
