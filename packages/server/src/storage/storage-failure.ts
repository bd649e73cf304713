/** What an error says. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

/** The database cannot do the work now, and nothing was stored. */
export class StorageUnavailable extends Error {
  override readonly name: string = 'StorageUnavailable';
}

/** The database server accepts no writes, or may not serve reads either. The message may be shown to any client. */
export class PrimaryRequired extends StorageUnavailable {
  override readonly name = 'PrimaryRequired';
}

/** The connection or the disk failed during a commit: the work may or may not be stored. */
export class UnknownOutcome extends Error {
  override readonly name = 'UnknownOutcome';
}

/** This program cannot use the database. The message says why. */
export class UnusableDatabase extends Error {
  override readonly name: string = 'UnusableDatabase';
}

/** For a database with an object that is not ours, such as `the table notes`. */
export function notARegistry(object: string): UnusableDatabase {
  return new UnusableDatabase(
    `Another program, or an unreleased build of app-registry, made this database: it contains ${object}. Nothing was changed. Use an empty database.`,
  );
}

/** There is no registry where one was expected. The message says what to do. */
export class DatabaseNotFound extends UnusableDatabase {
  override readonly name = 'DatabaseNotFound';

  /** For a place as `describeDatabase` returns it. */
  static in(place: string): DatabaseNotFound {
    return new DatabaseNotFound(
      `There is no registry in ${place}. Nothing was created. Check --database-url or DATABASE_URL; "app-registry migrate" creates a registry.`,
    );
  }
}

/** A row with the same value exists. The constraint is named `{table}_{columns}` or `{table}_pkey`. */
export class NotUnique extends Error {
  override readonly name = 'NotUnique';
  readonly constraint: string;

  constructor(constraint: string, cause: unknown) {
    super(`not unique: ${constraint}`, { cause });
    this.constraint = constraint;
  }
}

/** A row lacks a value that its column requires. The column is named `{table}.{column}`. */
export class ValueRequired extends Error {
  override readonly name = 'ValueRequired';
  readonly column: string;

  constructor(column: string, cause: unknown) {
    super(`no value: ${column}`, { cause });
    this.column = column;
  }
}

/** A backup could not be made or restored; nothing was changed. The message says why. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
