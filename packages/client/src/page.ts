/**
 * One page of a list, as a registry answers it.
 *
 * @example
 * const page: PageOf<{ name: string }> = { items: [{ name: 'Invoice Sync' }], nextCursor: 'eyJ…' };
 * console.log(page.nextCursor ?? 'the last page');
 */
export interface PageOf<Item> {
  items: Item[];
  /** Leads to the next page; absent on the last one. */
  nextCursor?: string;
  /** Leads to the page before; absent on the first one. */
  prevCursor?: string;
}

/**
 * One page of a list, and the way to the others: `for await` goes through the items of this page and of all after it,
 * and asks for each page when it comes to it. The two operations of the interface have no list: use it with those of
 * the operator API.
 *
 * @example
 * const read = async (cursor = ''): Promise<PageOf<{ id: string }>> => {
 *   const address = `http://127.0.0.1:8081/operator/v1/apps?${new URLSearchParams(cursor && { cursor })}`;
 *   return (await fetch(address, { headers: { authorization: `Bearer ${token}` } })).json();
 * };
 * for await (const app of await Page.first(read)) console.log(app.id);
 */
export class Page<Item> implements PageOf<Item>, AsyncIterable<Item> {
  readonly items: Item[];
  readonly nextCursor?: string;
  readonly prevCursor?: string;
  readonly #read: (cursor?: string) => Promise<PageOf<Item>>;

  /** The first page of a list that is read with this. */
  static async first<Item>(read: (cursor?: string) => Promise<PageOf<Item>>): Promise<Page<Item>> {
    return new Page(await read(), read);
  }

  constructor(page: PageOf<Item>, read: (cursor?: string) => Promise<PageOf<Item>>) {
    this.items = page.items;
    if (page.nextCursor !== undefined) this.nextCursor = page.nextCursor;
    if (page.prevCursor !== undefined) this.prevCursor = page.prevCursor;
    this.#read = read;
  }

  /** Null after the last page. */
  next(): Promise<Page<Item> | null> {
    return this.#at(this.nextCursor);
  }

  /** Null before the first page. */
  previous(): Promise<Page<Item> | null> {
    return this.#at(this.prevCursor);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, void> {
    for (let page: Page<Item> | null = this; page; page = await page.next()) yield* page.items;
  }

  async #at(cursor: string | undefined): Promise<Page<Item> | null> {
    return cursor === undefined ? null : new Page(await this.#read(cursor), this.#read);
  }
}
