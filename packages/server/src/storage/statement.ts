import type { CompiledQuery, Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Builds and types the queries of one engine. It only compiles; a connection executes. */
export type QueryBuilder = Kysely<Tables>;

/** A compiled query with its values. A named one runs repeatedly and is worth preparing. */
export type Statement<Row = unknown> = CompiledQuery<Row> & { readonly name?: string };

/** Executes queries. */
export interface Reader {
  readonly builder: QueryBuilder;
  rows<Row>(statement: Statement<Row>): Promise<Row[]>;
}
