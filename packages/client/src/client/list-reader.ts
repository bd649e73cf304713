const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Parses the list in a field of a JSON object while the text arrives in chunks of any size. Buffers no more of the list
 * than one incomplete item.
 */
export class ListReader<Item> {
  readonly #fieldStart: RegExp;
  /** The object without the items: in the end, the object with an empty list. */
  #frame = '';
  #item = '';
  #isFirst = true;
  #list: 'ahead' | 'open' | 'closed' = 'ahead';
  #depth = 0;
  #inString = false;
  #isEscaped = false;

  constructor(field: string) {
    // Unambiguous: within a string, each quote is escaped.
    this.#fieldStart = new RegExp(`[{,]\\s*"${field}"\\s*:\\s*$`);
  }

  /** Adds the next chunk and returns the items that it completes. Throws a `SyntaxError` if an item is not JSON. */
  push(chunk: string): Item[] {
    const items: Item[] = [];
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const code = chunk.charCodeAt(at);
      if (!this.#isDelimiter(code)) continue;
      this.#append(chunk.slice(from, at));
      from = at + 1;
      if (this.#list === 'open') this.#endItem(code, items);
      else this.#skip(code);
    }
    this.#append(chunk.slice(from));
    return items;
  }

  /** Throws a `SyntaxError` unless the object is complete and has the list. */
  end(): void {
    JSON.parse(this.#frame);
    if (this.#list !== 'closed') throw new SyntaxError('The list is missing.');
  }

  /** Whether this character opens, closes or separates a list in a field of the object. Tracks the depth. */
  #isDelimiter(code: number): boolean {
    if (this.#inString) {
      this.#inString = this.#isEscaped || code !== quote;
      this.#isEscaped = !this.#isEscaped && code === backslash;
      return false;
    }
    if (code === quote) this.#inString = true;
    else if (code === openBrace || code === openBracket) this.#depth += 1;
    else if (code === closeBrace || code === closeBracket) this.#depth -= 1;
    else return code === comma && this.#depth === 2;
    return (code === openBracket && this.#depth === 2) || (code === closeBracket && this.#depth === 1);
  }

  #append(text: string): void {
    if (this.#list === 'open') this.#item += text;
    else this.#frame += text;
  }

  /** Completes an item, unless the list is empty. */
  #endItem(code: number, items: Item[]): void {
    if (!this.#isFirst || code === comma || this.#item.trim() !== '') items.push(JSON.parse(this.#item));
    this.#isFirst = false;
    this.#item = '';
    if (code !== closeBracket) return;
    this.#list = 'closed';
    this.#frame += ']';
  }

  #skip(code: number): void {
    if (code === openBracket && this.#list === 'ahead' && this.#fieldStart.test(this.#frame)) this.#list = 'open';
    this.#frame += String.fromCharCode(code);
  }
}
