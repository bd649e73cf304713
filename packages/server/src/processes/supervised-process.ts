import { type ChildProcess, fork } from 'node:child_process';
import { Channel } from './channel.ts';
import type { ListeningSocket } from './listening-socket.ts';
import {
  type Measurements,
  type ProcessHandlers,
  processRespondMsMax as respondMsMax,
  type SupervisorHandlers,
} from './messages.ts';
import { environmentOf } from './process-number.ts';
import { Restarts } from './restarts.ts';

export interface ProcessEnd {
  status: number | null;
  signal: NodeJS.Signals | null;
  livedMs: number;
}

interface StartOptions {
  handlers: SupervisorHandlers;
  onSocket: (name: string, socket: ListeningSocket) => void;
  onEnd: (end: ProcessEnd) => void;
}

/** One process slot of a command, as its supervisor sees it: a process and its successive replacements. */
export class SupervisedProcess {
  readonly number: number;
  readonly restarts = new Restarts();
  state: 'none' | 'starting' | 'serving' = 'none';
  /** The latest that are known of the process that runs. */
  measurements: Measurements = [];
  #child: ChildProcess | undefined;
  #channel: Channel<ProcessHandlers> | undefined;

  constructor(number: number) {
    this.number = number;
  }

  /** Runs the command of this process once more, which joins by the variable that it finds. */
  start({ handlers, onSocket, onEnd }: StartOptions): void {
    const [, script = '', ...args] = process.argv;
    const startedAt = performance.now();
    const child = fork(script, args, {
      env: environmentOf(this.number),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // The interrupt of a terminal then reaches only this process, which has the others drain.
      detached: process.platform !== 'win32',
    });
    this.#child = child;
    this.#channel = new Channel(child, { handlers, onSocket, respondMsMax });
    this.state = 'starting';
    const end = (status: number | null, signal: NodeJS.Signals | null) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      this.state = 'none';
      onEnd({ status, signal, livedMs: performance.now() - startedAt });
    };
    // Without an id it could not be started.
    child.on('exit', end).on('error', () => child.pid === undefined && end(null, null));
  }

  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  /** Why it is not ready; null if it is. */
  async readiness(): Promise<string | null> {
    const named = `Process ${this.number}`;
    if (this.state !== 'serving') return `${named} is still starting.`;
    const problem = await this.#channel?.requestInTime('readiness', null).catch(() => undefined);
    if (problem === undefined) return `${named} does not respond.`;
    return problem === null ? null : `${named} is not ready: ${problem}`;
  }

  /** Requests its latest measurements. */
  async measure(): Promise<void> {
    if (this.state !== 'serving') return;
    const measured = await this.#channel?.requestInTime('measurements', null).catch(() => undefined);
    if (measured) this.retain(measured);
  }

  /** Unless it has died since it measured: its last measurements are with those that last. */
  retain(measurements: Measurements): void {
    if (this.state === 'serving') this.measurements = measurements;
  }

  handOver(name: string, socket: ListeningSocket): void {
    this.#channel?.handOver(name, socket);
  }

  /** Has it drain and end. One that does not serve yet ends at once. */
  end(): void {
    if (this.state === 'serving') this.#channel?.request('end', null).catch(() => {});
    else this.#child?.kill('SIGTERM');
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
  }
}
