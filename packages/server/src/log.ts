import pino, { type DestinationStream } from 'pino';
import { escapeControls } from './contract/text.ts';
import { LogOutput } from './log-output.ts';

/** The destination of log lines. It may drop lines. */
interface LogDestination extends DestinationStream {
  droppedLines?: number;
  /** Called with the number of lines dropped, once later lines are written again. */
  onResume?: (droppedLines: number) => void;
}

/**
 * The log: one JSON object per line, by default on standard output. Of an error it contains only what this program
 * wrote, because drivers attach rows and parameters to theirs.
 */
export function createLogger(level: string, destination: LogDestination = new LogOutput()) {
  const base = { pid: process.pid };
  const baseFields = JSON.stringify(base).slice(1, -1);
  const safe: DestinationStream = { write: (line) => destination.write(escapeControls(line)) };
  const logger = pino({ level, base, timestamp: isoTime, serializers: { err: describeError } }, safe);
  const infoHead = oncePerMillisecond(() => `{"level":${pino.levels.values.info}${isoTime()},${baseFields},`);
  // The line of each request, whose fields are already safe JSON: this takes a tenth of the time.
  const writeInfo = (fields: string) => {
    if (logger.isLevelEnabled('info')) destination.write(`${infoHead()}${fields}}\n`);
  };
  destination.onResume = (lines) => logger.warn({ lines }, 'log lines dropped');
  return Object.assign(logger, { writeInfo, droppedLines: () => destination.droppedLines ?? 0 });
}

export type Log = ReturnType<typeof createLogger>;

const isoTime = oncePerMillisecond((now) => `,"time":"${new Date(now).toISOString()}"`);

/** Calls `make` only once per millisecond. */
function oncePerMillisecond(make: (now: number) => string): () => string {
  let madeAt = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== madeAt) {
      madeAt = now;
      text = make(now);
    }
    return text;
  };
}

function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...('code' in error && error.code !== undefined && { code: error.code }),
    ...(error.cause instanceof Error && { cause: describeError(error.cause) }),
  };
}
