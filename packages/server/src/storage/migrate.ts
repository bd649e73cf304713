import { sql } from 'kysely';
import { columnTypes } from './column.ts';
import { type Backfill, isBackfill, type Migration, type MigrationStep, statementsOf } from './migrations/migration.ts';
import type { Connection } from './query.ts';
import {
  type DatabaseSchema,
  findProgress,
  recordProgress,
  requireSchema,
  schemaIn,
  schemaVersion,
  startProgress,
  stepsOf,
  storeVersion,
} from './schema.ts';
import type { MigrationProgress, Storage } from './storage.ts';

/** Called with a line for each step of a migration, and for what it waits for. */
export type OnMigrating = (line: string) => void;

/** Rows of a backfill that one transaction updates. */
const batchRows = 2_000;
const reportMs = 5_000;

/**
 * Migrates the schema to this program's version. An empty database gets it in one transaction. One that is in use is
 * migrated in steps, beside programs of the previous release that read and write, and continues after a kill where it was
 * (decision record 0009). Leaves a newer schema unchanged, and rejects one that this program may not use.
 * Rejects a schema that differs from its recorded version before it runs anything: a foreign trigger would see the rows
 * that a migration changes, and a file of another program would become both.
 */
export async function migrate(storage: Storage, onMigrating: OnMigrating = () => {}): Promise<void> {
  if ((await isComplete(storage)) || (await isCreated(storage))) return;
  await storage.migrator.runExclusively(async (requireLock) => {
    let progress = await begin(storage, onMigrating);
    while (progress) {
      const steps = new Steps(storage, onMigrating);
      for (; progress; progress = await steps.run(progress)) await requireLock();
      // The migration to the next version, if there is one.
      progress = await begin(storage, onMigrating);
    }
  }, onMigrating);
}

/** Runs migrations in a database without rows. */
export async function applyMigrations(
  connection: Connection,
  engine: Storage['engine'],
  migrations: Migration[],
): Promise<void> {
  for (const { up } of migrations) await applySteps(connection, up(connection.builder, columnTypes[engine]));
}

/** Runs the statements of steps, without backfills. */
export async function applySteps(connection: Connection, steps: MigrationStep[]): Promise<void> {
  for (const statement of steps.flatMap(statementsOf)) await connection.run(statement.compile());
}

async function isComplete(database: DatabaseSchema): Promise<boolean> {
  const version = await schemaVersion(database);
  const known = database.schemas.migrations.length;
  return version > known || (version === known && (await findProgress(database)) === null);
}

/** Creates the schema if there is none. */
async function isCreated(storage: Storage): Promise<boolean> {
  if ((await schemaVersion(storage)) > 0) return false;
  const { migrations } = storage.schemas;
  return storage.write(async (transaction) => {
    await storage.migrator.lock(transaction);
    const database = schemaIn(transaction, storage);
    // Another process may have created it first.
    if ((await schemaVersion(database)) > 0) return isComplete(database);
    await requireSchema(storage, transaction);
    await applyMigrations(transaction, storage.engine, migrations);
    await storeVersion(transaction, storage.schemas, migrations.length);
    return true;
  });
}

/** The progress of a migration that is not complete, which starts if none has. Null if there is nothing to do. */
function begin(storage: Storage, onMigrating: OnMigrating): Promise<MigrationProgress | null> {
  const { migrator } = storage;
  return migrator.write(async (transaction) => {
    await migrator.lock(transaction);
    const database = schemaIn(transaction, storage);
    if (await isComplete(database)) return null;
    await requireSchema(storage, transaction);
    return (await findProgress(database)) ?? startProgress(transaction, storage, (await schemaVersion(database)) + 1);
  }, onMigrating);
}

/** Runs the steps of a migration. */
class Steps {
  readonly #storage: Storage;
  readonly #onMigrating: OnMigrating;
  #reported = '';
  #reportedAt = 0;
  #rows = 0;

  constructor(storage: Storage, onMigrating: OnMigrating) {
    this.#storage = storage;
    this.#onMigrating = onMigrating;
  }

  /** Runs the next step, or the next batch of a backfill. Returns the progress after it; null if no step is left. */
  async run(progress: MigrationProgress): Promise<MigrationProgress | null> {
    const { migrator } = this.#storage;
    const steps = stepsOf(this.#storage, progress.version);
    const step = steps[progress.steps] ?? [];
    this.#report(progress, { step, of: steps.length });
    const isDone =
      !isBackfill(step) && !Array.isArray(step) && (await migrator.runConcurrently(step, this.#onMigrating));
    return migrator.write(async (transaction) => {
      await migrator.lock(transaction);
      const current = await findProgress(schemaIn(transaction, this.#storage));
      // On SQLite, processes that start together share the steps.
      if (current?.version !== progress.version || current.steps !== progress.steps) return current;
      const position = isDone ? null : await this.#apply(transaction, step, current.position);
      const after = position === null ? { steps: progress.steps + 1, position: '' } : { position };
      return recordProgress(transaction, this.#storage, { ...progress, ...after });
    }, this.#onMigrating);
  }

  /** Returns the last updated key of a backfill; null when the step is complete. */
  async #apply(transaction: Connection, step: MigrationStep, position: string): Promise<string | null> {
    if (isBackfill(step)) return this.#update(transaction, step, position);
    await applySteps(transaction, [step]);
    return null;
  }

  async #update(transaction: Connection, backfill: Backfill, position: string): Promise<string | null> {
    const [table, key] = [sql.table(backfill.table), sql.ref(backfill.key)];
    const keys = sql`select ${key} as key from ${table} where ${key} > ${position} order by ${key} limit ${sql.lit(batchRows)}`;
    const last = sql<{
      key: string | null;
      rows: number;
    }>`select max(key) as key, count(*) as rows from (${keys}) as batch`;
    const [batch] = await transaction.rows(last.compile(transaction.builder));
    if (!batch?.key) return null;
    const update = backfill.update(sql`${key} > ${position} and ${key} <= ${batch.key}`);
    await transaction.run(update.compile());
    this.#rows += batch.rows;
    return batch.key;
  }

  #report({ version, steps }: MigrationProgress, { step, of }: { step: MigrationStep; of: number }): void {
    const line = `schema ${version}, step ${steps + 1} of ${of}: ${describe(step)}`;
    const isNew = line !== this.#reported;
    if (!isNew && performance.now() - this.#reportedAt < reportMs) return;
    if (isNew) this.#rows = 0;
    this.#reported = line;
    this.#reportedAt = performance.now();
    this.#onMigrating(isNew ? line : `${line}, ${this.#rows} rows so far`);
  }
}

/** Such as `create index apps_by_name`. */
function describe(step: MigrationStep): string {
  if (isBackfill(step)) return `fill ${step.table}`;
  const descriptions = statementsOf(step).map((statement) =>
    statement.compile().sql.replaceAll('"', '').trim().split(/\s+/).slice(0, 3).join(' '),
  );
  return [...new Set(descriptions)].join(', ');
}
