const [lineFeed, carriageReturn] = [0x0a, 0x0d];

/** Counts the lines of a file that is read in chunks, of which it holds those that are not counted yet. */
export class RowLines {
  #chunks: Uint8Array[] = [];
  /** The offset in the file of the first chunk. */
  #chunkStart = 0;
  /** How far lines are counted. */
  #offset = 0;
  #line = 1;

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
  }

  /** The line on which the row begins that ends at this offset and follows the last one, apart from empty lines. */
  firstLineUntil(end: number): number {
    this.#skipEmptyLines(end);
    const first = this.#line;
    while (this.#offset < end) this.#countIn(this.#nextChunk(), end);
    return first;
  }

  #skipEmptyLines(end: number): void {
    while (this.#offset < end) {
      const chunk = this.#nextChunk();
      const at = this.#offset - this.#chunkStart;
      // A carriage return that ends no line is part of a cell.
      const isEnd = chunk[at] === carriageReturn && (chunk[at + 1] ?? this.#chunks[1]?.[0]) === lineFeed;
      if (chunk[at] !== lineFeed && !isEnd) return;
      this.#line += 1;
      this.#offset += isEnd ? 2 : 1;
    }
  }

  /** The chunk that has the next byte. */
  #nextChunk(): Uint8Array {
    for (;;) {
      const [chunk] = this.#chunks;
      if (!chunk) throw new Error('a row ends after what was read');
      if (this.#offset < this.#chunkStart + chunk.length) return chunk;
      this.#chunkStart += chunk.length;
      this.#chunks.shift();
    }
  }

  #countIn(chunk: Uint8Array, end: number): void {
    const to = Math.min(chunk.length, end - this.#chunkStart);
    let at = chunk.indexOf(lineFeed, this.#offset - this.#chunkStart);
    while (at !== -1 && at < to) {
      this.#line += 1;
      at = chunk.indexOf(lineFeed, at + 1);
    }
    this.#offset = this.#chunkStart + to;
  }
}
