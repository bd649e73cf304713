import { sql } from 'kysely';
import { requireSchema } from './check-schema.ts';
import { migrations } from './migrations/index.ts';
import { columnTypes } from './migrations/migration.ts';
import { type Connection, insert } from './query.ts';
import { versionOf, versionsOf } from './schema-version.ts';
import type { Storage } from './storage.ts';

/** Arbitrary, but the same in every process. */
const migrationLock = 7_165_301;

/**
 * Migrates the schema to this program's version, in one transaction that only one process at a time can hold.
 * Leaves a newer schema unchanged, and rejects one that this program may not use (decision 37). Rejects a schema that
 * differs from its recorded version before it runs anything: a foreign trigger would see the rows that a migration changes,
 * and a file of another program would become both.
 */
export async function migrate(storage: Storage): Promise<void> {
  if ((await versionOf(storage.reader, storage.engine)) >= migrations.length) return;
  await storage.write(async (transaction) => {
    if (storage.engine === 'postgres') {
      await transaction.rows(sql`select pg_advisory_xact_lock(${migrationLock})`.compile(transaction.builder));
    }
    const { version: from, usable_from: usableFromBefore } = await versionsOf(transaction, storage.engine);
    // Another process may have migrated first.
    if (from >= migrations.length) return;
    if (storage.engine === 'postgres' && from > 0) await lockApps(transaction);
    await requireSchema(storage, transaction);
    await applyMigrations(transaction, storage.engine, { from });
    const usableFrom = Math.max(usableFromBefore, ...migrations.map((migration) => migration.usableFrom));
    await transaction.run(transaction.builder.deleteFrom('schema_version').compile());
    await insertVersion(transaction, { version: migrations.length, usable_from: usableFrom });
  });
}

/** Runs the migrations after version `from`, up to version `to`. */
export async function applyMigrations(
  connection: Connection,
  engine: Storage['engine'],
  { from = 0, to = migrations.length }: { from?: number; to?: number },
): Promise<void> {
  for (const migration of migrations.slice(from, to)) {
    for (const statement of migration.up(connection.builder, columnTypes[engine])) {
      await connection.run(statement.compile());
    }
  }
}

/** Takes the strongest lock at once: upgrading a held lock would deadlock with a write that has locked an app. */
async function lockApps(transaction: Connection): Promise<void> {
  await transaction.run(sql`lock table apps in access exclusive mode`.compile(transaction.builder));
}

const insertVersion = insert('schema_version');
