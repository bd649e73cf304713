import type { ProgressOptions } from '../../src/cli/progress-line.ts';

/** What receives the progress of a command, on a terminal or not, and a clock that is set by hand. */
export class ProgressOutput {
  readonly isTTY: boolean;
  written: string[] = [];
  ms = 5_000;
  readonly now = () => this.ms;

  constructor({ isTTY }: { isTTY: boolean }) {
    this.isTTY = isTTY;
  }

  /** For the functions that show progress. */
  get options(): ProgressOptions {
    return { output: this, now: this.now };
  }

  write(text: string): void {
    this.written.push(text);
  }

  /** Shows progress each 10 ms, which receives the milliseconds since the first call. */
  run(ms: number, show: (elapsedMs: number) => void): void {
    for (const beganAt = this.ms; this.ms < beganAt + ms; this.ms += 10) show(this.ms - beganAt);
  }
}
