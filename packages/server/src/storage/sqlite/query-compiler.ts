import {
  SqliteQueryCompiler as KyselySqliteQueryCompiler,
  type LimitNode,
  type SelectModifierNode,
  ValueNode,
} from 'kysely';

export class SqliteQueryCompiler extends KyselySqliteQueryCompiler {
  /** Leaves out `for update` and its like: a write holds the lock of the whole database already. */
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (!node.modifier?.startsWith('For')) super.visitSelectModifier(node);
  }

  /** Writes out a limit that is known: SQLite prepares a statement again each time that one is bound. */
  protected override visitLimit(node: LimitNode): void {
    const limit = ValueNode.is(node.limit) ? node.limit.value : undefined;
    if (Number.isInteger(limit)) this.append(`limit ${limit}`);
    else super.visitLimit(node);
  }
}
