import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { removeFolder, temporaryFolder } from './temporary-folder.ts';

const pollMs = 10;

/** A pipe with a name, whose reader takes something only on request. */
export class NamedPipe {
  readonly path: string;
  readonly #folder = temporaryFolder('pipe-');
  readonly #piece = Buffer.alloc(65_536);
  #reader: number | undefined;

  constructor() {
    this.path = join(this.#folder, 'pipe');
    execFileSync('mkfifo', [this.path]);
    this.openReader();
  }

  openReader(): void {
    this.#reader = openSync(this.path, constants.O_RDONLY | constants.O_NONBLOCK);
  }

  closeReader(): void {
    if (this.#reader !== undefined) closeSync(this.#reader);
    this.#reader = undefined;
  }

  /** A descriptor for a process to write to; the caller closes it. */
  openWriter(): number {
    return openSync(this.path, 'w');
  }

  /** Reads until `isEnough` holds for what has been read, or until no process can write to the pipe any more. */
  async read(isEnough: (text: string) => boolean = () => false): Promise<string> {
    let text = '';
    while (!isEnough(text)) {
      const piece = this.#readPiece();
      if (piece === null) break;
      text += piece;
      if (piece === '') await sleep(pollMs);
    }
    return text;
  }

  remove(): void {
    this.closeReader();
    removeFolder(this.#folder);
  }

  /** What the pipe holds, up to a limit; null when it is empty and no process can write to it. */
  #readPiece(): string | null {
    try {
      const length = readSync(this.#reader ?? -1, this.#piece);
      return length === 0 ? null : this.#piece.toString('latin1', 0, length);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return '';
      throw error;
    }
  }
}
