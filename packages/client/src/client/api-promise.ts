import type { AppRegistryResponse } from './response.ts';

/**
 * The data of an operation with the status and headers of its response.
 *
 * @example
 * const { data, response }: WithResponse<DeveloperApp> = await client.developer.apps.current(id).withResponse();
 * console.log(data.name, response.etag, response.requestId);
 */
export interface WithResponse<Data> {
  /** What `await` alone resolves to. */
  data: Data;
  /** The status and headers. */
  response: AppRegistryResponse;
}

/**
 * A promise of the result of an operation whose request is in progress. `await` resolves to the data alone,
 * `withResponse()` to the data and the response metadata, without another request.
 *
 * @example
 * const current: ApiPromise<DeveloperApp> = client.developer.apps.current(id);
 * const { data, response } = await current.withResponse();
 * console.log(data === (await current), response.etag);
 */
export class ApiPromise<Data> implements Promise<Data> {
  /** The name of the class. */
  readonly [Symbol.toStringTag] = 'ApiPromise';
  // A single promise, from which `then` derives the data: with two, the one that is not awaited would cause an unhandled
  // rejection.
  readonly #result: Promise<WithResponse<Data>>;

  /** Created by the client. */
  constructor(result: Promise<WithResponse<Data>>) {
    this.#result = result;
  }

  /** The data with the status and headers of the response. */
  withResponse(): Promise<WithResponse<Data>> {
    return this.#result;
  }

  /** Resolves to the data, like `await`. */
  // biome-ignore lint/suspicious/noThenProperty: this is a promise
  then<Result = Data, Rejected = never>(
    onFulfilled?: ((data: Data) => Result | PromiseLike<Result>) | null,
    onRejected?: OnRejected<Rejected>,
  ): Promise<Result | Rejected> {
    return this.#result.then(({ data }) => data).then(onFulfilled, onRejected);
  }

  /** Like that of any promise. */
  catch<Rejected = never>(onRejected?: OnRejected<Rejected>): Promise<Data | Rejected> {
    return this.then(null, onRejected);
  }

  /** Like that of any promise. */
  finally(onFinally?: (() => void) | null): Promise<Data> {
    return this.then().finally(onFinally);
  }
}

/** The rejection handler of any promise. */
type OnRejected<Rejected> = Parameters<typeof Promise.prototype.catch<Rejected>>[0];
