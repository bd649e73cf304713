import { readdirSync, statSync } from 'node:fs';
import { residentMib } from '@appregistrar/testkit/system/process-usage';
import type { StartedProcess } from '@appregistrar/testkit/system/started-process';
import { LiveHeap } from './live-heap.ts';
import { Series } from './series.ts';

const mebibyte = 1_048_576;

/** The resources of a process, sampled repeatedly. */
export class Vitals {
  /** Resident memory, in MB. */
  readonly memory = new Series();
  /** Live heap, in MB. */
  readonly heap = new Series();
  /** Open files and connections. */
  readonly files = new Series();
  /** The log of SQLite, in MB. */
  readonly log = new Series();
  readonly #pid: number;
  readonly #liveHeap: LiveHeap;
  readonly #logPath: string | null;

  /** `logPath`: null if the database is not SQLite. */
  static async of(service: StartedProcess, logPath: string | null): Promise<Vitals> {
    return new Vitals(service.pid, await LiveHeap.attach(service), logPath);
  }

  private constructor(pid: number, liveHeap: LiveHeap, logPath: string | null) {
    this.#pid = pid;
    this.#liveHeap = liveHeap;
    this.#logPath = logPath;
  }

  async sample(): Promise<void> {
    this.heap.add((await this.#liveHeap.bytes()) / mebibyte);
    this.memory.add(residentMib(this.#pid));
    this.files.add(readdirSync(`/proc/${this.#pid}/fd`).length);
    this.log.add(this.#logPath === null ? 0 : statSync(this.#logPath).size / mebibyte);
  }

  async end(): Promise<void> {
    await this.#liveHeap.detach();
  }
}
