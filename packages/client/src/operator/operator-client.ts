import { ApiPromise } from '../client/api-promise.ts';
import { connectionOf } from '../client/connection.ts';
import { requestJson } from '../client/json-request.ts';
import type { AppRegistryClientOptions, Connection, Method, RequestOptions, RequestParts } from '../client/options.ts';
import { Operations } from './operations.ts';
import { OperatorApps } from './operator-apps.ts';
import { OperatorDeliveries } from './operator-deliveries.ts';
import { OperatorDevelopers } from './operator-developers.ts';
import { OperatorEvents } from './operator-events.ts';
import { OperatorInstallations } from './operator-installations.ts';
import { OperatorLogos } from './operator-logos.ts';
import { OperatorProtectedNames } from './operator-protected-names.ts';
import { OperatorSettings } from './operator-settings.ts';
import { OperatorTokens } from './operator-tokens.ts';
import { OperatorWebhooks } from './operator-webhooks.ts';
import type { Overview } from './types.ts';

/**
 * A client of the operator API, for tokens of kind `operator`. `baseUrl` is the address of the operator listener.
 *
 * Reads and creations are retried like those of `AppRegistryClient`. Other changes are retried only if the registry has
 * refused them for the moment (429, 503): after a lost connection, read what they change before you send them again.
 *
 * @example
 * const operator = new OperatorClient({ baseUrl: 'https://ops.example.com', token });
 * for await (const { app, waitingSince } of operator.apps.listQueue()) console.log(app.name, waitingSince);
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
  readonly settings: OperatorSettings;
  readonly #connection: Connection;
  readonly #operations: Operations;

  constructor(options: AppRegistryClientOptions) {
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
    this.settings = new OperatorSettings(operations);
  }

  /**
   * Any other request of the operator API, with the same retries and errors. The path begins with `/operator/v1/`.
   *
   * @example
   * const found = await operator.request('GET', '/operator/v1/events', { query: { appId, workspaces: true } });
   */
  request(
    method: Method,
    path: string,
    { query, body, ifMatch, ...options }: RequestParts & RequestOptions = {},
  ): ApiPromise<unknown> {
    return new ApiPromise(requestJson(this.#connection, method, path, { query, body, ifMatch, options }));
  }

  /** What the registry holds and what waits, now and on past days. */
  overview(options?: RequestOptions): ApiPromise<Overview> {
    return this.#operations.get(['overview'], options);
  }
}
