import { ApiPromise, type WithResponse } from '../client/api-promise.ts';
import type { Connection, Method, RequestOptions, RequestParts } from '../client/options.ts';
import { encodeId } from '../client/path.ts';
import type { ReadResponse } from '../client/request.ts';
import { Page, type PageOf } from '../page.ts';
import { readEventStream, type StreamedEvent } from './event-stream.ts';
import { requestOperator } from './operator-request.ts';

/** The segments of a path after `/operator/v1`. */
type Path = readonly (string | number)[];

/**
 * A list that has not been read yet. `for await` reads its items page by page, `toArray` reads no more than a number of
 * them, `page()` one page.
 *
 * @example
 * for await (const app of operator.apps.list({ status: ['AWAITING_REVIEW'] })) console.log(app.name);
 * const newest = await operator.apps.list({ sort: '-id' }).toArray({ limit: 500 });
 * const { items } = await operator.apps.list({ limit: 5 }).page();
 */
export class List<Item, Beside extends object = object> implements AsyncIterable<Item> {
  readonly #read: (cursor?: string) => Promise<PageOf<Item>>;

  /** Created by the client. */
  constructor(read: (cursor?: string) => Promise<PageOf<Item>>) {
    this.#read = read;
  }

  /** The first page, or the one at the `cursor` of the query, with anything that the query requests besides items. */
  page(): Promise<Page<Item> & Beside> {
    return Page.first(this.#read) as Promise<Page<Item> & Beside>;
  }

  /** The first items, but no more than `limit`. Loads only the pages that it needs. */
  async toArray(options: {
    /** At most so many items; `Infinity` for all. */
    limit: number;
  }): Promise<Item[]> {
    return (await this.page()).toArray(options);
  }

  /** All items, page by page. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, void> {
    yield* await this.page();
  }
}

/** Requests of the operator API. */
export class Operations {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Sends a request whose response is JSON. */
  send<Data>(method: Method, path: Path, parts: RequestParts, options: RequestOptions = {}): ApiPromise<Data> {
    return new ApiPromise(this.#send(method, path, parts, options));
  }

  list<Item, Beside extends object = object>(
    path: Path,
    query: object = {},
    options?: RequestOptions,
  ): List<Item, Beside> {
    return new List<Item, Beside>((cursor) =>
      this.send<PageOf<Item>>('GET', path, { query: cursor === undefined ? query : { ...query, cursor } }, options),
    );
  }

  /** Sends a request whose response consists of events, which are sent as they happen. */
  async *stream(path: Path, query?: object, options: RequestOptions = {}): AsyncGenerator<StreamedEvent, void, void> {
    yield* (await this.#send('GET', path, { query }, options, readEventStream)).data;
  }

  async #send<Data>(
    method: Method,
    path: Path,
    parts: RequestParts,
    options: RequestOptions,
    read?: ReadResponse<Data>,
  ): Promise<WithResponse<Data>> {
    const whole = `/operator/v1/${path.map(encodeId).join('/')}`;
    return requestOperator(this.#connection, method, whole, { ...parts, options }, read);
  }
}

/** A body with a file is a form. */
export function formOf(fields: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}
