import type { ApiPromise } from '../client/api-promise.ts';
import type { RequestOptions } from '../client/options.ts';
import type { List, Operations } from './operations.ts';
import type { ListQuery } from './queries.ts';
import type { Delivery, DeliveryDetails, Redelivered, Redelivery } from './types.ts';

/**
 * Filters for the deliveries of a webhook.
 *
 * @example
 * const query: DeliveryQuery = { state: 'pending' };
 * const { items } = await operator.deliveries.list(webhookId, query).page();
 */
export interface DeliveryQuery extends ListQuery {
  state?: Delivery['state'] | undefined;
}

/**
 * Deliveries of events to webhooks.
 *
 * @example
 * for await (const delivery of operator.deliveries.list(webhookId, { state: 'failed' })) {
 *   await operator.deliveries.redeliver(delivery.id);
 * }
 */
export class OperatorDeliveries {
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
  }

  list(webhookId: string, query?: DeliveryQuery, options?: RequestOptions): List<Delivery> {
    return this.#operations.list(['webhooks', webhookId, 'deliveries'], query, options);
  }

  /** A delivery with the request and the response of its last attempt. */
  get(id: string, options?: RequestOptions): ApiPromise<DeliveryDetails> {
    return this.#operations.get(['deliveries', id], options);
  }

  redeliver(id: string, options?: RequestOptions): ApiPromise<Delivery> {
    return this.#operations.post(['deliveries', id, 'redeliver'], {}, options);
  }

  /** Repeats the deliveries of a webhook that were queued since a time. */
  redeliverSince(webhookId: string, redelivery: Redelivery, options?: RequestOptions): ApiPromise<Redelivered> {
    return this.#operations.post(['webhooks', webhookId, 'redeliver'], { body: redelivery }, options);
  }
}
