import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

interface PartCommand {
  /** What Node runs, with its arguments. */
  run: string[];
  environment: Record<string, string>;
  /** Resolves once the process can be used. The applications send a message then. */
  ready?: () => Promise<unknown>;
}

/** One process of the marketplace. */
export class Part {
  readonly #command: PartCommand;
  #process: ChildProcess | undefined;

  constructor(command: PartCommand) {
    this.#command = command;
  }

  async start(): Promise<void> {
    const { run, environment, ready } = this.#command;
    const child = spawn(process.execPath, run, {
      // Each process gets its own tokens, and no other part's.
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#process = child;
    const ended = once(child, 'exit').then(() =>
      Promise.reject(new Error(`${run.join(' ')} exited before it was ready.`)),
    );
    const started = ready ? ready() : once(child, 'message');
    await Promise.race([started, ended]);
    ended.catch(() => {});
  }

  /** Ends the process, with SIGKILL as a power cut would. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }
}
