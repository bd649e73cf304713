import { countRows, estimateRows, type ListedIds } from '../storage/queries/totals.ts';
import type { Tables } from '../storage/tables.ts';
import { type Total, totalMax } from './page-parameters.ts';
import type { Registry } from './registry.ts';

interface CountedList {
  table: keyof Tables;
  /** Whether the list leaves rows of the table out. */
  isFiltered: boolean;
  /** Selects the ids of the first ones of the list, up to a limit. */
  ids(limit: number): ListedIds;
}

/**
 * The number of items in a list. Exact up to `totalMax`. Above that, an estimate for a whole table, and `totalMax` for
 * a filtered list.
 */
export async function listTotal({ storage }: Registry, { table, isFiltered, ids }: CountedList): Promise<Total> {
  const counted = await countRows(storage.reader, ids(totalMax + 1));
  if (counted <= totalMax) return { total: counted, totalIsEstimate: false };
  const total = isFiltered ? totalMax : Math.max(totalMax, await estimateRows(storage, table));
  return { total, totalIsEstimate: true };
}
