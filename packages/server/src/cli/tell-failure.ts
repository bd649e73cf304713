import { readConfig } from '../config/config.ts';
import { ConfigError } from '../config/variable-reader.ts';
import { type Fault, problemTitles } from '../contract/problem.ts';
import { InconsistentRegistry } from '../registry/check-registry.ts';
import { Failure } from '../registry/failure.ts';
import { CannotListen } from '../serve.ts';
import { BackupRefused, StorageUnavailable, UnknownOutcome, UnusableDatabase } from '../storage/failure.ts';

interface Told {
  code: string;
  title: string;
  detail: string;
  errors?: (Omit<Fault, 'code'> & { code: string })[] | undefined;
}

/** What standard error says of a refusal: why, and what to do; as problem details with `--json`. */
export function tellFailure(error: unknown, { json }: { json: boolean }): string {
  const told = asTold(error);
  return json ? `${JSON.stringify(problem(told))}\n` : message(told);
}

function asTold(error: unknown): Told {
  if (error instanceof Failure) {
    return { code: error.code, title: problemTitles[error.code], detail: error.message, errors: error.faults };
  }
  if (error instanceof ConfigError) {
    return { code: 'configuration_invalid', title: 'Invalid Configuration', detail: error.message };
  }
  if (error instanceof UnusableDatabase) {
    return { code: 'database_unusable', title: 'Unusable Database', detail: error.message };
  }
  if (error instanceof StorageUnavailable) {
    return {
      code: 'unavailable',
      title: problemTitles.unavailable,
      detail: `The database cannot be used now (${error.message}). Nothing was changed; repeat the command in a moment.`,
    };
  }
  if (error instanceof InconsistentRegistry) {
    return {
      code: 'registry_inconsistent',
      title: 'Inconsistent Registry',
      detail: error.message,
      errors: error.findings,
    };
  }
  if (error instanceof BackupRefused) {
    return { code: 'backup_refused', title: 'Backup Refused', detail: error.message };
  }
  if (error instanceof UnknownOutcome) {
    return {
      code: 'outcome_unknown',
      title: 'Unknown Outcome',
      detail:
        'The connection to the database was lost while the change was stored: it may be stored or not. Look at what is there before you repeat the command.',
    };
  }
  if (error instanceof CannotListen) {
    return { code: 'address_unusable', title: 'Unusable Address', detail: error.message };
  }
  if (error instanceof CannotRead) {
    return { code: 'file_unreadable', title: 'Unreadable File', detail: error.message };
  }
  if (error instanceof CannotWrite) {
    return { code: 'file_unwritable', title: 'Unwritable File', detail: error.message };
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: 'internal_error', title: problemTitles.internal_error, detail };
}

/** A file that was named on the command line cannot be read. */
export class CannotRead extends Error {
  override readonly name = 'CannotRead';
}

/** A file that was named on the command line cannot be made. */
export class CannotWrite extends Error {
  override readonly name = 'CannotWrite';
}

function problem({ code, ...told }: Told): object {
  return { type: `${baseUrl()}/docs#${code}`, ...told, code };
}

function baseUrl(): string {
  try {
    return readConfig().baseUrl;
  } catch {
    return readConfig({}).baseUrl;
  }
}

function message({ detail, errors = [] }: Told): string {
  const faults = errors.map((fault) => `  ${place(fault)}${fault.detail}\n`);
  return `app-registry: ${detail}\n${faults.join('')}`;
}

function place({ pointer, line }: { pointer: string; line?: number }): string {
  const parts = [line === undefined ? '' : `line ${line}`, pointer].filter((part) => part !== '');
  return parts.length === 0 ? '' : `${parts.join(' ')}: `;
}
