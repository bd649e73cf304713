import type { Config } from '../config/config.ts';
import { exitSoon, untilEndSignal } from '../end-signal.ts';
import { RequestWindows } from '../http/limits/request-counts.ts';
import { createLogger, type Log } from '../log.ts';
import { LogOutput } from '../log-output.ts';
import { onlyLasting, sumOf, supervisorUp } from './combined-measurements.ts';
import type { ListeningSocket } from './listening-socket.ts';
import type { Measurements, Served, SupervisorHandlers } from './messages.ts';
import { countIn } from './shared-counts.ts';
import { type ProcessEnd, SupervisedProcess } from './supervised-process.ts';

/** Runs the processes of a command until SIGTERM or SIGINT; a second signal exits immediately. */
export async function supervise({ processes, logLevel }: Config): Promise<void> {
  const supervisor = new Supervisor(processes, createLogger(logLevel, new LogOutput({ isShared: true })));
  void untilEndSignal(() => supervisor.exitAtOnce()).then(() => supervisor.end(0));
  process.exitCode = await supervisor.run();
  exitSoon();
}

/**
 * Starts the processes of a command, and each one again that dies. It serves nothing itself: it holds the sockets on
 * which they listen, counts the requests that have a limit, and lets one process respond for all.
 */
class Supervisor {
  readonly #logger: Log;
  readonly #processes: SupervisedProcess[];
  readonly #sockets = new Map<string, ListeningSocket>();
  readonly #counts = new RequestWindows();
  readonly #ended = Promise.withResolvers<number>();
  #hasServed = false;
  /** Null until the command ends. */
  #exitStatus: number | null = null;
  #restarts = 0;
  /** The measurements of ended processes that stay in the sums. */
  #lasting: Measurements[] = [];
  /** One sum after another. */
  #summed = Promise.resolve();

  constructor(processes: number, logger: Log) {
    this.#logger = logger;
    this.#processes = Array.from({ length: processes }, (_, at) => new SupervisedProcess(at + 1));
  }

  /** Resolves to the exit status. */
  run(): Promise<number> {
    // One alone makes or migrates the database and opens the sockets. If it cannot, it reports why, once.
    for (const first of this.#processes.slice(0, 1)) this.#start(first);
    return this.#ended.promise;
  }

  /** Has all processes drain and end. */
  end(exitStatus: number): void {
    if (this.#exitStatus !== null) return;
    this.#exitStatus = exitStatus;
    // Before the processes close theirs: the last one to close a socket must have accepted all that waits.
    for (const socket of this.#sockets.values()) socket.close();
    for (const supervised of this.#processes) supervised.end();
    this.#endWithLast();
  }

  exitAtOnce(): never {
    for (const supervised of this.#processes) supervised.kill();
    process.exit(1);
  }

  #start(supervised: SupervisedProcess): void {
    if (this.#exitStatus !== null) return;
    supervised.start({
      handlers: this.#handlersFor(supervised),
      onSocket: (name, socket) => this.#sockets.set(name, socket),
      onEnd: (end) => this.#onEnd(supervised, end),
    });
  }

  #handlersFor(supervised: SupervisedProcess): SupervisorHandlers {
    const others = this.#processes.filter((one) => one !== supervised);
    return {
      join: () => {
        for (const [name, socket] of this.#sockets) supervised.handOver(name, socket);
        return { isFirst: this.#sockets.size === 0 };
      },
      serving: (served) => this.#onServing(supervised, served),
      count: (requests) => requests.map((request) => countIn(this.#counts, request)),
      readinessOfOthers: async () => {
        const problems = await Promise.all(others.map((other) => other.readiness()));
        return problems.filter((problem) => problem !== null).join(' ') || null;
      },
      measurementsOfOthers: async (own) => {
        supervised.retain(own);
        await Promise.all(others.map((other) => other.measure()));
        // Both at one moment: a process that dies meanwhile counts once.
        const measured = others.map(({ measurements }) => measurements);
        return [this.#ownMeasurements(), ...measured, ...this.#lasting];
      },
    };
  }

  #onServing(supervised: SupervisedProcess, served: Served): null {
    supervised.state = 'serving';
    if (this.#exitStatus !== null) supervised.end();
    else if (this.#hasServed)
      this.#logger.info({ process: supervised.number }, 'a replacement for a process that died is serving');
    else if (this.#processes.every(({ state }) => state === 'serving')) {
      this.#hasServed = true;
      this.#logger.info({ ...served, processes: this.#processes.length }, 'serving');
      process.send?.('serving');
    } else if (supervised === this.#processes[0]) for (const other of this.#processes.slice(1)) this.#start(other);
    return null;
  }

  #onEnd(supervised: SupervisedProcess, end: ProcessEnd): void {
    if (this.#exitStatus !== null) this.#onEndOfDrain(supervised, end);
    else if (this.#hasServed) this.#restart(supervised, end);
    else {
      // Otherwise it has reported why.
      if (end.status === null)
        this.#logger.fatal({ process: supervised.number, ...end }, 'a process died while starting');
      this.end(end.status || 1);
    }
  }

  #onEndOfDrain(supervised: SupervisedProcess, { status, signal }: ProcessEnd): void {
    // One that did not serve yet has ended by the signal.
    if (status !== 0 && signal !== 'SIGTERM') {
      this.#logger.error({ process: supervised.number, status, signal }, 'a process died before it was drained');
      this.#exitStatus = 1;
    }
    this.#endWithLast();
  }

  #restart(supervised: SupervisedProcess, { status, signal, livedMs }: ProcessEnd): void {
    this.#retain(supervised);
    const delayMs = supervised.restarts.nextDelayMs(livedMs);
    const { deaths } = supervised.restarts;
    const died = { process: supervised.number, status, signal, deaths };
    if (delayMs === null) {
      this.#logger.fatal(
        died,
        'a process died too many times in a row: the command ends. Earlier lines show the cause.',
      );
      this.end(1);
      return;
    }
    this.#logger.error({ ...died, delayMs }, 'a process died: restarting it');
    this.#restarts += 1;
    setTimeout(() => this.#start(supervised), delayMs);
  }

  #retain(supervised: SupervisedProcess): void {
    this.#lasting.push(onlyLasting(supervised.measurements));
    supervised.measurements = [];
    this.#summed = this.#summed.then(async () => {
      const all = [...this.#lasting];
      const sums = await sumOf(all);
      // More may have been added meanwhile.
      this.#lasting = [sums, ...this.#lasting.slice(all.length)];
    });
  }

  #ownMeasurements(): Measurements {
    return [
      supervisorUp(true),
      {
        name: 'process_restarts_total',
        help: 'Times that the command replaced a process that died.',
        type: 'counter',
        aggregator: 'sum',
        values: [{ value: this.#restarts, labels: {} }],
      },
      {
        name: 'process_start_time_seconds',
        help: 'Start time of the command since unix epoch in seconds.',
        type: 'gauge',
        aggregator: 'first',
        values: [{ value: startedAtSeconds, labels: {} }],
      },
    ];
  }

  #endWithLast(): void {
    if (this.#processes.some(({ isRunning }) => isRunning)) return;
    this.#logger.info('stopped');
    this.#ended.resolve(this.#exitStatus ?? 1);
  }
}

const startedAtSeconds = Math.round(performance.timeOrigin / 1_000);
