import pg from 'pg';
import { NotUnique, StorageUnavailable, UnknownOutcome } from '../failure.ts';

/** No host could be connected to. The message says why, for each. */
export class CannotConnect extends Error {
  override readonly name = 'CannotConnect';
}

/** Maps an error of PostgreSQL or its driver to a storage error. */
export function asStorageFailure(error: unknown): unknown {
  if (error instanceof UnknownOutcome) return error;
  if (error instanceof pg.DatabaseError) {
    if (isUnavailable(error) || isLostRace(error)) {
      return new StorageUnavailable(error.message, { cause: error });
    }
    return error.code === '23505' ? new NotUnique(error.constraint ?? '', error) : error;
  }
  return isDriverError(error) ? new StorageUnavailable(reasonOf(error), { cause: error }) : error;
}

/** serialization_failure, deadlock_detected */
export function isLostRace(error: unknown): boolean {
  return sqlState(error) === '40001' || sqlState(error) === '40P01';
}

/** Classes 08 and 57P: the server closed the connection. */
export function isConnectionLoss(error: unknown): boolean {
  return /^(?:08|57P)/.test(sqlState(error) ?? '');
}

/** invalid_catalog_name: the server has no such database. */
export function isMissingDatabase(error: unknown): boolean {
  return sqlState(error instanceof StorageUnavailable ? error.cause : error) === '3D000';
}

/** 53: insufficient resources; 28 and 3D: access denied, or no such database; 25006: read-only. */
function isUnavailable(error: unknown): boolean {
  return isConnectionLoss(error) || /^(?:53|28|3D|25006)/.test(sqlState(error) ?? '');
}

/** The driver throws plain errors for lost connections: system errors such as EAI_AGAIN, or one of these messages. */
function isDriverError(error: unknown): boolean {
  if (error instanceof CannotConnect) return true;
  if (!(error instanceof Error)) return false;
  if (/^E(?!RR_)[A-Z_]+$/.test(String('code' in error && error.code))) return true;
  return /connection terminated|timeout exceeded when trying to connect|query read timeout|not queryable|after calling end on the pool/i.test(
    error.message,
  );
}

export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
