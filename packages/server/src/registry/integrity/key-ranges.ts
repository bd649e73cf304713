import {
  type CheckedTable,
  type KeyRange,
  lastKey,
  listNextAppCounts,
  listNextKeys,
} from '../../storage/queries/integrity/invariants.ts';
import type { Reader } from '../../storage/statement.ts';

/** Rows of a range: half a second of work at most, unless one app has more installations. */
const rowsMax = { apps: 1_000, installations: 5_000, others: 1_000 };

/** Ranges that follow each other and hold every key of a table, each with a bounded number of rows. */
export async function* keyRanges(reader: Reader, table: CheckedTable): AsyncGenerator<KeyRange, undefined> {
  let low = '';
  while (low !== lastKey) {
    const high = table === 'apps' ? await nextAppsEnd(reader, low) : await nextEnd(reader, table, low);
    yield { low, high };
    low = high;
  }
}

async function nextEnd(reader: Reader, table: CheckedTable, low: string): Promise<string> {
  const limit = table === 'installations' ? rowsMax.installations : rowsMax.others;
  const keys = await listNextKeys(reader, { table, low, limit });
  return keys.length < limit ? lastKey : (keys.at(-1) ?? lastKey);
}

/** An app is checked with its installations, and so is a range of apps. */
async function nextAppsEnd(reader: Reader, low: string): Promise<string> {
  const apps = await listNextAppCounts(reader, { low, limit: rowsMax.apps });
  let installations = 0;
  for (const { id, installation_count: count } of apps) {
    if (installations >= rowsMax.installations) return id;
    installations += count;
  }
  return apps.length < rowsMax.apps ? lastKey : (apps.at(-1)?.id ?? lastKey);
}
