/**
 * The IDs of handled events. A `Set` will do; a receiver with several processes shares a table or a cache.
 *
 * @example
 * const seen: SeenEvents = new Set<string>();
 * const handler = webhookHandler({ secret, on: { 'app.approved': ({ appId }) => console.log(appId) }, seen });
 * console.log((await handler(request)).status);
 */
export interface SeenEvents {
  /** Whether the event with this id was handled. */
  has(id: string): boolean | PromiseLike<boolean>;
  /** Called once the event was handled. */
  add(id: string): unknown;
}

/** Retains the latest ids, in memory. */
export class LatestEvents implements SeenEvents {
  readonly #ids = new Set<string>();
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(id: string): void {
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > this.#size && oldest !== undefined) this.#ids.delete(oldest);
  }
}
