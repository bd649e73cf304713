import pino, { type DestinationStream, type Logger } from 'pino';

/**
 * The log: one JSON object a line, on standard output unless told otherwise. Of an error only what the
 * program itself wrote is told, as drivers attach rows and parameters to theirs.
 */
export function createLogger(level: string, destination: DestinationStream = standardOutput()): Logger {
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

/**
 * The lines of one turn of the event loop leave together: to write each by itself takes a seventh of the time of a
 * request. They are written also when the process ends, but for a signal that cannot be caught.
 */
function standardOutput(): DestinationStream {
  const output = pino.destination({ fd: 1, sync: true });
  let lines = '';
  const flush = () => {
    if (lines !== '') output.write(lines);
    lines = '';
  };
  process.on('exit', flush);
  return {
    write(line) {
      if (lines === '') setImmediate(flush);
      lines += line;
    },
  };
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
