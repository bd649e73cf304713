import { cpuSeconds, residentMib, schedulingMs } from '@appregistrar/testkit/system/process-usage';

const sampleMs = 100;

/** What a process uses from now on: processor time, and memory at its peak. */
export class ProcessLoad {
  readonly #pid: number;
  readonly #cpuSecondsBefore: number;
  readonly #schedulingBefore: ReturnType<typeof schedulingMs>;
  readonly #timer: NodeJS.Timeout;
  #memoryMb = 0;

  constructor(pid: number) {
    this.#pid = pid;
    this.#cpuSecondsBefore = cpuSeconds(pid);
    this.#schedulingBefore = schedulingMs(pid);
    this.#timer = setInterval(() => this.#sample(), sampleMs).unref();
  }

  /** `slowdown`: how many times as long it took as on a machine without other work. */
  end(): { cpuSeconds: number; memoryMb: number; slowdown: number } {
    clearInterval(this.#timer);
    this.#sample();
    const before = this.#schedulingBefore;
    const { ranMs, waitedMs } = schedulingMs(this.#pid);
    const slowdown = 1 + (waitedMs - before.waitedMs) / Math.max(1, ranMs - before.ranMs);
    return { cpuSeconds: cpuSeconds(this.#pid) - this.#cpuSecondsBefore, memoryMb: this.#memoryMb, slowdown };
  }

  #sample(): void {
    this.#memoryMb = Math.max(this.#memoryMb, Math.round(residentMib(this.#pid)));
  }
}
