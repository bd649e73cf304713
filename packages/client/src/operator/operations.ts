import { ApiPromise, type WithResponse } from '../client/api-promise.ts';
import type { Parts } from '../client/json-request.ts';
import type { Connection, Method, RequestOptions } from '../client/options.ts';
import { encodeId } from '../client/path.ts';
import type { ReadResponse } from '../client/request.ts';
import { Page, type PageOf } from '../page.ts';
import { requestOperator } from './operator-request.ts';

/** The segments of a path after `/operator/v1`. */
type Path = readonly (string | number)[];

/**
 * A list that has not been read yet. `for await` reads its items page by page, `page()` one page.
 *
 * @example
 * for await (const app of operator.apps.list({ status: 'AWAITING_REVIEW' })) console.log(app.name);
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

  get<Data>(path: Path, { query, ...options }: RequestOptions & { query?: object } = {}): ApiPromise<Data> {
    return this.send('GET', path, { query }, options);
  }

  list<Item, Beside extends object = object>(
    path: Path,
    query: object = {},
    options: RequestOptions = {},
  ): List<Item, Beside> {
    return new List<Item, Beside>((cursor) =>
      this.get<PageOf<Item>>(path, { ...options, query: cursor === undefined ? query : { ...query, cursor } }),
    );
  }

  post<Data>(path: Path, parts?: Parts, options?: RequestOptions): ApiPromise<Data> {
    return this.send('POST', path, parts, options);
  }

  /** Sends a request whose response is JSON. */
  send<Data>(method: Method, path: Path, parts: Parts = {}, options: RequestOptions = {}): ApiPromise<Data> {
    return new ApiPromise(this.#send(method, path, parts, options));
  }

  /** Sends a request whose response is read in another way. */
  async read<Data>(
    path: Path,
    { query, ...options }: RequestOptions & { query?: object },
    read: ReadResponse<Data>,
  ): Promise<Data> {
    return (await this.#send('GET', path, { query }, options, read)).data;
  }

  async #send<Data>(
    method: Method,
    path: Path,
    parts: Parts,
    options: RequestOptions,
    read?: ReadResponse<Data>,
  ): Promise<WithResponse<Data>> {
    const whole = `/operator/v1/${path.map(encodeId).join('/')}`;
    return requestOperator(this.#connection, method, whole, { ...parts, options }, read);
  }
}
