import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { trySend } from '@appregistrar/testkit/http/send';
import { freePort } from '@appregistrar/testkit/system/free-port';
import { schedulingMs } from '@appregistrar/testkit/system/process-usage';
import { StartedProcess } from '@appregistrar/testkit/system/started-process';
import type { Source } from './defect.ts';
import { guarantee } from './fault-injection.ts';

const startMsMax = 60_000;

export interface StartTime {
  ms: number;
  /** Excludes the time that it waited for a processor. */
  netMs: number;
}

interface ServiceParts {
  source: Pick<Source, 'main'>;
  databaseUrl: string;
  /** Additional configuration; see `docs/configuration.md`. */
  env?: Record<string, string>;
  /** A file or named pipe for its log. */
  logFile?: string;
}

/** The service under test: the real command line, in its own process, on constant addresses. */
export class Service {
  readonly publicUrl: string;
  readonly operatorUrl: string;
  /** The source that it runs from the next start. */
  source: Pick<Source, 'main'>;
  readonly #env: Record<string, string>;
  readonly #logFile: string | undefined;
  #process: StartedProcess | undefined;
  #hasServed = false;

  static async create(parts: ServiceParts): Promise<Service> {
    return new Service(parts, [await freePort(), await freePort()]);
  }

  private constructor({ source, databaseUrl, env, logFile }: ServiceParts, [port, operatorPort]: [number, number]) {
    this.source = source;
    this.#logFile = logFile;
    this.publicUrl = `http://127.0.0.1:${port}`;
    this.operatorUrl = `http://127.0.0.1:${operatorPort}`;
    this.#env = {
      PATH: process.env.PATH ?? '',
      TMPDIR: tmpdir(),
      DATABASE_URL: databaseUrl,
      PUBLIC_ADDRESS: `127.0.0.1:${port}`,
      OPERATOR_ADDRESS: `127.0.0.1:${operatorPort}`,
      RATE_LIMIT_UPDATES_PER_MINUTE: '0',
      RATE_LIMIT_OPERATOR_REQUESTS_PER_MINUTE: '0',
      STORED_BYTES_PER_DEVELOPER_PER_DAY: '0',
      LOG_LEVEL: 'warn',
      ...env,
    };
  }

  /** The process of the service. Throws if it was never started. */
  get process(): StartedProcess {
    if (!this.#process) throw new Error('the service was not started');
    return this.#process;
  }

  /** Starts it, under another command such as `strace` if given. Does not wait until it is ready. */
  launch(under: readonly string[] = []): StartedProcess {
    const [command = process.execPath, ...args] = [...under, process.execPath, this.source.main, 'serve'];
    const options = { env: this.#env, ...(this.#logFile !== undefined && { stdoutFile: this.#logFile }) };
    this.#process = new StartedProcess([command, ...args], options);
    return this.#process;
  }

  /** Starts it. Resolves once it is ready, to the time that this took. */
  async start(under: readonly string[] = []): Promise<StartTime> {
    const startedAt = performance.now();
    this.launch(under);
    await this.untilReady();
    const ms = performance.now() - startedAt;
    return { ms, netMs: ms - schedulingMs(this.process.pid).waitedMs };
  }

  /** Throws if it ends instead, or takes a minute. To end breaks a guarantee once it has served. */
  async untilReady(): Promise<void> {
    const deadline = performance.now() + startMsMax;
    while (!(await this.isReady())) {
      const { hasEnded, lastOutput } = this.process;
      guarantee(!hasEnded || !this.#hasServed, `the service has ended: ${lastOutput}`);
      if (hasEnded || performance.now() > deadline) throw new Error(`the service does not start: ${lastOutput}`);
      await sleep(10);
    }
    this.#hasServed = true;
  }

  /** Whether `/readyz` returns 200. */
  async isReady(): Promise<boolean> {
    return (await this.readiness()) === 200;
  }

  /** The status of `/readyz`; null without a response. */
  async readiness(timeoutMs = 10_000): Promise<number | null> {
    const response = await trySend(this.operatorUrl, { method: 'GET', path: '/readyz' }, { timeoutMs });
    return response?.status ?? null;
  }

  /** Sends SIGKILL, which leaves no time to shut down. */
  async kill(): Promise<void> {
    if (this.#process && !this.#process.hasEnded) await this.#process.end('SIGKILL');
  }

  /** Ends it as a service manager does. Resolves to its exit status. */
  async stop(): Promise<number | string | null> {
    return this.process.end('SIGTERM');
  }

  /** Runs an `app-registry` command on its database. Throws unless it succeeds. */
  command(...args: string[]): Promise<string> {
    return StartedProcess.run([process.execPath, this.source.main, ...args], { env: this.#env });
  }
}
