import pino, { type DestinationStream } from 'pino';
import { escapeControls } from './kernel/text.ts';
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
  const safe: DestinationStream = { write: (line) => destination.write(escapeControls(line)) };
  const logger = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
    },
    safe,
  );
  destination.onResume = (lines) => logger.warn({ lines }, 'log lines dropped');
  return Object.assign(logger, { droppedLines: () => destination.droppedLines ?? 0 });
}

export type Log = ReturnType<typeof createLogger>;

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
