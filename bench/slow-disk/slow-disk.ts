import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('slow-disk.c', import.meta.url));

export const compilers = { cc: 'gcc' };

/** Makes the disk of a server slow, through a library that is compiled here and preloaded into the server. */
export class SlowDisk {
  readonly #library: string;
  readonly #switch: string;

  constructor(folder: string) {
    this.#library = join(folder, 'slow-disk.so');
    this.#switch = join(folder, 'disk-is-slow');
    execFileSync('cc', ['-O2', '-shared', '-fPIC', '-o', this.#library, source, '-ldl']);
  }

  /** The environment of the server. The first read of each page of the given file is delayed too. */
  environment({ readsOf }: { readsOf?: string } = {}): Record<string, string> {
    const variables = { LD_PRELOAD: this.#library, SLOW_DISK_SWITCH: this.#switch };
    return readsOf === undefined ? variables : { ...variables, SLOW_DISK_READS_OF: readsOf };
  }

  begin(): void {
    writeFileSync(this.#switch, '');
  }

  end(): void {
    rmSync(this.#switch, { force: true });
  }
}
