import pino, { type DestinationStream, type Logger } from 'pino';

/**
 * The log: one JSON object a line, on standard output unless told otherwise. Of an error only what the
 * program itself wrote is told, as drivers attach rows and parameters to theirs.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
    },
    destination,
  );
}

function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(code !== undefined && { code }),
    ...(error.cause instanceof Error && { cause: describeError(error.cause) }),
  };
}
