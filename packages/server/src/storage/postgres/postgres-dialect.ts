import {
  DummyDriver,
  ExpressionWrapper,
  type FunctionNode,
  Kysely,
  type OperationNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';
import { type Connection, defineList, type QueryBuilder } from '../query.ts';
import {
  BatchLoader,
  developerNonce,
  type LookupKeys,
  type LookupResults,
  type PlatformRevision,
  platformRevisionText,
  type RequestLookups,
  type RequestToken,
  requestTokenColumns,
} from '../request-lookups.ts';
import type { FeedOrder } from '../storage.ts';
import type { Tables } from '../tables.ts';
import { refuseStandby } from './postgres-server.ts';

/** The start of the year 1. */
const yearOne = sql.lit(Date.parse('0001-01-01T00:00:00.000Z'));

/**
 * Transactions commit in any order. The position of an event is at least the id of its transaction, so that it is
 * beyond the horizon while that one, or any before it, is unfinished. `events.position` has it by its default.
 */
export const postgresFeedOrder: FeedOrder = {
  position: sql<number>`position`,
  columns: ['position', 'id'],
  isAfter: ({ position, id }) => sql<boolean>`(position, id) > (${position}, ${id})`,
  horizon: sql<number>`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`,
  isForeign: sql<boolean>`position >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint`,
};

class QueryCompiler extends PostgresQueryCompiler {
  /** Compiles `date_time(ms)`. */
  protected override visitFunction(node: FunctionNode): void {
    const [argument] = node.arguments;
    if (node.func === 'date_time' && argument) this.visitNode(dateTime(argument));
    else super.visitFunction(node);
  }
}

/**
 * The half millisecond, which `to_char` cuts off, is more than the product for a distant year is rounded by. `to_char`
 * writes the year 0, which is 1 BC, as 0001.
 */
function dateTime(argument: OperationNode): OperationNode {
  const ms = new ExpressionWrapper<object, never, number>(argument);
  const time = sql`timestamp '1970-01-01 00:00:00.0005' + ${ms} * interval '1 millisecond'`;
  const year = sql`case when ${ms} < ${yearOne} then '0000' else 'YYYY' end`;
  return sql`to_char(${time}, ${year} || '-MM-DD"T"HH24:MI:SS.MS"Z"')`.toOperationNode();
}

export const builder: QueryBuilder = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new QueryCompiler(),
  },
});

/** While one query runs, the next batch is collected; more concurrent queries would only make batches smaller. */
const atOnceMax = 2;

export function postgresLookups(reader: Connection): RequestLookups {
  return new BatchLoader(async (queries) => resultsOf(await listLookupRows(reader, queries)), atOnceMax);
}

type LookupRow = { lookup: string } & (
  | (RequestToken & { platform_revision: null })
  | ({ [Column in keyof RequestToken]: null } & PlatformRevision)
);

/** Both lookups in one statement, hence in one round trip, and the third of its parts returns nothing. */
const listLookupRows = defineList((db, { hashes, appIds }: LookupKeys) => {
  const token = sql.join(requestTokenColumns.map((name) => sql.ref(name)));
  const noToken = sql.join(requestTokenColumns.map(() => sql`null`));
  const rows = sql<LookupRow>`
    select hash as lookup, ${token}, null as platform_revision, null as platform_revision_nonce, null as developer_nonce, null as changes_to_approved from access_tokens where hash = ${anyOf(hashes)}
    union all
    select id, ${noToken}, platform_revision, platform_revision_nonce, ${developerNonce}, (select changes_to_approved from settings) from apps where id = ${anyOf(appIds)}
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

function resultsOf(rows: LookupRow[]): LookupResults {
  const tokens = new Map<string, RequestToken>();
  const revisions = new Map<string, string>();
  for (const row of rows) {
    if (row.platform_revision === null) tokens.set(row.lookup, row);
    else revisions.set(row.lookup, platformRevisionText(row));
  }
  return { tokens, revisions };
}
