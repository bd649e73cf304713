import { sql } from 'kysely';
import type { Reader } from './query.ts';
import type { Storage } from './storage.ts';
import { type SequencedTable, sequencedTables } from './tables.ts';

/** A table with a row whose position its sequence has not reached: the next rows would be refused. */
export interface LateSequence {
  table: SequencedTable;
  /** The greatest position in the table. */
  last: number;
}

/**
 * Logical replication and a restore of the data alone copy rows, but not the state of the sequences that number them.
 * SQLite numbers a row after the greatest one.
 */
export async function lateSequences(reader: Reader, engine: Storage['engine']): Promise<LateSequence[]> {
  const late: LateSequence[] = [];
  if (engine === 'sqlite') return late;
  for (const table of sequencedTables) {
    const query = sql<{ last: number | null; reached: number | null }>`select max(position) as last,
      pg_sequence_last_value(${sequenceOf(table)}) as reached from ${sql.table(table)}`;
    const [row] = await reader.rows(query.compile(reader.builder));
    if (row?.last != null && row.last > (row.reached ?? 0)) late.push({ table, last: row.last });
  }
  return late;
}

/** Advances the sequences that are behind their tables, and returns them as they were. */
export async function advanceSequences({ engine, reader, write }: Storage): Promise<LateSequence[]> {
  if ((await lateSequences(reader, engine)).length === 0) return [];
  return write(async (transaction) => {
    // Nothing may be numbered between the comparison and its consequence.
    for (const table of sequencedTables) {
      await transaction.run(
        sql`lock table ${sql.table(table)} in share row exclusive mode`.compile(transaction.builder),
      );
    }
    const late = await lateSequences(transaction, engine);
    for (const { table, last } of late) {
      await transaction.rows(sql`select setval(${sequenceOf(table)}, ${last})`.compile(transaction.builder));
    }
    return late;
  });
}

function sequenceOf(table: SequencedTable) {
  return sql`pg_get_serial_sequence(${table}, 'position')::regclass`;
}
