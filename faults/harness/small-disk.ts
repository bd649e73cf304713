import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const piece = Buffer.alloc(4_096);

/** A disk of a few megabytes in memory, which can be filled to the last page. */
export class SmallDisk {
  readonly folder = mkdtempSync(join(tmpdir(), 'disk-'));
  readonly #ballast = join(this.folder, 'ballast');
  readonly #onExit = () => this.remove();
  #isMounted = true;

  constructor(megabytes: number) {
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', this.folder], { stdio: 'pipe' });
    } catch (error) {
      rmdirSync(this.folder);
      throw new Error('Only root may mount a small disk.', { cause: error });
    }
    process.on('exit', this.#onExit);
  }

  fill(): void {
    const file = openSync(this.#ballast, 'a');
    try {
      for (;;) writeSync(file, piece);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(file);
    }
  }

  empty(): void {
    rmSync(this.#ballast, { force: true });
  }

  remove(): void {
    if (!this.#isMounted) return;
    this.#isMounted = false;
    process.off('exit', this.#onExit);
    // A killed process may hold it a moment longer.
    execFileSync('umount', ['--lazy', this.folder]);
    rmdirSync(this.folder);
  }
}
