import pino, { type DestinationStream } from 'pino';

const gatherMs = 5;

/**
 * The log: one JSON object a line, on standard output unless told otherwise. Of an error only what the
 * program itself wrote is told, as drivers attach rows and parameters to theirs.
 */
export function createLogger(level: string, destination: DestinationStream = standardOutput()) {
  const base = { pid: process.pid };
  const logger = pino({ level, base, timestamp: isoTime, serializers: { err: describeError } }, destination);
  const infoHead = oncePerMillisecond(() => `{"level":${pino.levels.values.info}${isoTime()},"pid":${base.pid},`);
  // The line that every request has, its members JSON already: so it takes a tenth of the time.
  const writeInfo = (members: string) => {
    if (logger.isLevelEnabled('info')) destination.write(`${infoHead()}${members}}\n`);
  };
  return Object.assign(logger, { writeInfo });
}

export type Log = ReturnType<typeof createLogger>;

/**
 * The lines of some milliseconds leave together: to write each by itself takes a seventh of the time of a request.
 * They are written also when the process ends, but for a signal that cannot be caught.
 */
function standardOutput(): DestinationStream {
  const output = pino.destination({ fd: 1, sync: true, contentMode: 'buffer' });
  let lines = '';
  const flush = () => {
    // Of a text it would count the bytes twice before it writes them; its types know no other content.
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

/** Of the lines of one millisecond, the first makes the text. */
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
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(code !== undefined && { code }),
    ...(error.cause instanceof Error && { cause: describeError(error.cause) }),
  };
}
