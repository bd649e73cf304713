/** As many as a page of a list can have. */
const idsMax = 100;

/**
 * Objects that several parts of a page show, such as the developers of its apps. Each is loaded once while the window is
 * open, and those that are rendered together with one request.
 */
export class LoadedTogether<Item> {
  readonly #load: (ids: string[]) => Promise<[id: string, Item][]>;
  readonly #known = new Map<string, Promise<Item>>();
  #next: { ids: string[]; items: Promise<Map<string, Item>> } | undefined;

  constructor(load: (ids: string[]) => Promise<[id: string, Item][]>) {
    this.#load = load;
  }

  /** Rejects for an id that the registry does not know. */
  get(id: string): Promise<Item> {
    const known = this.#known.get(id);
    if (known) return known;
    const loading = this.#loadNext(id);
    this.#known.set(id, loading);
    loading.catch(() => this.#known.delete(id));
    return loading;
  }

  /** Loads an object anew when it is shown next, after a change. */
  forget(id: string): void {
    this.#known.delete(id);
  }

  async #loadNext(id: string): Promise<Item> {
    if (!this.#next || this.#next.ids.length === idsMax) {
      const ids: string[] = [];
      this.#next = { ids, items: this.#loadAll(ids) };
    }
    this.#next.ids.push(id);
    const item = (await this.#next.items).get(id);
    if (item === undefined) throw new Error(`There is no ${id}.`);
    return item;
  }

  async #loadAll(ids: string[]): Promise<Map<string, Item>> {
    // All effects of a rendering run in one task.
    await new Promise((resolve) => setTimeout(resolve));
    if (this.#next?.ids === ids) this.#next = undefined;
    return new Map(await this.#load(ids));
  }
}
