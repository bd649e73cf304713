const width = 30;
const terminalIntervalMs = 100;
const lineIntervalMs = 60_000;
/** Before that, a rate says nothing. */
const rateAfterMs = 2_000;

export interface ProgressOutput {
  isTTY?: boolean | undefined;
  write(text: string): unknown;
}

interface Options {
  output?: ProgressOutput;
  /** Milliseconds that never go back. */
  now?: () => number;
}

/**
 * Shows how far an import is, how many records it reads a second and how long it will take: on a terminal in a line of its
 * own, elsewhere in a line a minute.
 */
export function importProgress(
  totalBytes: number,
  { output = process.stderr, now = () => performance.now() }: Options = {},
) {
  const beganAt = now();
  let shownAt = output.isTTY ? Number.NEGATIVE_INFINITY : beganAt;
  return {
    show: (bytes: number, records: number): void => {
      const at = now();
      if (at - shownAt < (output.isTTY ? terminalIntervalMs : lineIntervalMs)) return;
      shownAt = at;
      const part = totalBytes === 0 ? null : Math.min(1, bytes / totalBytes);
      const text = describe(part, records, at - beganAt);
      output.write(output.isTTY ? `\r\u001b[K${bar(part)}${text}` : `import: ${text}\n`);
    },
    /** Clears the line of a terminal. */
    end: (): void => {
      if (output.isTTY) output.write('\r\u001b[K');
    },
  };
}

function bar(part: number | null): string {
  if (part === null) return '';
  const filled = Math.round(part * width);
  return `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] `;
}

function describe(part: number | null, records: number, elapsedMs: number): string {
  const parts = part === null ? [] : [`${Math.floor(part * 100)} %`];
  parts.push(`${records} records`);
  if (elapsedMs >= rateAfterMs) {
    parts.push(`${Math.round((records * 1_000) / elapsedMs)} a second`);
    if (part !== null && part > 0) parts.push(`${duration((elapsedMs / part) * (1 - part))} left`);
  }
  return parts.join(', ');
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
