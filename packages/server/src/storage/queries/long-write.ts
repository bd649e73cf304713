import { sql } from 'kysely';
import type { Connection } from '../query.ts';

/**
 * At the start of a write that stores many rows. PostgreSQL plans the checks of foreign keys and the statements of triggers
 * once for a connection, and anew only after it has counted the rows of a table, which no row of an open transaction is
 * part of: without this, what was planned for a table of one page reads all of it for each of a million rows.
 */
export async function expectManyRows(connection: Connection, engine: 'sqlite' | 'postgres'): Promise<void> {
  if (engine === 'postgres') await connection.run(sql`set local enable_seqscan = off`.compile(connection.builder));
}
