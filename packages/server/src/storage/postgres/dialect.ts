import {
  DummyDriver,
  ExpressionWrapper,
  type FunctionNode,
  Kysely,
  type OperationNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely';
import type { FeedOrder } from '../event-feed.ts';
import type { QueryBuilder } from '../statement.ts';
import type { Tables } from '../tables.ts';

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
