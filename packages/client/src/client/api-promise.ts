import type { AppRegistryResponse } from './response.ts';

/**
 * What came with the status and the header of its answer.
 *
 * @example
 * const { data, response }: WithResponse<DeveloperApp> = await client.developer.apps.current(id).withResponse();
 * console.log(data.name, response.etag, response.requestId);
 */
export interface WithResponse<Data> {
  data: Data;
  response: AppRegistryResponse;
}

/**
 * A promise of what an operation answers. The request is under way; `await` gives the data alone, and
 * `withResponse()` the answer around it too, without another request.
 *
 * @example
 * const current: ApiPromise<DeveloperApp> = client.developer.apps.current(id);
 * const { data, response } = await current.withResponse();
 * console.log(data === (await current), response.etag);
 */
export class ApiPromise<Data> implements Promise<Data> {
  readonly [Symbol.toStringTag] = 'ApiPromise';
  // One promise only, made into the data when somebody asks: of two, the one that nobody awaits would be an
  // unhandled rejection.
  readonly #answer: Promise<WithResponse<Data>>;

  /** Made by the client. */
  constructor(answer: Promise<WithResponse<Data>>) {
    this.#answer = answer;
  }

  /** The data, with the status and the header of the answer. */
  withResponse(): Promise<WithResponse<Data>> {
    return this.#answer;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  then<Result = Data, Refusal = never>(
    onFulfilled?: ((data: Data) => Result | PromiseLike<Result>) | null,
    onRejected?: OnRejected<Refusal>,
  ): Promise<Result | Refusal> {
    return this.#answer.then(({ data }) => data).then(onFulfilled, onRejected);
  }

  catch<Refusal = never>(onRejected?: OnRejected<Refusal>): Promise<Data | Refusal> {
    return this.then(null, onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<Data> {
    return this.then().finally(onFinally);
  }
}

/** As any promise takes it. */
type OnRejected<Refusal> = Parameters<typeof Promise.prototype.catch<Refusal>>[0];
