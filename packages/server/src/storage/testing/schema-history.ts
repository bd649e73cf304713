import { applyMigrations } from '../migrate.ts';
import type { KnownSchemas, SchemaChange } from '../migrations/known-schemas.ts';
import { readPostgresSchema, schemaAt } from '../postgres/postgres-schema.ts';
import { PostgresStorage } from '../postgres/postgres-storage.ts';
import type { Connection } from '../query.ts';
import { execute } from './storage-test.ts';

/** What each migration changes in the schema of an empty PostgreSQL database. */
export async function schemaHistory(url: string, { migrations }: KnownSchemas): Promise<SchemaChange[]> {
  const storage = await PostgresStorage.open(url);
  try {
    return await storage.write(async (transaction) => {
      const changes: SchemaChange[] = [];
      for (const migration of migrations) {
        await applyMigrations(transaction, 'postgres', [migration]);
        changes.push(await changeTo(transaction, changes));
      }
      return changes;
    });
  } finally {
    await storage.close();
  }
}

async function changeTo(transaction: Connection, before: SchemaChange[]): Promise<SchemaChange> {
  const previous = schemaAt(before, before.length);
  const tables = await execute<{ tablename: string }>(
    transaction,
    'select tablename from pg_tables where schemaname = current_schema()',
  );
  const schema = await readPostgresSchema(
    transaction,
    tables.map(({ tablename }) => tablename),
  );
  const changed = [...schema].filter(([object, definition]) => previous.get(object) !== definition);
  return {
    version: before.length + 1,
    objects: Object.fromEntries(changed.toSorted()),
    dropped: [...previous.keys()].filter((object) => !schema.has(object)).toSorted(),
  };
}
