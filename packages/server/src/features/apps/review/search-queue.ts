import { type Total, totalMax } from '../../../kernel/page-parameters.ts';
import type { Registry } from '../../../kernel/registry.ts';
import type { PageOfRows, PageRequest } from '../../../storage/page.ts';
import { catchUp } from '../../search/projections.ts';
import type { AppRowWithMode } from '../app-queries.ts';
import { countQueueEnd, listReviewQueuePage, positionAfter, type QueueFilter } from './review-queue-queries.ts';
import type { ReviewWarning } from './warnings/review-warning.ts';
import { warningsOf } from './warnings/warnings-of.ts';

/** How many apps one page compares with others at most, so that no request works for long. */
export const searchedAppsMax = 500;

/** As many as a page of the queue has at most. */
const batchMax = 100;

/** An app in the queue, and what a reviewer should look at. */
export interface WarnedApp {
  app: AppRowWithMode;
  warnings: ReviewWarning[];
}

interface QueueList extends QueueFilter, PageRequest {
  newestFirst?: boolean | undefined;
}

/** A page of the apps in the queue that meet a filter, with their warnings. */
export async function queuePage(registry: Registry, list: QueueList): Promise<PageOfRows<WarnedApp>> {
  const { reader } = registry.storage;
  const page = await listReviewQueuePage(reader, list);
  await catchUp(registry);
  const warnings = await warningsOf(reader, page.rows);
  return { ...page, rows: page.rows.map((app) => ({ app, warnings: warnings.get(app.id) ?? [] })) };
}

/**
 * A page of those among them that have warnings, or have none. It ends when it is full or has compared as many apps as
 * a page may; then the next one continues after the last app that was compared.
 */
export async function searchQueue(
  registry: Registry,
  { limit, hasWarnings, ...list }: QueueList & { hasWarnings: boolean },
): Promise<PageOfRows<WarnedApp>> {
  const found: WarnedApp[] = [];
  let searched = 0;
  for await (const { one, isLast } of appsInQueue(registry, list)) {
    searched += 1;
    if (one.warnings.length > 0 === hasWarnings) found.push(one);
    const isFull = found.length >= limit || searched >= searchedAppsMax;
    if (isFull && !isLast) return { rows: found, next: positionAfter(one.app) };
  }
  return { rows: found };
}

interface TotalOf extends QueueFilter {
  hasWarnings?: boolean | undefined;
}

/**
 * How many apps of the queue meet every filter, by reading at most twice `totalMax` rows of its index, and comparing at most
 * `searchedAppsMax` apps. Exact where that is all of them; else an estimate by those at both ends of the queue.
 */
export async function queueTotal(registry: Registry, { hasWarnings, ...filter }: TotalOf): Promise<Total> {
  const total = await totalOf(registry, filter);
  if (hasWarnings === undefined) return total;
  let [searched, found] = [0, 0];
  for await (const { one, isLast } of appsInQueue(registry, filter)) {
    searched += 1;
    if (one.warnings.length > 0 === hasWarnings) found += 1;
    if (searched >= searchedAppsMax && !isLast) return estimate((total.total * found) / searched);
  }
  return { total: found, totalIsEstimate: false };
}

async function totalOf({ storage: { reader } }: Registry, filter: QueueFilter): Promise<Total> {
  const limit = totalMax + 1;
  const start = await countQueueEnd(reader, { ...filter, limit, fromEnd: false });
  if (start.counted <= totalMax) return { total: start.matching, totalIsEstimate: false };
  const end = await countQueueEnd(reader, { ...filter, limit, fromEnd: true });
  const counted = start.counted + end.counted;
  const [startMs, endMs] = [lengthOf(start), lengthOf(end)];
  // Below 0 where the two overlap.
  const betweenMs = (end.first ?? 0) - (start.last ?? 0);
  // As many in each millisecond between the two as in both.
  const waiting = counted + (betweenMs * counted) / Math.max(1, startMs + endMs);
  return estimate((Math.max(waiting, limit) * (start.matching + end.matching)) / counted);
}

function lengthOf({ first, last }: { first: number | null; last: number | null }): number {
  return (last ?? 0) - (first ?? 0);
}

function estimate(total: number): Total {
  return { total: Math.round(total), totalIsEstimate: true };
}

/** The apps in the queue that meet a filter, each with whether it is the last one. */
async function* appsInQueue(
  registry: Registry,
  { position, ...list }: Omit<QueueList, 'limit'>,
): AsyncGenerator<{ one: WarnedApp; isLast: boolean }> {
  for (let from = position; ; ) {
    const { rows, next } = await queuePage(registry, { ...list, limit: batchMax, position: from });
    for (const [at, one] of rows.entries()) yield { one, isLast: !next && at === rows.length - 1 };
    if (!next) return;
    from = next;
  }
}
