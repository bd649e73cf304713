import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import type { Source } from './mutant.ts';
import { StartedProcess } from './started-processes.ts';
import { promise } from './torture.ts';

const startMsMax = 60_000;

export interface StartTime {
  ms: number;
  /** Without the time that it could have run and other programs of the machine had the processor. */
  netMs: number;
}

interface ServiceParts {
  source: Pick<Source, 'main'>;
  databaseUrl: string;
  /** More of its configuration, as `docs/operating.md` tells it. */
  env?: Record<string, string>;
}

/** The service under test: the real command line, in a process of its own, on addresses that stay the same. */
export class Service {
  readonly publicUrl: string;
  readonly operatorUrl: string;
  /** What it runs from its next start on. */
  source: Pick<Source, 'main'>;
  readonly #env: Record<string, string>;
  #process: StartedProcess | undefined;
  #hasServed = false;

  static async create(parts: ServiceParts): Promise<Service> {
    return new Service(parts, [await freePort(), await freePort()]);
  }

  private constructor({ source, databaseUrl, env }: ServiceParts, [port, operatorPort]: [number, number]) {
    this.source = source;
    this.publicUrl = `http://127.0.0.1:${port}`;
    this.operatorUrl = `http://127.0.0.1:${operatorPort}`;
    this.#env = {
      PATH: process.env.PATH ?? '',
      TMPDIR: tmpdir(),
      DATABASE_URL: databaseUrl,
      PUBLIC_ADDRESS: `127.0.0.1:${port}`,
      OPERATOR_ADDRESS: `127.0.0.1:${operatorPort}`,
      RATE_LIMIT_UPDATES_PER_MINUTE: '0',
      LOG_LEVEL: 'warn',
      ...env,
    };
  }

  /** The process of Node; throws when none was started. */
  get process(): StartedProcess {
    if (!this.#process) throw new Error('the service was not started');
    return this.#process;
  }

  /** Starts it, under another program when one is named, such as `strace`. Does not wait until it is ready. */
  launch(under: readonly string[] = []): StartedProcess {
    const [command = process.execPath, ...args] = [...under, process.execPath, this.source.main, 'serve'];
    this.#process = new StartedProcess([command, ...args], { env: this.#env });
    return this.#process;
  }

  /** Starts it and resolves once it is ready, to how long that took. */
  async start(under: readonly string[] = []): Promise<StartTime> {
    const began = performance.now();
    this.launch(under);
    await this.untilReady();
    const ms = performance.now() - began;
    return { ms, netMs: ms - waitedMs(this.process.pid) };
  }

  /** Throws when it ends instead, which breaks a promise once it has served, or takes a minute. */
  async untilReady(): Promise<void> {
    const deadline = performance.now() + startMsMax;
    while (!(await this.isReady())) {
      const { hasEnded, lastWords } = this.process;
      promise(!hasEnded || !this.#hasServed, `the service has ended: ${lastWords}`);
      if (hasEnded || performance.now() > deadline) throw new Error(`the service does not start: ${lastWords}`);
      await sleep(10);
    }
    this.#hasServed = true;
  }

  /** Whether `/readyz` answers 200. */
  async isReady(): Promise<boolean> {
    return (await this.readiness()) === 200;
  }

  /** The status of `/readyz`; null without an answer. */
  async readiness(timeoutMs = 10_000): Promise<number | null> {
    try {
      const answer = await fetch(`${this.operatorUrl}/readyz`, { signal: AbortSignal.timeout(timeoutMs) });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      return null;
    }
  }

  /** As `kill -9` does it, which leaves it no time for anything. */
  async kill(): Promise<void> {
    await this.#process?.end('SIGKILL');
  }

  /** Ends it as a supervisor does; to its exit status. */
  async stop(): Promise<number | string | null> {
    return this.process.end('SIGTERM');
  }

  /** Runs a command of `app-registry` on its database, to its end. Throws unless it succeeds. */
  command(...args: string[]): Promise<string> {
    return StartedProcess.done([process.execPath, this.source.main, ...args], { env: this.#env });
  }
}

/** Of its main thread; see `Documentation/scheduler/sched-stats.rst` of Linux. */
function waitedMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
}
