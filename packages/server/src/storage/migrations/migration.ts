import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { QueryBuilder } from '../statement.ts';

/** What differs between the engines in a table's definition. */
export interface ColumnTypes {
  /** Compared by byte: other collations differ between machines. */
  text: RawBuilder<unknown>;
  integer: RawBuilder<unknown>;
  bytes: RawBuilder<unknown>;
  /** An ascending key: each new value exceeds all existing ones. */
  sequence: RawBuilder<unknown>;
  /** How a generated column is stored when it is added to an existing table. */
  generated: 'virtual' | 'stored';
  /** The end of a table definition. */
  tableEnd: RawBuilder<unknown>;
}

export interface Migration {
  /** The oldest schema version whose programs keep working after this migration. */
  usableFrom: number;
  up(db: QueryBuilder, types: ColumnTypes): { compile(): CompiledQuery }[];
}

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
