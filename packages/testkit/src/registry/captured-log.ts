import { createLogger, type Log } from '../../../server/src/log.ts';

export interface LogLine {
  level: number;
  msg: string;
  [member: string]: unknown;
}

const info = 30;

/** A log at level `trace`, which keeps what it is told. */
export class CapturedLog {
  readonly logger: Log = createLogger('trace', { write: (line) => this.#lines.push(line) });
  readonly #lines: string[] = [];

  get text(): string {
    return this.#lines.join('');
  }

  get lines(): LogLine[] {
    return this.#lines.map((line) => JSON.parse(line));
  }

  /** The lines at `info` that tell of a request, by its id. */
  requests(): Map<unknown, LogLine[]> {
    const lines = this.lines.filter(({ level, msg }) => level === info && msg === 'request');
    return Map.groupBy(lines, ({ requestId }) => requestId);
  }
}
