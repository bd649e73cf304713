import { constants, openSync, write, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pino, { type DestinationStream } from 'pino';
import { escapeControls } from './kernel/text.ts';

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
  const safe: DestinationStream = { write: (line) => destination.write(isPlain(line) ? line : escapeControls(line)) };
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

/** JSON has escaped the controls of ASCII already, all but DEL, and nearly every line is ASCII. */
function isPlain(line: string): boolean {
  return Buffer.byteLength(line) === line.length && !line.includes('\u007f');
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

const gatherMs = 5;
const retryMsMax = 1_000;
const exitMsMax = 1_000;
/** Lines beyond this are dropped. About as much again may be in the middle of being written. */
const waitingCharsMax = 4 * 2 ** 20;

const writeTo = promisify(write);

interface LogOutputOptions {
  /** Where it writes: standard output by default. */
  descriptor?: number;
  /** Writes a part of the bytes, or rejects. */
  write?: (descriptor: number, bytes: Buffer) => Promise<{ bytesWritten: number }>;
  pause?: (ms: number) => Promise<void>;
}

/**
 * Writes lines to standard output, and never blocks or ends the process. Lines of a few milliseconds are written
 * together: writing each separately takes a seventh of the time of a request. While the output takes nothing, because
 * its reader has stalled or gone or its disk is full, lines wait in a bounded buffer. Lines that do not fit are dropped
 * and counted.
 */
export class LogOutput {
  /** Since the process started. */
  droppedLines = 0;
  /** Called when writing resumes, with the number of lines dropped meanwhile. What it writes takes their place. */
  onResume: (droppedLines: number) => void = () => {};
  readonly #descriptor: number;
  readonly #write: NonNullable<LogOutputOptions['write']>;
  readonly #pause: NonNullable<LogOutputOptions['pause']>;
  #reportedLines = 0;
  #lines = '';
  /** What is left of the lines that are being written. */
  #rest = Buffer.alloc(0);
  #isRunning = false;
  /** When a thread began to write. How much it has written is known only afterwards. */
  #writingSince: number | undefined;

  constructor(options: LogOutputOptions = {}) {
    this.#descriptor = options.descriptor ?? nonBlockingOutput();
    this.#write = options.write ?? writeTo;
    // Does not keep the process alive.
    this.#pause = options.pause ?? ((ms) => sleep(ms, undefined, { ref: false }));
    process.on('exit', () => this.writeAtExit());
  }

  write(line: string): void {
    if (this.#lines.length + line.length > waitingCharsMax) {
      this.droppedLines += 1;
      return;
    }
    this.#lines += line;
    if (!this.#isRunning) void this.#run();
  }

  /** Occupies at most one thread: the others stay free, even if this one never returns. */
  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#lines !== '') {
      await this.#pause(gatherMs);
      this.#takeLines();
      await this.#writeRest();
    }
    this.#isRunning = false;
  }

  #takeLines(): void {
    this.#rest = Buffer.from(this.#lines);
    this.#lines = '';
    const dropped = this.droppedLines - this.#reportedLines;
    this.#reportedLines = this.droppedLines;
    if (dropped > 0) this.onResume(dropped);
  }

  /** Retries after any error: a named pipe gets another reader, and a full disk gets room. */
  async #writeRest(): Promise<void> {
    let retryMs = gatherMs;
    while (this.#rest.length > 0) {
      if ((await this.#writeSome()) > 0) {
        retryMs = gatherMs;
      } else {
        await this.#pause(retryMs);
        retryMs = Math.min(2 * retryMs, retryMsMax);
      }
    }
  }

  async #writeSome(): Promise<number> {
    this.#writingSince = performance.now();
    try {
      const { bytesWritten } = await this.#write(this.#descriptor, this.#rest);
      this.#rest = this.#rest.subarray(bytesWritten);
      return bytesWritten;
    } catch {
      return 0;
    } finally {
      this.#writingSince = undefined;
    }
  }

  /** Writes what is left, for a limited time. */
  writeAtExit(): void {
    const startedAt = performance.now();
    if (this.#writingSince !== undefined) {
      // Node waits for its threads before it ends.
      if (startedAt - this.#writingSince > exitMsMax) process.kill(process.pid, 'SIGKILL');
      this.#rest = Buffer.alloc(0);
    }
    const begun = this.#rest;
    this.#takeLines();
    let rest = Buffer.concat([begun, this.#rest, Buffer.from(this.#lines)]);
    while (rest.length > 0 && performance.now() - startedAt < exitMsMax) {
      rest = rest.subarray(writeSomeSync(this.#descriptor, rest));
    }
  }
}

/** The number of bytes to continue after. */
function writeSomeSync(descriptor: number, bytes: Buffer): number {
  try {
    return writeSync(descriptor, bytes);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return bytes.length;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, gatherMs);
    return 0;
  }
}

/**
 * Standard output, so that a write to a stalled reader fails instead of waiting. Node does this for pipes and sockets
 * when it makes `process.stdout`, but not for terminals, which this opens once more.
 */
function nonBlockingOutput(): number {
  if (!process.stdout.isTTY) return 1;
  try {
    return openSync('/dev/stdout', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    // The terminal of another user.
    return 1;
  }
}
