import { type FileHandle, link, open, rm } from 'node:fs/promises';
import type { Rejects } from '../../features/import-export/import-input.ts';
import { CannotWrite, errorCode } from '../file-failure.ts';
import { fileExists } from '../write-output.ts';

/**
 * The file of refused records. It is there once an import has ended that has refused some: complete and synced to disk. An
 * existing file is never overwritten. Only the owner may read it. Its methods throw `CannotWrite`.
 */
export class RejectsFile implements Rejects {
  readonly #file: string;
  #handle: FileHandle | undefined;
  #bytes = 0;

  constructor(file: string) {
    this.#file = file;
  }

  async begin(): Promise<void> {
    if (await fileExists(this.#file)) {
      throw new CannotWrite(`The file ${this.#file} already exists and is not overwritten. Choose another name.`);
    }
    await this.#handle?.close();
    this.#handle = await this.#orCannotWrite(() => open(this.#part, 'w', 0o600));
    this.#bytes = 0;
  }

  async write(lines: string): Promise<void> {
    this.#bytes += lines.length;
    await this.#orCannotWrite(async () => this.#handle?.appendFile(lines));
  }

  /** Call it after the import was committed. */
  async finish(): Promise<void> {
    if (this.#bytes === 0) return;
    await this.#orCannotWrite(async () => {
      await this.#handle?.sync();
      await link(this.#part, this.#file);
    });
  }

  /** Call it at the end of any import. */
  async close(): Promise<void> {
    if (!this.#handle) return;
    await this.#handle.close();
    await rm(this.#part, { force: true });
  }

  /** Where it is written until it is complete. What a killed process has left there is overwritten. */
  get #part(): string {
    return `${this.#file}.part`;
  }

  async #orCannotWrite<Result>(write: () => Promise<Result>): Promise<Result> {
    try {
      return await write();
    } catch (error) {
      throw new CannotWrite(`The file ${this.#file} cannot be written: ${errorCode(error)}.`);
    }
  }
}
