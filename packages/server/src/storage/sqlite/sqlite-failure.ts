import { NotUnique, StorageUnavailable, UnknownOutcome, ValueRequired } from '../storage-failure.ts';

/** Names of https://sqlite.org/rescode.html: BUSY, LOCKED, NOMEM, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB. */
const unavailableCodes = new Set([5, 6, 7, 8, 10, 11, 13, 14, 26]);
/** IOERR_WRITE */
const writeFailedCode = 778;
/** CONSTRAINT_PRIMARYKEY */
const primaryKeyCode = 1555;

/** Maps an error of SQLite to a storage error. */
export function asStorageFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = primaryCode(error);
  if (isClosed(error) || (code !== undefined && unavailableCodes.has(code))) {
    return new StorageUnavailable(error.message, { cause: error });
  }
  const [, column] = /^NOT NULL constraint failed: (.+)$/.exec(error.message) ?? [];
  if (column !== undefined) return new ValueRequired(column, error);
  const unique = /^UNIQUE constraint failed: (\w+)\.(.+)$/.exec(error.message);
  return unique ? new NotUnique(constraintName(error, unique), error) : error;
}

/**
 * A failed commit. SQLite writes it to the log before the sync: a process that opens the file before another
 * write overwrites it finds it complete and takes it as committed.
 */
export function asCommitFailure(error: unknown): unknown {
  const mayBeDone = primaryCode(error) === 10 && extendedCode(error) !== writeFailedCode;
  return mayBeDone ? new UnknownOutcome('the log could not be synced', { cause: error }) : error;
}

/** The message names the columns, as in `apps.name_claim` or `installations.app_id, installations.workspace_id`. */
function constraintName(error: Error, [, table, columns = '']: RegExpExecArray): string {
  if (extendedCode(error) === primaryKeyCode) return `${table}_pkey`;
  return `${table}_${columns.replaceAll(`, ${table}.`, '_')}`;
}

function isClosed(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_INVALID_STATE';
}

export function isBusy(error: unknown): boolean {
  return primaryCode(error) === 5;
}

function primaryCode(error: unknown): number | undefined {
  const code = extendedCode(error);
  return code === undefined ? undefined : code & 0xff;
}

function extendedCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined;
}
