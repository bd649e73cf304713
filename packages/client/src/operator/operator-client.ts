import { ApiPromise } from '../client/api-promise.ts';
import { connectionOf } from '../client/connection.ts';
import type {
  Connection,
  ConnectionSettings,
  Method,
  RegistryLocation,
  RequestOptions,
  RequestParts,
} from '../client/options.ts';
import { Operations } from './operations.ts';
import { requestOperator } from './operator-request.ts';
import { OperatorResources } from './operator-resources.ts';

/**
 * The options of an operator client: those of `AppRegistryClient`, with a token of kind `operator`. On a page of the operator
 * listener the token may be null: then requests have the session of the browser.
 *
 * @example
 * const options: OperatorClientOptions = { baseUrl: 'https://ops.example.com', token, maxRetries: 0 };
 * console.log((await new OperatorClient(options).overview.get()).installations);
 */
export type OperatorClientOptions = ConnectionSettings & RegistryLocation;

/**
 * A client of the operator API, for tokens of kind `operator`. `baseUrl` is the URL of the operator listener.
 *
 * Everything is retried like the requests of `AppRegistryClient`, and a change is made once, however often it is sent.
 * If the response to a deletion is lost, the retry gets a `NotFoundError` whose `mayHaveTakenEffect` is true.
 *
 * @example
 * const operator = new OperatorClient({ baseUrl: 'https://ops.example.com', token });
 * for await (const { app, waitingSince } of operator.reviewQueue.list()) console.log(app.name, waitingSince);
 */
export class OperatorClient extends OperatorResources {
  readonly #connection: Connection;

  /** Throws a `TypeError` if the base URL is missing or malformed. */
  constructor(options: OperatorClientOptions) {
    const connection = connectionOf(options);
    super(new Operations(connection));
    this.#connection = connection;
  }

  /**
   * Any other request to the operator listener, with the same retries and errors. The paths of the operator API begin with
   * `/operator/v1/`. Without content in the response the result is undefined.
   *
   * @example
   * const found = await operator.request('GET', '/operator/v1/events', { query: { appId, workspaces: true } });
   */
  request(
    method: Method,
    path: string,
    { query, body, ifMatch, ...options }: RequestParts & RequestOptions = {},
  ): ApiPromise<unknown> {
    return new ApiPromise(requestOperator(this.#connection, method, path, { query, body, ifMatch, options }));
  }
}
