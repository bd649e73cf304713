const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Reads the list that is a member of a JSON object while the text arrives, and keeps no more of it than the item that
 * is not whole yet. Where the text is cut into pieces makes no difference.
 */
export class ListReader<Item> {
  readonly #member: RegExp;
  /** The object without the items: at its end, one with an empty list. */
  #frame = '';
  #item = '';
  #isFirst = true;
  #list: 'to come' | 'open' | 'closed' = 'to come';
  #depth = 0;
  #inText = false;
  #isEscaped = false;

  constructor(member: string) {
    // Nothing else ends like this: within a text there is a backslash before each quote.
    this.#member = new RegExp(`[{,]\\s*"${member}"\\s*:\\s*$`);
  }

  /** Takes the next piece, and answers the items that are whole now. Throws a `SyntaxError` at an item that is no JSON. */
  push(piece: string): Item[] {
    const items: Item[] = [];
    let from = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at);
      if (!this.#parts(code)) continue;
      this.#keep(piece.slice(from, at));
      from = at + 1;
      if (this.#list === 'open') this.#take(code, items);
      else this.#pass(code);
    }
    this.#keep(piece.slice(from));
    return items;
  }

  /** Throws a `SyntaxError` unless the object has come whole and has such a list. */
  end(): void {
    JSON.parse(this.#frame);
    if (this.#list !== 'closed') throw new SyntaxError('The list is missing.');
  }

  /** Whether this character begins, ends or parts something in a member of the object. Counts where it is. */
  #parts(code: number): boolean {
    if (this.#inText) {
      this.#inText = this.#isEscaped || code !== quote;
      this.#isEscaped = !this.#isEscaped && code === backslash;
      return false;
    }
    if (code === quote) this.#inText = true;
    else if (code === openBrace || code === openBracket) this.#depth += 1;
    else if (code === closeBrace || code === closeBracket) this.#depth -= 1;
    else return code === comma && this.#depth === 2;
    return (code === openBracket && this.#depth === 2) || (code === closeBracket && this.#depth === 1);
  }

  #keep(text: string): void {
    if (this.#list === 'open') this.#item += text;
    else this.#frame += text;
  }

  /** An item ends here. Between the brackets of an empty list there is none. */
  #take(code: number, items: Item[]): void {
    if (!this.#isFirst || code === comma || this.#item.trim() !== '') items.push(JSON.parse(this.#item));
    this.#isFirst = false;
    this.#item = '';
    if (code !== closeBracket) return;
    this.#list = 'closed';
    this.#frame += ']';
  }

  #pass(code: number): void {
    if (code === openBracket && this.#list === 'to come' && this.#member.test(this.#frame)) this.#list = 'open';
    this.#frame += String.fromCharCode(code);
  }
}
