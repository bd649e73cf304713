import pg from 'pg';
import {
  NotUnique,
  PrimaryRequired,
  reasonOf,
  StorageUnavailable,
  UnknownOutcome,
  ValueRequired,
} from '../storage-failure.ts';

/** No connection could be opened. The message says why. */
export class CannotConnect extends Error {
  override readonly name = 'CannotConnect';
}

/** Why a standby is not used. */
const standbyReason =
  'the database server is a standby, which may lack the latest changes: promote it, or use the primary';

/** Maps an error of PostgreSQL or its driver to a storage error. */
export function asStorageFailure(error: unknown): unknown {
  if (error instanceof UnknownOutcome) return error;
  if (error instanceof pg.DatabaseError) {
    if (isStandby(error)) return new PrimaryRequired(standbyReason);
    if (isUnavailable(error) || isLostRace(error)) {
      return new StorageUnavailable(error.message, { cause: error });
    }
    // not_null_violation, unique_violation
    if (error.code === '23502') return new ValueRequired(`${error.table}.${error.column}`, error);
    return error.code === '23505' ? new NotUnique(error.constraint ?? '', error) : error;
  }
  return isDriverError(error) ? new StorageUnavailable(reasonOf(error), { cause: error }) : error;
}

/** serialization_failure, deadlock_detected */
export function isLostRace(error: unknown): boolean {
  return sqlState(error) === '40001' || sqlState(error) === '40P01';
}

/** in_failed_sql_transaction: an earlier statement of the transaction has failed. */
export function isRefusedAfterFailure(error: unknown): boolean {
  return sqlState(error) === '25P02';
}

/** Classes 08 and 57P: the server closed the connection. */
export function isConnectionLoss(error: unknown): boolean {
  return /^(?:08|57P)/.test(sqlState(error) ?? '');
}

/**
 * Whether the error is that of a standby for `refuseStandby`. Messages depend on the language of the server, routines
 * do not.
 */
function isStandby(error: pg.DatabaseError): boolean {
  return error.code === '55000' && error.routine === 'pg_current_wal_lsn';
}

/**
 * The server has no statement of this name, or has one already; or, which only another program can cause, has one with
 * other parameters. invalid_sql_statement_name, duplicate_prepared_statement, protocol_violation.
 */
export function isLostStatement(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return (
    /^(?:26000|42P05)$/.test(error.code ?? '') || (error.code === '08P01' && error.routine === 'exec_bind_message')
  );
}

/** A migration has changed the type of a column since the statement was prepared. feature_not_supported. */
export function isStaleStatement(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery';
}

/** invalid_catalog_name: the server has no such database. */
export function isMissingDatabase(error: unknown): boolean {
  return causeState(error) === '3D000';
}

/** lock_not_available: `lock_timeout` has passed. */
export function isLockTimeout(error: unknown): boolean {
  return causeState(error) === '55P03';
}

/**
 * 53: insufficient resources; 28 and 3D: access denied, or no such database; 25006: read-only; 57014, 55P03, 25P03 and
 * 25P04: a time limit of the server or the role, or an administrator, has ended it.
 */
function isUnavailable(error: unknown): boolean {
  return isConnectionLoss(error) || /^(?:53|28|3D|25006|57014|55P03|25P0[34])/.test(sqlState(error) ?? '');
}

/** The driver throws plain errors for lost connections: system errors such as EAI_AGAIN, or one of these messages. */
function isDriverError(error: unknown): boolean {
  if (error instanceof CannotConnect) return true;
  if (!(error instanceof Error)) return false;
  if (/^E(?!RR_)[A-Z_]+$/.test(String('code' in error && error.code))) return true;
  return /connection terminated|query read timeout|not queryable/i.test(error.message);
}

function causeState(error: unknown): string | undefined {
  return sqlState(error instanceof StorageUnavailable ? error.cause : error);
}

export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}
