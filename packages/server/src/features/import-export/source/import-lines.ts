import type { ValidationError } from '../../../kernel/problem-details.ts';
import { lineBytesMax } from '../import-record-schema.ts';

const lineFeed = 0x0a;

export interface ImportLine {
  /** The first line is 1. */
  number: number;
  /** Without its line feed. */
  text: string;
  /** Why the line cannot be read; `text` is then a best effort. */
  error: ValidationError | null;
}

/**
 * Splits a file that arrives in chunks into lines. Holds one chunk and one line in memory. A line that is too long is the
 * last one: what follows may have no end.
 */
export class ImportLines {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #number = 0;
  #parts: Uint8Array[] = [];
  #length = 0;

  #hasEnded = false;

  /** Whether a line was too long, and no more are read. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Returns the lines that end in this chunk. */
  *push(chunk: Uint8Array): Generator<ImportLine> {
    let start = 0;
    while (!this.#hasEnded) {
      const end = chunk.indexOf(lineFeed, start);
      this.#hold(chunk.subarray(start, end === -1 ? chunk.length : end));
      this.#hasEnded = this.#length > lineBytesMax;
      if (end === -1 && !this.#hasEnded) return;
      yield this.#take();
      start = end + 1;
    }
  }

  /** Returns the last line if it has no line feed. */
  *end(): Generator<ImportLine> {
    if (this.#length > 0) yield this.#take();
  }

  #hold(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#parts.push(part);
    this.#length += part.length;
  }

  #take(): ImportLine {
    const [first, ...others] = this.#parts;
    const bytes = first && others.length === 0 ? first : Buffer.concat(this.#parts);
    const line = this.#hasEnded ? tooLong(bytes) : this.#decode(bytes);
    this.#parts = [];
    this.#length = 0;
    this.#number += 1;
    return { number: this.#number, ...line };
  }

  #decode(bytes: Uint8Array): Omit<ImportLine, 'number'> {
    try {
      return { text: this.#decoder.decode(bytes), error: null };
    } catch {
      const error = { pointer: '', code: 'invalid_format', detail: 'The line must be UTF-8.' } as const;
      return { text: Buffer.from(bytes).toString(), error };
    }
  }
}

function tooLong(bytes: Uint8Array): Omit<ImportLine, 'number'> {
  const detail = `The line must have at most ${lineBytesMax} bytes. The rest of the file was not read.`;
  return { text: Buffer.from(bytes).toString(), error: { pointer: '', code: 'too_long', detail } };
}
