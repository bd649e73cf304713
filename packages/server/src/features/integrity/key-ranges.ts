import type { Reader } from '../../storage/statement.ts';
import { type CheckedTable, type KeyRange, lastKey, listNextAppCounts, listNextKeys } from './invariant-queries.ts';

/** How many rows a range has at most. */
export interface RangeRows {
  /** Of the table of installations. An app is checked with all of its own. */
  installations: number;
  /** Of any other table. */
  others: number;
}

/** Half a second of work at most, unless one app has more installations. */
const defaultRows: RangeRows = { installations: 5_000, others: 1_000 };

/** Ranges that follow each other and hold every key of a table, each with a bounded number of rows. */
export async function* keyRanges(
  reader: Reader,
  table: CheckedTable,
  rowsMax = defaultRows,
): AsyncGenerator<KeyRange, undefined> {
  let low = '';
  while (low !== lastKey) {
    const next = { table, low, rowsMax };
    const high = table === 'apps' ? await nextAppsEnd(reader, next) : await nextEnd(reader, next);
    yield { low, high };
    low = high;
  }
}

interface Next {
  table: CheckedTable;
  low: string;
  rowsMax: RangeRows;
}

async function nextEnd(reader: Reader, { table, low, rowsMax }: Next): Promise<string> {
  const limit = table === 'installations' ? rowsMax.installations : rowsMax.others;
  const keys = await listNextKeys(reader, { table, low, limit });
  return keys.length < limit ? lastKey : (keys.at(-1) ?? lastKey);
}

/** An app is checked with its installations, and so is a range of apps. */
async function nextAppsEnd(reader: Reader, { low, rowsMax }: Next): Promise<string> {
  const apps = await listNextAppCounts(reader, { low, limit: rowsMax.others });
  let installations = 0;
  for (const { id, installation_count: count } of apps) {
    if (installations >= rowsMax.installations) return id;
    installations += count;
  }
  return apps.length < rowsMax.others ? lastKey : (apps.at(-1)?.id ?? lastKey);
}
