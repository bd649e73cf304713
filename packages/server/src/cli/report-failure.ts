import type { Command } from 'commander';
import { readConfig } from '../config/config.ts';
import { ConfigError } from '../config/variable-reader.ts';
import { ArchiveRefused } from '../features/events/archive/archive-file.ts';
import type { ImportErrorGroup } from '../features/import-export/import-record-schema.ts';
import { InconsistentRegistry } from '../features/integrity/check-registry.ts';
import { Failure } from '../kernel/failure.ts';
import {
  interfaceProblemTitles,
  type ProblemCode,
  problemTitles,
  type ValidationError,
} from '../kernel/problem-details.ts';
import { escapeToOneLine } from '../kernel/text.ts';
import { ListenError } from '../listen.ts';
import {
  BackupError,
  DatabaseNotFound,
  StorageUnavailable,
  UnknownOutcome,
  UnusableDatabase,
} from '../storage/storage-failure.ts';
import { NotConfirmed } from './app/confirm-revision.ts';
import { type CommandProblemCode, commandProblemTitles } from './command-problem.ts';
import { CannotRead, CannotWrite } from './file-failure.ts';
import { otherRecords } from './import/error-group-text.ts';
import { RecordsRefused } from './import/records-refused.ts';
import { isRead } from './output/is-read.ts';
import { optionFor } from './output/option-for.ts';
import { RemoteRefusal, ServerUnreachable, SignInRefused, UnknownRemoteOutcome } from './remote/remote-failure.ts';
import { NoToken } from './remote/token-store.ts';
import { NotReady } from './serve/healthcheck.ts';

/** The errors of an import are grouped. */
type Repeated = Pick<ImportErrorGroup, 'count' | 'examples'>;

interface Report {
  code: ProblemCode | CommandProblemCode;
  /** That of a server; otherwise it follows from the code. */
  type?: string;
  title?: string;
  detail: string;
  errors?: (Omit<ValidationError, 'code'> & { code: string } & Partial<Repeated>)[] | undefined;
}

/** Errors whose message already says what to do. */
const selfExplanatory: [kind: new (message: string) => Error, code: ProblemCode | CommandProblemCode][] = [
  [ConfigError, 'configuration_invalid'],
  // Before the class that it extends.
  [DatabaseNotFound, 'database_not_found'],
  [UnusableDatabase, 'database_unusable'],
  [ListenError, 'address_unusable'],
  [CannotRead, 'file_unreadable'],
  [CannotWrite, 'file_unwritable'],
  [BackupError, 'backup_refused'],
  [ArchiveRefused, 'archive_refused'],
  [NotConfirmed, 'not_confirmed'],
  [NoToken, 'token_required'],
  [SignInRefused, 'sign_in_refused'],
  [ServerUnreachable, 'server_unreachable'],
  [UnknownRemoteOutcome, 'outcome_unknown'],
  [NotReady, 'not_ready'],
];

const titles = { ...problemTitles, ...commandProblemTitles };

interface ReportOptions {
  json: boolean;
  /** The command that failed, if the command line could be parsed. */
  command?: Command | undefined;
}

/** The text for standard error: what failed and what to do, or problem details with `--json`. */
export function reportFailure(error: unknown, { json, command }: ReportOptions): string {
  const report = reportOf(error, command);
  return json ? `${JSON.stringify(problem(report))}\n` : message(report, command);
}

function reportOf(error: unknown, command: Command | undefined): Report {
  if (error instanceof RemoteRefusal) return error.problem as Report;
  if (error instanceof Failure) return { code: error.code, detail: error.message, errors: error.errors };
  if (error instanceof RecordsRefused) return { code: 'records_refused', detail: error.message, errors: error.errors };
  if (error instanceof InconsistentRegistry) {
    return { code: 'registry_inconsistent', detail: error.message, errors: error.findings };
  }
  if (error instanceof StorageUnavailable) {
    const changed = command && isRead(command) ? '' : ' Nothing was changed.';
    const detail = `The database is unavailable (${error.message}).${changed} Retry the command in a moment.`;
    return { code: 'unavailable', detail };
  }
  if (error instanceof UnknownOutcome) {
    const detail =
      'The database did not confirm the change, which may or may not be stored. Check the current state before you retry the command.';
    return { code: 'outcome_unknown', detail };
  }
  for (const [kind, code] of selfExplanatory) {
    if (error instanceof kind) return { code, detail: error.message };
  }
  return { code: 'internal_error', detail: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

function problem({ code, detail, errors, type = typeOf(code), title = titles[code] }: Report): object {
  return { type, title, detail, errors, code };
}

/** The anchor in the published reference, which covers only the problems of the interface (RFC 9457, 4.2.1). */
function typeOf(code: Report['code']): string {
  return code in interfaceProblemTitles ? `${baseUrl()}/docs#${code}` : 'about:blank';
}

function baseUrl(): string {
  try {
    return readConfig().baseUrl;
  } catch {
    return readConfig({}).baseUrl;
  }
}

function message({ code, detail, errors = [] }: Report, command: Command | undefined): string {
  const lines = errors.map(
    (error) => `  ${escapeToOneLine(`${location(error, command)}${error.detail}${otherRecords(error)}`)}\n`,
  );
  return `app-registry: ${manyLines.has(code) ? detail : escapeToOneLine(detail)}\n${lines.join('')}`;
}

/** Their details have a line for each setting, or are a stack. */
const manyLines = new Set<Report['code']>(['configuration_invalid', 'internal_error']);

/** Where an error is: an option, or a field of a line, which in a CSV file is a column. */
function location({ pointer, file = '', line, column }: Place, command: Command | undefined): string {
  const field = column === undefined ? pointer : `column ${column}`;
  const place = line === undefined && command ? optionFor(command, pointer) : field;
  const parts = [file, line === undefined ? '' : `line ${line}`, place].filter((part) => part !== '');
  return parts.length === 0 ? '' : `${parts.join(' ')}: `;
}

interface Place {
  pointer: string;
  file?: string;
  line?: number;
  column?: string;
}
