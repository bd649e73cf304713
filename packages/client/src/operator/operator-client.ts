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
import { OperatorApps } from './operator-apps.ts';
import { OperatorDeliveries } from './operator-deliveries.ts';
import { OperatorDevelopers } from './operator-developers.ts';
import { OperatorEvents } from './operator-events.ts';
import { OperatorInstallations } from './operator-installations.ts';
import { OperatorLogos } from './operator-logos.ts';
import { OperatorProtectedNames } from './operator-protected-names.ts';
import { OperatorReasonTemplates } from './operator-reason-templates.ts';
import { requestOperator } from './operator-request.ts';
import { OperatorSettings } from './operator-settings.ts';
import { OperatorTokens } from './operator-tokens.ts';
import { OperatorWebhooks } from './operator-webhooks.ts';
import type { SearchQuery } from './queries.ts';
import type { Caller, Overview, SearchResult, Statistics } from './types.ts';

/**
 * The options of an operator client: those of `AppRegistryClient`, with a token of kind `operator`. On a page of the operator
 * listener the token may be null: then requests have the session of the browser.
 *
 * @example
 * const options: OperatorClientOptions = { baseUrl: 'https://ops.example.com', token, maxRetries: 0 };
 * console.log((await new OperatorClient(options).getOverview()).installations);
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
 * for await (const { app, waitingSince } of operator.apps.listReviewQueue()) console.log(app.name, waitingSince);
 */
export class OperatorClient {
  readonly apps: OperatorApps;
  readonly developers: OperatorDevelopers;
  readonly installations: OperatorInstallations;
  readonly logos: OperatorLogos;
  readonly tokens: OperatorTokens;
  readonly webhooks: OperatorWebhooks;
  readonly deliveries: OperatorDeliveries;
  readonly events: OperatorEvents;
  readonly protectedNames: OperatorProtectedNames;
  readonly reasonTemplates: OperatorReasonTemplates;
  readonly settings: OperatorSettings;
  readonly #connection: Connection;
  readonly #operations: Operations;

  constructor(options: OperatorClientOptions) {
    this.#connection = connectionOf(options);
    const operations = new Operations(this.#connection);
    this.#operations = operations;
    this.apps = new OperatorApps(operations);
    this.developers = new OperatorDevelopers(operations);
    this.installations = new OperatorInstallations(operations);
    this.logos = new OperatorLogos(operations);
    this.tokens = new OperatorTokens(operations);
    this.webhooks = new OperatorWebhooks(operations);
    this.deliveries = new OperatorDeliveries(operations);
    this.events = new OperatorEvents(operations);
    this.protectedNames = new OperatorProtectedNames(operations);
    this.reasonTemplates = new OperatorReasonTemplates(operations);
    this.settings = new OperatorSettings(operations);
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

  /** Counts of objects and of pending work, now and on past days. */
  getOverview(options?: RequestOptions): ApiPromise<Overview> {
    return this.#operations.get(['overview'], options);
  }

  /**
   * Searches apps, developers and hosts by any part of their name, and all objects by ID. Finding webhooks and tokens
   * requires the scope `admin`.
   *
   * @example
   * const { items } = await operator.search({ q: 'invoice' });
   * for (const hit of items) if (hit.type === 'app') console.log(hit.id, hit.name);
   */
  search(query: SearchQuery, options?: RequestOptions): ApiPromise<SearchResult> {
    return this.#operations.get(['search'], { ...options, query });
  }

  /** The actor of this client, as named in the events of its changes, and its scopes. */
  getCaller(options?: RequestOptions): ApiPromise<Caller> {
    return this.#operations.get(['caller'], options);
  }

  /** Statistics of reviews, installations and webhooks: pending work, and the last 12 weeks. */
  getStatistics(options?: RequestOptions): ApiPromise<Statistics> {
    return this.#operations.get(['overview', 'statistics'], options);
  }
}
