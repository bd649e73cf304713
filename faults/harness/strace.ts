import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartedProcess } from '@appregistrar/testkit/system/started-process';

const attachMsMax = 30_000;

/** `strace` attached to a running process, to trace its system calls or make them fail. */
export class Strace {
  readonly #process: StartedProcess;

  /** Resolves once every thread is traced. */
  static async attach(pid: number, options: readonly string[]): Promise<Strace> {
    if (!existsSync('/usr/bin/strace'))
      throw new Error('strace is missing. On Debian and Ubuntu: apt-get install strace');
    const strace = new Strace(new StartedProcess(['/usr/bin/strace', '-f', '-p', String(pid), ...options]));
    const deadline = performance.now() + attachMsMax;
    while (!strace.#process.output.includes(' attached')) {
      if (strace.#process.hasEnded || performance.now() > deadline) {
        throw new Error(`strace does not attach: ${strace.#process.output}`);
      }
      await sleep(5);
    }
    return strace;
  }

  private constructor(process: StartedProcess) {
    this.#process = process;
  }

  /** Detaches. The process may have ended already. */
  async detach(): Promise<void> {
    await this.#process.end('SIGINT');
  }
}
