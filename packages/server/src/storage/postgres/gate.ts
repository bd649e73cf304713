import { type RawBuilder, sql } from 'kysely';
import { BatchLoader, type Gate, type GateQueries, type GateResults } from '../gate.ts';
import { type Connection, list } from '../query.ts';
import {
  developerStamp,
  type GateToken,
  gateTokenColumns,
  type PlatformRevision,
  platformRevisionText,
} from '../request-lookup-columns.ts';
import { refuseStandby } from './server.ts';

/** While one query runs, the next batch is collected; more concurrent queries would only make batches smaller. */
const atOnceMax = 2;

export function postgresGate(reader: Connection): Gate {
  return new BatchLoader(async (queries) => resultsOf(await listGateRows(reader, queries)), atOnceMax);
}

type GateRow = { lookup: string } & (
  | (GateToken & { platform_revision: null })
  | ({ [Column in keyof GateToken]: null } & PlatformRevision)
);

/** Both lookups in one statement, hence in one round trip, and the third of its parts returns nothing. */
const listGateRows = list((db, { hashes, appIds }: GateQueries) => {
  const token = sql.join(gateTokenColumns.map((name) => sql.ref(name)));
  const noToken = sql.join(gateTokenColumns.map(() => sql`null`));
  const rows = sql<GateRow>`
    select hash as lookup, ${token}, null as platform_revision, null as platform_revision_stamp, null as developer_stamp, null as changes_to_approved from access_tokens where hash = ${anyOf(hashes)}
    union all
    select id, ${noToken}, platform_revision, platform_revision_stamp, ${developerStamp}, (select changes_to_approved from settings) from apps where id = ${anyOf(appIds)}
    union all
    select null, ${noToken}, null, null, null, null where ${sql.raw(refuseStandby)} = '0/0'`;
  return { compile: () => rows.compile(db) };
});

/**
 * In a subquery, so that PostgreSQL does not count the keys. Otherwise it would find a plan for fewer than ten cheaper than the
 * one that serves any number, and make one for each batch: that takes five times as long as the lookup.
 */
function anyOf(keys: string[]): RawBuilder<boolean> {
  return sql`any((select ${keys}::text[])::text[])`;
}

function resultsOf(rows: GateRow[]): GateResults {
  const tokens = new Map<string, GateToken>();
  const revisions = new Map<string, string>();
  for (const row of rows) {
    if (row.platform_revision === null) tokens.set(row.lookup, row);
    else revisions.set(row.lookup, platformRevisionText(row));
  }
  return { tokens, revisions };
}
