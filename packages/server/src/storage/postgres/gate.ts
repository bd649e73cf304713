import { sql } from 'kysely';
import { BatchLoader, type Gate, type GateQueries, type GateResults } from '../gate.ts';
import { type GateToken, gateTokenColumns } from '../queries/access-tokens.ts';
import { type Connection, list } from '../query.ts';

/** While one question is under way the next one is gathered; more at once would only make them smaller. */
const atOnceMax = 2;

export function postgresGate(reader: Connection): Gate {
  return new BatchLoader(async (questions) => answersOf(await listGateRows(reader, questions)), atOnceMax);
}

type GateRow = { asked: string } & (
  | (GateToken & { platform_revision: null })
  | ({ [Column in keyof GateToken]: null } & { platform_revision: number })
);

/** Both kinds of question in one statement, hence in one round trip. */
const listGateRows = list((db, { hashes, appIds }: GateQueries) => {
  const token = sql.join(gateTokenColumns.map((name) => sql.ref(name)));
  const noToken = sql.join(gateTokenColumns.map(() => sql`null`));
  const rows = sql<GateRow>`
    select hash as asked, ${token}, null as platform_revision from access_tokens where hash = any(${hashes})
    union all
    select id, ${noToken}, platform_revision from apps where id = any(${appIds})`;
  return { compile: () => rows.compile(db) };
});

function answersOf(rows: GateRow[]): GateResults {
  const tokens = new Map<string, GateToken>();
  const revisions = new Map<string, number>();
  for (const row of rows) {
    if (row.platform_revision === null) tokens.set(row.asked, row);
    else revisions.set(row.asked, row.platform_revision);
  }
  return { tokens, revisions };
}
