import type { ValidationError } from '../../contract/problem.ts';

/** A longer line is an error, and only its start is held in memory. The largest logo fits. */
export const lineBytesMax = 2_097_152;

const lineFeed = 0x0a;

export interface ImportLine {
  /** The first line is 1. */
  number: number;
  /** Without its line feed. */
  text: string;
  /** Why the line cannot be read; `text` is then a best effort. */
  error: ValidationError | null;
}

/** Splits a file that arrives in chunks into lines. Holds one chunk and one line in memory. */
export class ImportLines {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #number = 0;
  #parts: Uint8Array[] = [];
  #length = 0;
  #isTooLong = false;

  /** Returns the lines that end in this chunk. */
  *push(chunk: Uint8Array): Generator<ImportLine> {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      this.#hold(chunk.subarray(start, end));
      yield this.#take();
      start = end + 1;
    }
    this.#hold(chunk.subarray(start));
  }

  /** Returns the last line if it has no line feed. */
  *end(): Generator<ImportLine> {
    if (this.#length > 0) yield this.#take();
  }

  #hold(part: Uint8Array): void {
    const free = lineBytesMax - this.#length;
    if (part.length > free) this.#isTooLong = true;
    if (part.length === 0 || free === 0) return;
    const held = part.subarray(0, free);
    this.#parts.push(held);
    this.#length += held.length;
  }

  #take(): ImportLine {
    const [first, ...others] = this.#parts;
    const bytes = first && others.length === 0 ? first : Buffer.concat(this.#parts);
    const line = this.#isTooLong ? tooLong(bytes) : this.#decode(bytes);
    this.#parts = [];
    this.#length = 0;
    this.#isTooLong = false;
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
  const detail = `The line must have at most ${lineBytesMax} bytes.`;
  return { text: Buffer.from(bytes).toString(), error: { pointer: '', code: 'too_long', detail } };
}
