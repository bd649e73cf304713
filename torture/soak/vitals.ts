import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { StartedProcess } from 'app-registry-testkit/system/started-process';
import { LiveHeap } from './live-heap.ts';
import { Series } from './series.ts';

const mebibyte = 1_048_576;

/** What a process holds, looked at again and again. */
export class Vitals {
  /** All its memory, in MB. */
  readonly memory = new Series();
  /** What of it JavaScript cannot let go of, in MB. */
  readonly heap = new Series();
  /** Open files and connections. */
  readonly files = new Series();
  /** The log of SQLite, in MB. */
  readonly log = new Series();
  readonly #pid: number;
  readonly #liveHeap: LiveHeap;
  readonly #logPath: string | null;

  /** `logPath`: null where the database is another process. */
  static async of(service: StartedProcess, logPath: string | null): Promise<Vitals> {
    return new Vitals(service.pid, await LiveHeap.attach(service), logPath);
  }

  private constructor(pid: number, liveHeap: LiveHeap, logPath: string | null) {
    this.#pid = pid;
    this.#liveHeap = liveHeap;
    this.#logPath = logPath;
  }

  async look(): Promise<void> {
    this.heap.add((await this.#liveHeap.bytes()) / mebibyte);
    const status = readFileSync(`/proc/${this.#pid}/status`, 'utf8');
    this.memory.add(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024);
    this.files.add(readdirSync(`/proc/${this.#pid}/fd`).length);
    this.log.add(this.#logPath === null ? 0 : statSync(this.#logPath).size / mebibyte);
  }

  async end(): Promise<void> {
    await this.#liveHeap.detach();
  }
}
