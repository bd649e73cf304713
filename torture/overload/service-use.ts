import { existsSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;
const sampleMs = 100;

/** What a process of this machine uses from now on: of the processor, and of memory at most. */
export class ServiceUse {
  readonly #pid: number;
  readonly #began: number;
  readonly #scheduledBefore: [number, number];
  readonly #sampling: NodeJS.Timeout;
  #memoryMb = 0;

  constructor(pid: number) {
    this.#pid = pid;
    this.#began = this.#cpuSeconds();
    this.#scheduledBefore = this.#scheduled();
    this.#sampling = setInterval(() => this.#sample(), sampleMs).unref();
  }

  /** `slowdown`: how many times as long it took as on a machine without other work. */
  end(): { cpuSeconds: number; memoryMb: number; slowdown: number } {
    clearInterval(this.#sampling);
    this.#sample();
    const [ranBefore, waitedBefore] = this.#scheduledBefore;
    const [ran, waited] = this.#scheduled();
    const slowdown = 1 + (waited - waitedBefore) / Math.max(1, ran - ranBefore);
    return { cpuSeconds: this.#cpuSeconds() - this.#began, memoryMb: this.#memoryMb, slowdown };
  }

  /** How long its main thread has run, and has waited to run, in nanoseconds. */
  #scheduled(): [ran: number, waited: number] {
    const path = `/proc/${this.#pid}/schedstat`;
    const [ran = 0, waited = 0] = existsSync(path) ? readFileSync(path, 'utf8').split(' ').map(Number) : [];
    return [ran, waited];
  }

  #sample(): void {
    // It may have been ended meanwhile.
    if (!existsSync(`/proc/${this.#pid}/status`)) return;
    const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.#pid}/status`, 'utf8'))?.[1]);
    this.#memoryMb = Math.max(this.#memoryMb, Math.round(kilobytes / 1_024));
  }

  /** The name of the program, which stands in parentheses, may hold spaces. */
  #cpuSeconds(): number {
    if (!existsSync(`/proc/${this.#pid}/stat`)) return 0;
    const fields = readFileSync(`/proc/${this.#pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  }
}
