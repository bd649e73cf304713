import type { ValidationError } from '../../contract/problem.ts';

/** A longer line is a fault, and only its beginning is held. The greatest logo fits. */
export const lineBytesMax = 2_097_152;

const lineFeed = 0x0a;

export interface ImportLine {
  /** The first line is 1. */
  number: number;
  /** Without its line feed. */
  text: string;
  /** Why the line cannot be read; `text` is then what can be made of it. */
  fault: ValidationError | null;
}

/** The lines of a file that comes in pieces, as the pieces come. Holds one piece and one line. */
export class ImportLines {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #number = 0;
  #parts: Uint8Array[] = [];
  #length = 0;
  #isTooLong = false;

  /** The lines that end in this piece. */
  *push(piece: Uint8Array): Generator<ImportLine> {
    let start = 0;
    for (let end = piece.indexOf(lineFeed); end !== -1; end = piece.indexOf(lineFeed, start)) {
      this.#hold(piece.subarray(start, end));
      yield this.#take();
      start = end + 1;
    }
    this.#hold(piece.subarray(start));
  }

  /** The last line, when no line feed ends it. */
  *end(): Generator<ImportLine> {
    if (this.#length > 0) yield this.#take();
  }

  #hold(part: Uint8Array): void {
    const room = lineBytesMax - this.#length;
    if (part.length > room) this.#isTooLong = true;
    if (part.length === 0 || room === 0) return;
    const held = part.subarray(0, room);
    this.#parts.push(held);
    this.#length += held.length;
  }

  #take(): ImportLine {
    const bytes = this.#parts.length === 1 ? (this.#parts[0] as Uint8Array) : Buffer.concat(this.#parts);
    const line = this.#isTooLong ? tooLong(bytes) : this.#decode(bytes);
    this.#parts = [];
    this.#length = 0;
    this.#isTooLong = false;
    this.#number += 1;
    return { number: this.#number, ...line };
  }

  #decode(bytes: Uint8Array): Omit<ImportLine, 'number'> {
    try {
      return { text: this.#decoder.decode(bytes), fault: null };
    } catch {
      const fault = { pointer: '', code: 'invalid_format', detail: 'The line must be UTF-8.' } as const;
      return { text: Buffer.from(bytes).toString(), fault };
    }
  }
}

function tooLong(bytes: Uint8Array): Omit<ImportLine, 'number'> {
  const detail = `The line must have at most ${lineBytesMax} bytes.`;
  return { text: Buffer.from(bytes).toString(), fault: { pointer: '', code: 'too_long', detail } };
}
