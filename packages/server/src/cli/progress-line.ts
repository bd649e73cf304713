import type { Searched } from '../features/events/event-query.ts';

const terminalIntervalMs = 100;
const lineIntervalMs = 60_000;
const barWidth = 30;
/** Before that, a rate says nothing. */
const rateAfterMs = 2_000;

/** Where progress is shown. The defaults are standard error and the clock of the process. */
export interface ProgressOptions {
  output?: { isTTY?: boolean | undefined; write(text: string): unknown };
  /** Milliseconds that never go back. */
  now?: () => number;
}

/** How far a command is. */
interface Progress {
  /** From 0 to 1, if it is known. */
  part?: number;
  text: string;
}

/**
 * The progress of a command that may take long: on a terminal in one line that is written again and again, elsewhere in
 * a new line each minute.
 */
export function progressLine(
  command: string,
  { output = process.stderr, now = () => performance.now() }: ProgressOptions = {},
) {
  const beganAt = now();
  let shownAt = output.isTTY ? Number.NEGATIVE_INFINITY : beganAt;
  return {
    /** Describes the progress, if it is to be shown now, from the milliseconds since the command began. */
    show: (describe: (elapsedMs: number) => Progress): void => {
      const at = now();
      if (at - shownAt < (output.isTTY ? terminalIntervalMs : lineIntervalMs)) return;
      shownAt = at;
      const { part, text } = describe(at - beganAt);
      output.write(output.isTTY ? `\r\u001b[K${bar(part)}${text}` : `${command}: ${text}\n`);
    },
    /** Clears the line of a terminal. */
    end: (): void => {
      if (output.isTTY) output.write('\r\u001b[K');
    },
  };
}

/** A comma and how many a second, once that says something. */
function rate(count: number, elapsedMs: number): string {
  return elapsedMs < rateAfterMs ? '' : `, ${Math.round((count * 1_000) / elapsedMs)} a second`;
}

/** A comma and the time left, once that says something. */
export function timeLeft(part: number, elapsedMs: number): string {
  if (elapsedMs < rateAfterMs || part === 0) return '';
  return `, ${duration((elapsedMs / part) * (1 - part))} left`;
}

function bar(part: number | undefined): string {
  if (part === undefined) return '';
  const filled = Math.round(part * barWidth);
  return `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] `;
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Shows how far an import is, how many records it reads a second and how long it will take. */
export function importProgress(totalBytes: number, options?: ProgressOptions) {
  const line = progressLine('import', options);
  return {
    show: (bytes: number, records: number): void =>
      line.show((elapsedMs) => {
        const counted = `${records} records${rate(records, elapsedMs)}`;
        if (totalBytes === 0) return { text: counted };
        const part = Math.min(1, bytes / totalBytes);
        return { part, text: `${Math.floor(part * 100)} %, ${counted}${timeLeft(part, elapsedMs)}` };
      }),
    end: line.end,
  };
}

/** Shows how many objects a command has read, and how many a second. */
export function objectProgress(command: string, options?: ProgressOptions) {
  const line = progressLine(command, options);
  return {
    show: (objects: number): void =>
      line.show((elapsedMs) => ({ text: `${objects} objects${rate(objects, elapsedMs)}` })),
    end: line.end,
  };
}

/** Shows how far a command is, and how long it will take. */
export function partProgress(command: string, options?: ProgressOptions) {
  const line = progressLine(command, options);
  return {
    /** From 0 to 1. */
    show: (done: number): void =>
      line.show((elapsedMs) => {
        const part = Math.min(1, done);
        return { part, text: `${Math.floor(part * 100)} %${timeLeft(part, elapsedMs)}` };
      }),
    end: line.end,
  };
}

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
