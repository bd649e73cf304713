import { createLogger, type Log } from '../../../server/src/log.ts';

export interface LogLine {
  level: number;
  msg: string;
  [field: string]: unknown;
}

const info = 30;

/** A log at level `trace`, captured in memory. */
export class CapturedLog {
  readonly logger: Log = createLogger('trace', { write: (line) => this.#lines.push(line) });
  readonly #lines: string[] = [];

  get text(): string {
    return this.#lines.join('');
  }

  get lines(): LogLine[] {
    return this.#lines.map((line) => JSON.parse(line));
  }

  /** The request lines at `info`, by request id. */
  requests(): Map<unknown, LogLine[]> {
    const lines = this.lines.filter(({ level, msg }) => level === info && msg === 'request');
    return Map.groupBy(lines, ({ requestId }) => requestId);
  }
}
