import { baseline, baselineId } from './baseline.ts';
import type { Migration } from './migration.ts';
import postgresSchemas from './postgres-schemas.json' with { type: 'json' };

/** The objects that one migration has created, changed and dropped. */
export interface SchemaChange {
  version: number;
  objects: Record<string, string>;
  dropped: string[];
}

/** The schema versions that a program knows. */
export interface KnownSchemas {
  /** Identifies the first migration. */
  baseline: string;
  /** In order; the schema version is their number. A released migration is never changed. */
  migrations: Migration[];
  /** What each migration changes on PostgreSQL, where a server may let us create nothing to compare with. */
  postgres: SchemaChange[];
}

/** `npm run schema` writes the description for PostgreSQL. */
export const knownSchemas: KnownSchemas = { baseline: baselineId, migrations: [baseline], postgres: postgresSchemas };
