import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { QueryBuilder } from '../statement.ts';

/** What differs between the engines in a table's definition. */
export interface ColumnTypes {
  /** Compared byte by byte: other collations differ from machine to machine. */
  text: RawBuilder<unknown>;
  integer: RawBuilder<unknown>;
  bytes: RawBuilder<unknown>;
  /** A key that counts up: what is stored later is greater than all that is there. */
  sequence: RawBuilder<unknown>;
  /** How a column that the database works out is kept, when it is added to a table that is there. */
  generated: 'virtual' | 'stored';
  /** Ends a table's definition. */
  tableEnd: RawBuilder<unknown>;
}

export interface Migration {
  /** The oldest schema version whose programs keep working once this migration is done. */
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
