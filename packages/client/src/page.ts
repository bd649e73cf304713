/**
 * One page of a list, as returned by a registry.
 *
 * @example
 * const page: PageOf<{ name: string }> = { items: [{ name: 'Invoice Sync' }], nextCursor: 'eyJ…' };
 * console.log(page.nextCursor ?? 'the last page');
 */
export interface PageOf<Item> {
  /** In the order of the list. */
  items: Item[];
  /** The cursor of the next page; absent on the last one. */
  nextCursor?: string;
  /** The cursor of the previous page; absent on the first one. */
  prevCursor?: string;
}

/**
 * One page of a list, with access to the others: `for await` iterates over the items of this page and all later ones,
 * and loads each page on demand. Use it with the lists of the operator API: the two operations of the interface have
 * none.
 *
 * @example
 * const read = async (cursor = ''): Promise<PageOf<{ id: string }>> => {
 *   const url = `http://127.0.0.1:8081/operator/v1/apps?${new URLSearchParams(cursor && { cursor })}`;
 *   return (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).json();
 * };
 * for await (const app of await Page.first(read)) console.log(app.id);
 */
export class Page<Item> implements PageOf<Item>, AsyncIterable<Item> {
  /** The items of this page. */
  declare readonly items: Item[];
  /** The cursor of the next page; absent on the last one. */
  declare readonly nextCursor?: string;
  /** The cursor of the previous page; absent on the first one. */
  declare readonly prevCursor?: string;
  readonly #read: (cursor?: string) => Promise<PageOf<Item>>;

  /** The first page of a list, which `read` loads page by page. */
  static async first<Item>(read: (cursor?: string) => Promise<PageOf<Item>>): Promise<Page<Item>> {
    return new Page(await read(), read);
  }

  /** Also has the other fields of the response. */
  constructor(page: PageOf<Item>, read: (cursor?: string) => Promise<PageOf<Item>>) {
    Object.assign(this, page);
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

  /** The items of this page and of all later ones, but no more than `limit`. Loads only the pages that it needs. */
  async toArray({
    limit,
  }: {
    /** At most so many items; `Infinity` for all. */
    limit: number;
  }): Promise<Item[]> {
    const items: Item[] = [];
    if (limit > 0) for await (const item of this) if (items.push(item) >= limit) break;
    return items;
  }

  /** The items of this page and of all later ones, which are loaded on demand. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, void> {
    for (let page: Page<Item> | null = this; page; page = await page.next()) yield* page.items;
  }

  async #at(cursor: string | undefined): Promise<Page<Item> | null> {
    return cursor === undefined ? null : new Page(await this.#read(cursor), this.#read);
  }
}
