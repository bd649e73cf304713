import { copyFileSync, readdirSync, statSync } from 'node:fs';

/** The database and the log that a service has open, whether or not a path leads to them. */
export class HeldFiles {
  readonly #pid: number;
  readonly #path: string;
  readonly #inodes: Map<string, bigint>;

  /** Call it while both are in place. */
  constructor(pid: number, path: string) {
    this.#pid = pid;
    this.#path = path;
    this.#inodes = new Map(['', '-wal'].map((end) => [end, inodeOf(path + end)]));
  }

  /** Copies them through the open files of the process, which must not write, to their paths. */
  putBack(): void {
    for (const [end, inode] of this.#inodes) copyFileSync(this.#find(inode), this.#path + end);
  }

  #find(inode: bigint): string {
    const folder = `/proc/${this.#pid}/fd`;
    const found = readdirSync(folder).find((name) => inodeOf(`${folder}/${name}`) === inode);
    if (found === undefined) throw new Error('the service has closed its database');
    return `${folder}/${found}`;
  }
}

/** 0 for a file that was closed meanwhile. */
function inodeOf(path: string): bigint {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? 0n;
}
