import {
  ExpressionWrapper,
  type FunctionNode,
  PostgresQueryCompiler as KyselyPostgresQueryCompiler,
  type OperationNode,
  sql,
} from 'kysely';

/** The start of the year 1. */
const yearOne = sql.lit(Date.parse('0001-01-01T00:00:00.000Z'));

export class PostgresQueryCompiler extends KyselyPostgresQueryCompiler {
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
