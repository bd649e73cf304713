import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadOrder, LoadResult } from './open-load.ts';

const program = fileURLToPath(new URL('load-process.ts', import.meta.url));

/** Generates load in its own process, on its own processor. */
export class LoadGenerator {
  readonly #process: ChildProcess;

  constructor(processor: number) {
    this.#process = spawn('taskset', ['-c', String(processor), process.execPath, program], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
  }

  async run(order: LoadOrder): Promise<LoadResult> {
    const ended = once(this.#process, 'exit').then(() => {
      throw new Error('the load process has ended');
    });
    this.#process.send(order);
    const [result] = await Promise.race([once(this.#process, 'message'), ended]);
    return result as LoadResult;
  }

  end(): void {
    this.#process.removeAllListeners('exit');
    this.#process.kill('SIGKILL');
  }
}
