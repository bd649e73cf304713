import type { RequestOptions } from '../client/options.ts';
import type { ActorName } from './types.ts';

/**
 * Which page of a list.
 *
 * @example
 * const query: ListQuery = { limit: 100 };
 * for await (const webhook of operator.webhooks.list(query)) console.log(webhook.url);
 */
export interface ListQuery {
  /** Where to continue: the `nextCursor` or `prevCursor` of another page. */
  cursor?: string | undefined;
  /** The items of a page: 20 by default, at most 100. */
  limit?: number | undefined;
}

/**
 * Which page of a list that can say how many items it has.
 *
 * @example
 * const query: TotalQuery = { limit: 1, withTotal: true };
 * console.log((await operator.webhooks.list(query).page()).total);
 */
export interface TotalQuery extends ListQuery {
  /** Whether the page says how many items the list has. */
  withTotal?: boolean | undefined;
}

/**
 * What to search for.
 *
 * @example
 * const query: SearchQuery = { q: 'invoice sync', limit: 20 };
 * console.log((await operator.search(query)).items);
 */
export interface SearchQuery {
  /** Words of a name or parts of them, a part of an email address or of a host, or an id. */
  q: string;
  /** The hits of each type: 5 by default, at most 20. */
  limit?: number | undefined;
}

/**
 * Whether an operation is only tried: its response then shows what it would do.
 *
 * @example
 * const options: DryRunOptions = { dryRun: true };
 * console.log((await operator.developers.suspend(userId, { reason: 'Spam' }, options)).affected?.apps);
 */
export interface DryRunOptions extends RequestOptions {
  dryRun?: boolean | undefined;
}

/**
 * The `etag` of what a request changes. If it has changed since, the request is refused.
 *
 * @example
 * const options: IfMatchOptions = { ifMatch: app.etag };
 * await operator.apps.update(app.id, { name: 'Invoice Sync' }, options);
 */
export interface IfMatchOptions extends RequestOptions {
  ifMatch?: string | undefined;
}

/**
 * An app at the revision that was read: as returned by `apps.get` and by each item of the review queue.
 *
 * @example
 * const reviewed: ReviewedApp = await operator.apps.get(id);
 * await operator.apps.approve(reviewed);
 */
export interface ReviewedApp {
  id: string;
  etag: string;
}

/**
 * Who has done what a page lists, if its query has `actors`.
 *
 * @example
 * const { actors = [] }: Actors = await operator.apps.listDecisions(app.id, { actors: true }).page();
 * for (const { actor, name } of actors) console.log(actor, name);
 */
export interface Actors {
  actors?: ActorName[];
}

/**
 * How many items a list has, if its query has `withTotal`.
 *
 * @example
 * const { total = 0, totalIsEstimate }: Total = await operator.apps.listReviewQueue({ withTotal: true }).page();
 * console.log(totalIsEstimate ? `about ${total}` : total);
 */
export interface Total {
  total?: number;
  /** With more than 10,000 items it is. */
  totalIsEstimate?: boolean;
}
