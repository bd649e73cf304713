import { type CompiledQuery, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ColumnTypes } from '../column.ts';
import type { QueryBuilder } from '../query.ts';
import type { Tables } from '../tables.ts';

export interface MigrationStatement {
  compile(): CompiledQuery;
}

/** Updates the rows of a table, from one key to the next in batches, each in a transaction of its own. */
export interface Backfill {
  table: keyof Tables;
  key: 'id' | 'user_id';
  /** The update of some of the rows. Its effect is the same when it runs again. */
  update(rows: RawBuilder<SqlBool>): MigrationStatement;
}

/**
 * What one transaction does. Programs of the previous release use the database between two steps, and a killed migration
 * continues with the next one. Statements that must take effect together are one step. A database without rows needs no backfill.
 */
export type MigrationStep = MigrationStatement | MigrationStatement[] | Backfill;

export interface Migration {
  /** The oldest schema version whose programs keep working after this migration. */
  usableFrom: number;
  up(db: QueryBuilder, types: ColumnTypes): MigrationStep[];
}

/** A statement as it stands. */
export function statement(db: QueryBuilder, text: string): MigrationStatement {
  return { compile: () => sql.raw(text).compile(db) };
}

/** The statements of a step, without the rows that a backfill updates. */
export function statementsOf(step: MigrationStep): MigrationStatement[] {
  if (Array.isArray(step)) return step;
  return isBackfill(step) ? [] : [step];
}

export function isBackfill(step: MigrationStep): step is Backfill {
  return 'key' in step;
}
