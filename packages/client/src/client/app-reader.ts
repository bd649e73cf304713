import type { Installation, PlatformApp } from '../types/app.ts';

const quote = 0x22;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
/** Braces differ from brackets in this bit. */
const braceBit = 0x20;

export type AppAlone = Omit<PlatformApp, 'installations'>;

/**
 * Parses an app while its JSON arrives in chunks of any size. Buffers no more of the installations than one that is
 * incomplete.
 */
export class AppReader {
  /** The app without its installations: once those start the fields before them, after `end` all of them. */
  app: AppAlone | undefined;
  /** The text up to the list. */
  #head = '';
  /** In the list, the text since the last item. */
  #text = '';
  /** Stands for the items before, so that their commas are checked. */
  #items = '';
  #isOpen = false;
  #depth = 0;
  #inString = false;
  #isEscaped = false;

  /** Adds the next chunk and returns the items that it completes. Throws a `SyntaxError` if an item is not JSON. */
  push(chunk: string): Installation[] {
    const items: Installation[] = [];
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      if (!this.#isBoundary(chunk.charCodeAt(at))) continue;
      this.#text += chunk.slice(from, at + 1);
      from = at + 1;
      if (this.app) items.push(...this.#takeItem());
      else this.#start();
    }
    this.#text += chunk.slice(from);
    return items;
  }

  /** Throws a `SyntaxError` unless the object is complete and has the list. */
  end(): void {
    const [list, app] = parseApp(this.#head + this.#items + this.#text);
    if (!this.app || list.length > this.#items.length) throw new SyntaxError('no installations');
    Object.assign(this.app, app);
  }

  /** Whether this character may start the list, or ends an item. Tracks the depth. */
  #isBoundary(code: number): boolean {
    if (this.#inString) {
      this.#inString = this.#isEscaped || code !== quote;
      this.#isEscaped = !this.#isEscaped && code === backslash;
      return false;
    }
    this.#inString = code === quote;
    const bracket = code & ~braceBit;
    if (bracket === openBracket) this.#depth += 1;
    else if (bracket === closeBracket) this.#depth -= 1;
    else return false;
    if (this.#depth < 2) this.#isOpen = false;
    return this.#depth === 2 && (this.#isOpen || !this.app);
  }

  #start(): void {
    // Unambiguous: within a string, each quote is escaped.
    if (!/[{,]\s*"installations"\s*:\s*\[$/.test(this.#text)) return;
    [, this.app] = parseApp(`${this.#text}]}`);
    this.#isOpen = true;
    this.#head = this.#text;
    this.#text = '';
  }

  #takeItem(): Installation[] {
    const items = JSON.parse(`[${this.#items}${this.#text}]`).slice(this.#items.length);
    this.#items = '0';
    this.#text = '';
    return items;
  }
}

/** The list, and the app without it. */
function parseApp(text: string): [unknown[], AppAlone] {
  const { installations = [], ...app } = Object(JSON.parse(text));
  return [installations, app];
}
