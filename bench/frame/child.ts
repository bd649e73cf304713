import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { onCore, residentMib } from './machine.ts';

const endMsMax = 15_000;
const started = new Set<Child>();

process.on('exit', () => {
  for (const child of started) child.kill();
});

export interface ChildOptions {
  core: number | undefined;
  /** All of its environment, beside `PATH`. */
  env?: Record<string, string>;
  /** The file that takes what it prints: a pipe would make this program work for it. */
  output: string;
}

/** A server in a process of its own, which ends with this program at the latest. */
export class Child {
  readonly #process: ChildProcess;
  readonly #output: string;

  constructor(command: string[], { core, env = {}, output }: ChildOptions) {
    const [program = '', ...args] = [...onCore(core), ...command];
    const file = openSync(output, 'a');
    this.#output = output;
    this.#process = spawn(program, args, {
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: ['ignore', file, file],
    });
    started.add(this);
  }

  get pid(): number {
    return this.#process.pid as number;
  }

  residentMib(): number {
    return residentMib(this.pid);
  }

  /** Throws once it has ended by itself. */
  requireAlive(): void {
    if (this.#process.exitCode === null && this.#process.signalCode === null) return;
    throw new Error(`a server ended before its time:\n${readFileSync(this.#output, 'utf8').slice(-2_000)}`);
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      this.#process.kill('SIGTERM');
      const late = setTimeout(() => this.kill(), endMsMax);
      await once(this.#process, 'exit');
      clearTimeout(late);
    }
    started.delete(this);
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }
}
