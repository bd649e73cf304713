import { SqliteQueryCompiler as KyselySqliteQueryCompiler, type SelectModifierNode } from 'kysely';

/** Leaves out `for update` and its like: a write holds the lock of the whole database already. */
export class SqliteQueryCompiler extends KyselySqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (!node.modifier?.startsWith('For')) super.visitSelectModifier(node);
  }
}
