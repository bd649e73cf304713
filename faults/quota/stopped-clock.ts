import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The monotonic clock of a service, which stands still unless it is moved, so that no busy machine ends a window. */
export class StoppedClock {
  readonly #folder = mkdtempSync(join(tmpdir(), 'clock-'));
  #ms = 1_000_000;

  constructor() {
    this.advance(0);
  }

  /** Configuration for the service. */
  get env(): Record<string, string> {
    const preload = new URL('read-clock.ts', import.meta.url).href;
    return { NODE_OPTIONS: `--import=${preload}`, FAULTS_CLOCK: this.#file };
  }

  /** In effect for everything that the service does from now on. */
  advance(ms: number): void {
    this.#ms += ms;
    const next = `${this.#file}.next`;
    writeFileSync(next, String(this.#ms));
    renameSync(next, this.#file);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }

  get #file(): string {
    return join(this.#folder, 'ms');
  }
}
