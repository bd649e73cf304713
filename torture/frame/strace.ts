import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartedProcess } from './started-processes.ts';

const attachMsMax = 30_000;

/** `strace` on a process that runs: what it calls, or what fails for it. */
export class Strace {
  readonly #process: StartedProcess;

  /** Resolves once every thread is followed. */
  static async attach(pid: number, options: readonly string[]): Promise<Strace> {
    if (!existsSync('/usr/bin/strace')) throw new Error('strace is missing. On Debian install: apt-get install strace');
    const strace = new Strace(new StartedProcess(['/usr/bin/strace', '-f', '-p', String(pid), ...options]));
    const deadline = performance.now() + attachMsMax;
    while (!strace.#process.tail.includes(' attached')) {
      if (strace.#process.hasEnded || performance.now() > deadline) {
        throw new Error(`strace does not attach: ${strace.#process.tail}`);
      }
      await sleep(5);
    }
    return strace;
  }

  private constructor(process: StartedProcess) {
    this.#process = process;
  }

  /** Lets the process go on by itself; it may be gone. */
  async detach(): Promise<void> {
    await this.#process.end('SIGINT');
  }
}
