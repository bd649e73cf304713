import type { CompiledQuery, Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Builds and types the queries for one engine. It compiles only; a connection executes. */
export type QueryBuilder = Kysely<Tables>;

/** A query with its values. One that has a name is asked again and again, and worth preparing. */
export type Statement<Row = unknown> = CompiledQuery<Row> & { readonly name?: string };
