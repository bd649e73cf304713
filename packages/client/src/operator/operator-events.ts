import type { RequestOptions } from '../client/options.ts';
import type { AppRegistryEvent } from '../event.ts';
import type { List, Operations } from './operations.ts';
import type { ListQuery } from './queries.ts';

/**
 * Which events to list: by one of app, actor and request, and by what changed.
 *
 * @example
 * const query: EventQuery = { appId: app.id, field: 'oauthInfo.callbackUrl', newestFirst: true };
 * const { items } = await operator.events.list(query).page();
 */
export interface EventQuery extends ListQuery {
  appId?: string | undefined;
  actor?: string | undefined;
  requestId?: string | undefined;
  /** A field of the content that changed. */
  field?: string | undefined;
  /** A text that the content contained before or after. */
  contains?: string | undefined;
  /** A time, or the id of an event to start after. */
  since?: string | undefined;
  newestFirst?: boolean | undefined;
}

/**
 * What has changed, who changed it and when.
 *
 * @example
 * for await (const event of operator.events.list({ appId: app.id })) console.log(event.timestamp, event.type);
 */
export class OperatorEvents {
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
  }

  list(query?: EventQuery, options?: RequestOptions): List<AppRegistryEvent> {
    return this.#operations.list(['events'], query, options);
  }
}
