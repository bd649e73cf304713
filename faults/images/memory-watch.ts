import { existsSync, readFileSync } from 'node:fs';
import { guarantee } from '../harness/fault-injection.ts';

const sampleMs = 50;

interface MemoryLimits {
  /** By which the service may grow. */
  growthMb: number;
  /** Of all drawing processes together. */
  childrenMb: number;
}

/** Watches the memory of a service and of its child processes from now on. */
export class MemoryWatch {
  /** Rejects with `BrokenGuarantee` once a limit is exceeded. */
  readonly exceeded: Promise<never>;
  childrenMb = 0;
  readonly #pid: number;
  readonly #limits: MemoryLimits;
  readonly #peakMbBefore: number;
  readonly #timer: NodeJS.Timeout;

  constructor(pid: number, limits: MemoryLimits) {
    this.#pid = pid;
    this.#limits = limits;
    this.#peakMbBefore = megabytes(pid, 'VmHWM');
    const { promise: exceeded, reject } = Promise.withResolvers<never>();
    exceeded.catch(() => {});
    this.exceeded = exceeded;
    this.#timer = setInterval(() => {
      try {
        this.check();
      } catch (error) {
        reject(error);
      }
    }, sampleMs);
  }

  /** By how much the service has exceeded its earlier peak, as the kernel counts it. */
  get growthMb(): number {
    return megabytes(this.#pid, 'VmHWM') - this.#peakMbBefore;
  }

  /** Throws if a limit is exceeded. */
  check(): void {
    const { growthMb, childrenMb } = this.#limits;
    const sum = childrenOf(this.#pid).reduce((total, child) => total + megabytes(child, 'VmRSS'), 0);
    this.childrenMb = Math.max(this.childrenMb, sum);
    guarantee(this.growthMb <= growthMb, `the memory of the service grew by ${this.growthMb} MB`);
    guarantee(sum <= childrenMb, `the drawing processes take ${sum} MB`);
  }

  end(): void {
    clearInterval(this.#timer);
  }
}

function childrenOf(pid: number): number[] {
  const path = `/proc/${pid}/task/${pid}/children`;
  const text = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  return text === '' ? [] : text.split(' ').map(Number);
}

/** A figure of a process; 0 if it has ended. */
function megabytes(pid: number, name: 'VmHWM' | 'VmRSS'): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0) / 1_024);
  } catch {
    return 0;
  }
}
