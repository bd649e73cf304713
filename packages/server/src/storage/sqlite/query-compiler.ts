import {
  SqliteQueryCompiler as KyselySqliteQueryCompiler,
  type LimitNode,
  type SelectModifierNode,
  ValueNode,
} from 'kysely';

export class SqliteQueryCompiler extends KyselySqliteQueryCompiler {
  /** Omits `for update` and the like: a write already holds the lock of the complete database. */
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (!node.modifier?.startsWith('For')) super.visitSelectModifier(node);
  }

  /** Inlines a constant limit: SQLite would prepare the statement again each time a limit is bound. */
  protected override visitLimit(node: LimitNode): void {
    const limit = ValueNode.is(node.limit) ? node.limit.value : undefined;
    if (Number.isInteger(limit)) this.append(`limit ${limit}`);
    else super.visitLimit(node);
  }
}
