import type { RequestOptions } from '../client/options.ts';

/**
 * Whether an operation is only tried: its response then shows what it would do.
 *
 * @example
 * const options: DryRunOptions = { dryRun: true };
 * console.log((await operator.developers.suspend(userId, { reason: 'Spam' }, options)).affected?.apps);
 */
export interface DryRunOptions extends RequestOptions {
  /** Whether the operation is only tried. */
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
  /** The `etag` of what the request changes, as you read it. */
  ifMatch?: string | undefined;
}

/**
 * The query of a list that shows its items in full.
 *
 * @example
 * const query: FullView = { view: 'full' };
 * const [app] = await operator.apps.list(query).toArray({ limit: 1 });
 * console.log(app?.listingInfo.shortDescription);
 */
export interface FullView {
  /** Items with their content, not summaries. */
  view: 'full';
}
