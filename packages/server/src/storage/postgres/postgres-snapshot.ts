import type pg from 'pg';
import { requireValues, type SnapshotWork, type Statement, streamRowsMax } from '../query.ts';
import { builder } from './postgres-dialect.ts';
import { asStorageFailure } from './postgres-failure.ts';
import { refuseStandby } from './postgres-server.ts';

/** Prefers an index: a sort would read all rows before returning the first. */
const begin = `begin isolation level repeatable read read only; set local enable_sort = off; select ${refuseStandby}`;

/**
 * Runs the work in one read-only transaction that sees one state. Releases the connection, or closes it if it is
 * broken, however the work or its reader ends.
 */
export async function* postgresSnapshot<Item>(
  pool: pg.Pool,
  work: SnapshotWork<Item>,
): AsyncGenerator<Item, undefined> {
  const client = await orFailure(() => pool.connect());
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  let cursors = 0;
  try {
    await orFailure(() => client.query(begin));
    yield* work({
      builder,
      // Without its name: rows that were passed on could not be repeated if the name were unknown behind a pooler.
      rows: ({ sql, parameters }) =>
        orFailure(() => fetchRows(client, { text: sql, values: requireValues(parameters, sql) })),
      stream: (statement, { rowsMax = streamRowsMax } = {}) => {
        cursors += 1;
        return stream(client, statement, { cursor: `stream_${cursors}`, rowsMax });
      },
    });
  } finally {
    // Closes the cursors too.
    await client.query('rollback').catch(onError);
    client.off('error', onError);
    client.release(broken);
  }
}

/** Uses an SQL cursor: the driver's waits forever for a lost connection to close it. */
async function* stream<Row>(
  client: pg.PoolClient,
  { sql, parameters }: Statement<Row>,
  { cursor, rowsMax }: { cursor: string; rowsMax: number },
): AsyncGenerator<Row[], undefined> {
  const values = requireValues(parameters, sql);
  await orFailure(() => client.query(`declare ${cursor} no scroll cursor for ${sql}`, values));
  for (;;) {
    const rows = await orFailure(() => fetchRows<Row>(client, { text: `fetch ${rowsMax} from ${cursor}` }));
    if (rows.length > 0) yield rows;
    if (rows.length < rowsMax) break;
  }
  await orFailure(() => client.query(`close ${cursor}`));
}

/** By callback: each promise of the driver would retain the following ones, with their rows. */
function fetchRows<Row>(client: pg.PoolClient, query: pg.QueryConfig): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    client.query(query, (error: Error | null, result: pg.QueryResult) =>
      error ? reject(error) : resolve(result.rows),
    );
  });
}

async function orFailure<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw asStorageFailure(error);
  }
}
