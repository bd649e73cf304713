import { sql } from 'kysely';
import type { Reader } from '../statement.ts';

/**
 * At the start of a transaction that finds all rows by an index, in tables that it fills or reads in parts. PostgreSQL plans by
 * the number of rows that it counted last, and no row of an open transaction is counted; it plans the checks of foreign
 * keys and the statements of triggers once for a connection. What was planned for a table of one page would read all of
 * it again for each of a million rows. The few rows of a part may be sorted, which a snapshot otherwise avoids. No compiled
 * plans: the cost of a scan that is to be avoided would enable them.
 */
export async function planByIndex(reader: Reader, engine: 'sqlite' | 'postgres'): Promise<void> {
  if (engine !== 'postgres') return;
  await reader.rows(
    sql`select set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'on', true),
      set_config('jit', 'off', true)`.compile(reader.builder),
  );
}
