import { type Total, totalMax } from '../../../kernel/page-parameters.ts';
import type { Registry } from '../../../kernel/registry.ts';
import { countQueueEnd, type QueueFilter } from './review-queue-queries.ts';
import { appsInQueue, searchedAppsMax } from './search-queue.ts';

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
