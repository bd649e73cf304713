import type { ApiPromise } from '../client/api-promise.ts';
import type { RequestOptions } from '../client/options.ts';
import type { List, Operations } from './operations.ts';
import type { Total, TotalQuery } from './queries.ts';
import type { Delivery, NewWebhook, Webhook, WebhookUpdate, WebhookWithSecret } from './types.ts';

/**
 * Receivers of events. The secret of a webhook is in the responses of `create` and `rotateSecret` alone.
 *
 * @example
 * const { id, secret } = await operator.webhooks.create({ url: 'https://hooks.example.com/registry' });
 * await operator.webhooks.test(id);
 */
export class OperatorWebhooks {
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
  }

  list(query?: TotalQuery, options?: RequestOptions): List<Webhook, Total> {
    return this.#operations.list(['webhooks'], query, options);
  }

  create(webhook: NewWebhook, options?: RequestOptions): ApiPromise<WebhookWithSecret> {
    return this.#operations.post(['webhooks'], { body: webhook }, options);
  }

  get(id: string, options?: RequestOptions): ApiPromise<Webhook> {
    return this.#operations.get(['webhooks', id], options);
  }

  update(id: string, update: WebhookUpdate, options?: RequestOptions): ApiPromise<Webhook> {
    return this.#operations.send('PATCH', ['webhooks', id], { body: update }, options);
  }

  delete(id: string, options?: RequestOptions): ApiPromise<Webhook> {
    return this.#operations.send('DELETE', ['webhooks', id], {}, options);
  }

  /** A new secret. The previous one signs too for a day. */
  rotateSecret(id: string, options?: RequestOptions): ApiPromise<WebhookWithSecret> {
    return this.#operations.post(['webhooks', id, 'rotate'], {}, options);
  }

  enable(id: string, options?: RequestOptions): ApiPromise<Webhook> {
    return this.#operations.post(['webhooks', id, 'enable'], {}, options);
  }

  disable(id: string, options?: RequestOptions): ApiPromise<Webhook> {
    return this.#operations.post(['webhooks', id, 'disable'], {}, options);
  }

  /** Delivers an event of type `webhook.tested`. */
  test(id: string, options?: RequestOptions): ApiPromise<Delivery> {
    return this.#operations.post(['webhooks', id, 'test'], {}, options);
  }
}
