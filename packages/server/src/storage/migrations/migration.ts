import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { QueryBuilder } from '../statement.ts';

/** What differs between the engines in a table's definition. */
export interface ColumnTypes {
  /** Compared byte by byte: other collations differ from machine to machine. */
  text: RawBuilder<unknown>;
  integer: RawBuilder<unknown>;
  bytes: RawBuilder<unknown>;
  /** Ends a table's definition. */
  tableEnd: RawBuilder<unknown>;
}

export interface Migration {
  /** The oldest schema version whose programs keep working once this migration is done. */
  usableFrom: number;
  up(db: QueryBuilder, types: ColumnTypes): { compile(): CompiledQuery }[];
}

export const columnTypes: Record<'sqlite' | 'postgres', ColumnTypes> = {
  sqlite: { text: sql`text`, integer: sql`integer`, bytes: sql`blob`, tableEnd: sql`strict` },
  postgres: { text: sql`text collate "C"`, integer: sql`bigint`, bytes: sql`bytea`, tableEnd: sql`` },
};
