import type { Registry } from '../../../kernel/registry.ts';
import type { PageOfRows, PageRequest } from '../../../storage/page.ts';
import { catchUp } from '../../search/projections.ts';
import type { AppRowWithMode } from '../app-queries.ts';
import type { QueuedApp } from './queue-item.ts';
import { listReviewQueuePage, positionAfter, type QueueFilter } from './review-queue-queries.ts';
import { warningsOf } from './warnings/warnings-of.ts';

/** How many apps one page compares with others at most, so that no request works for long. */
export const searchedAppsMax = 500;

/** As many as a page of the queue has at most. */
const batchMax = 100;

/** An app in the queue, and what a reviewer should look at. */
export type WarnedApp = Pick<QueuedApp, 'app' | 'warnings'>;

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

/** The apps in the queue that meet a filter, each with whether it is the last one. */
export async function* appsInQueue(
  registry: Registry,
  { position, ...list }: Omit<QueueList, 'limit'>,
): AsyncGenerator<{ one: WarnedApp & { app: AppRowWithMode }; isLast: boolean }> {
  for (let from = position; ; ) {
    const { rows, next } = await queuePage(registry, { ...list, limit: batchMax, position: from });
    for (const [at, one] of rows.entries()) yield { one, isLast: !next && at === rows.length - 1 };
    if (!next) return;
    from = next;
  }
}
