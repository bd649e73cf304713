import pino, { type DestinationStream } from 'pino';

const gatherMs = 5;

/**
 * The log: one JSON object per line, by default on standard output. Of an error it contains only what this program
 * wrote, because drivers attach rows and parameters to theirs.
 */
export function createLogger(level: string, destination: DestinationStream = standardOutput()) {
  const base = { pid: process.pid };
  const logger = pino({ level, base, timestamp: isoTime, serializers: { err: describeError } }, destination);
  const infoHead = oncePerMillisecond(() => `{"level":${pino.levels.values.info}${isoTime()},"pid":${base.pid},`);
  // The line of each request, whose fields are already JSON: this takes a tenth of the time.
  const writeInfo = (fields: string) => {
    if (logger.isLevelEnabled('info')) destination.write(`${infoHead()}${fields}}\n`);
  };
  return Object.assign(logger, { writeInfo });
}

export type Log = ReturnType<typeof createLogger>;

/**
 * Writes the lines of a few milliseconds together: writing each separately takes a seventh of the time of a request.
 * Also writes them when the process exits, except by a signal that cannot be caught.
 */
function standardOutput(): DestinationStream {
  const output = pino.destination({ fd: 1, sync: true, contentMode: 'buffer' });
  let lines = '';
  const flush = () => {
    // Given a string, it would count the bytes twice. Its types allow nothing else.
    if (lines !== '') output.write(Buffer.from(lines) as unknown as string);
    lines = '';
  };
  process.on('exit', flush);
  return {
    write(line) {
      if (lines === '') setTimeout(flush, gatherMs);
      lines += line;
    },
  };
}

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
