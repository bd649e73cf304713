import { type CompiledQuery, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { QueryBuilder } from '../statement.ts';
import type { Tables } from '../tables.ts';

/** What differs between the engines in a table's definition. */
export interface ColumnTypes {
  /** Compared by byte: other collations differ between machines. */
  text: RawBuilder<unknown>;
  integer: RawBuilder<unknown>;
  bytes: RawBuilder<unknown>;
  /** An ascending key: each new value exceeds all existing ones. */
  sequence: RawBuilder<unknown>;
  /**
   * How a generated column is stored when it is added to an existing table. Where the table holds rows, PostgreSQL would
   * rewrite it under a lock that stops reads: there a trigger maintains an ordinary column.
   */
  generated: 'virtual' | 'stored' | 'by trigger';
  /** The end of a table definition. */
  tableEnd: RawBuilder<unknown>;
}

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
 * What one transaction does. Older programs use the database between two steps, and a killed migration continues with the
 * next one. Statements that must take effect together are one step. A database without rows needs no backfill.
 */
export type MigrationStep = MigrationStatement | MigrationStatement[] | Backfill;

export interface Migration {
  /** The oldest schema version whose programs keep working after this migration. */
  usableFrom: number;
  up(db: QueryBuilder, types: ColumnTypes): MigrationStep[];
}

/** For a database without rows. */
export const columnTypes: Record<'sqlite' | 'postgres', ColumnTypes> = {
  sqlite: {
    text: sql`text`,
    integer: sql`integer`,
    bytes: sql`blob`,
    sequence: sql`integer primary key autoincrement`,
    generated: 'virtual',
    tableEnd: sql`strict`,
  },
  postgres: {
    text: sql`text collate "C"`,
    integer: sql`bigint`,
    bytes: sql`bytea`,
    sequence: sql`bigint generated always as identity primary key`,
    generated: 'stored',
    tableEnd: sql``,
  },
};

/** For a database that holds rows and is in use. */
export const columnTypesInUse: typeof columnTypes = {
  ...columnTypes,
  postgres: { ...columnTypes.postgres, generated: 'by trigger' },
};

/** The statements of a step, without the rows that a backfill updates. */
export function statementsOf(step: MigrationStep): MigrationStatement[] {
  if (Array.isArray(step)) return step;
  return isBackfill(step) ? [] : [step];
}

export function isBackfill(step: MigrationStep): step is Backfill {
  return 'key' in step;
}
