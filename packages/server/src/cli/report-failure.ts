import type { Command } from 'commander';
import { readConfig } from '../config/config.ts';
import { ConfigError } from '../config/variable-reader.ts';
import { ArchiveRefused } from '../features/events/archive/archive-file.ts';
import type { ErrorExample, ImportErrorGroup } from '../features/import-export/import-record-schema.ts';
import { InconsistentRegistry } from '../features/integrity/check-registry.ts';
import { Failure } from '../kernel/failure.ts';
import {
  interfaceProblemTitles,
  type OperatorValidationError,
  type ProblemCode,
  problemTitles,
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
import {
  CannotRead,
  CannotWrite,
  type CommandProblemCode,
  commandProblemTitles,
  RecordsRefused,
} from './command-problems.ts';
import { NotReady } from './commands/server-commands.ts';
import { NotConfirmed } from './confirm-revision.ts';
import { isRead } from './output/operations-of-command.ts';
import { RemoteRefusal, ServerUnreachable, SignInRefused, UnknownRemoteOutcome } from './remote/remote-failure.ts';
import { NoToken } from './remote/token-store.ts';

/** The errors of an import are grouped. */
type Repeated = Pick<ImportErrorGroup, 'count' | 'examples'>;

interface Report {
  code: ProblemCode | CommandProblemCode;
  /** That of a server; otherwise it follows from the code. */
  type?: string;
  title?: string;
  detail: string;
  errors?: (Omit<OperatorValidationError, 'code'> & { code: string } & Partial<Repeated>)[] | undefined;
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
  const report = inOptions(reportOf(error, command), command);
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

/** Operations name the fields that a caller can give in backticks; a command has options for them. */
function inOptions(report: Report, command: Command | undefined): Report {
  if (!command) return report;
  const detail = report.detail.replaceAll(/`(\w+)`/g, (quoted, field: string) => {
    const option = optionFor(command, field);
    return option === field ? quoted : option;
  });
  return { ...report, detail };
}

/** Their details have a line for each setting, or are a stack. */
const manyLines = new Set<Report['code']>(['configuration_invalid', 'internal_error']);

/** Where an error is: an option, or a field of a line, which in a CSV file is a column. */
function location(place: Place, command: Command | undefined): string {
  const { parameter, pointer = parameter ?? '', file = '', line, column } = place;
  const field = column === undefined ? pointer : `column ${column}`;
  const at = line === undefined && command ? optionFor(command, pointer) : field;
  const parts = [file, line === undefined ? '' : `line ${line}`, at].filter((part) => part !== '');
  return parts.length === 0 ? '' : `${parts.join(' ')}: `;
}

interface Place {
  pointer?: string;
  parameter?: string;
  file?: string;
  line?: number;
  column?: string;
}

/**
 * The option of a command that gives the value at a JSON Pointer, such as `--developer` for `/developerId`, or of a
 * parameter: an option is named after the field, without `Id` and in the singular. Without such an option, the same text.
 */
export function optionFor(command: Command, pointer: string): string {
  const names = pointer.split('/').filter((name) => !/^\d*$/.test(name));
  const flags = names
    .toReversed()
    .flatMap(namesOf)
    .map((name) => `--${name}`);
  const flag = flags.find((one) => command.options.some(({ long, hidden }) => long === one && !hidden));
  return flag ?? pointer;
}

function namesOf(field: string): string[] {
  const words = field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return [words, words.replace(/-ids?$/, ''), words.replace(/s$/, '')];
}

const shownMax = 5;

/** The records of an error besides the first, for people. Empty for other errors. */
export function otherRecords({
  count = 1,
  examples = [],
}: Partial<Pick<ImportErrorGroup, 'count' | 'examples'>>): string {
  if (examples.length === 0) return '';
  const shown = examples.slice(0, shownMax);
  const described = shown.map((example, at) => describe(example, at)).filter((text) => text !== '');
  const rest = count - shown.length;
  const more = rest > 0 ? [`and ${rest} more`] : [];
  const parts = [...described, ...more];
  return parts.length === 0 ? '' : ` (${count > 1 ? `${count} times: ` : ''}${parts.join('; ')})`;
}

/** The line of the first one is known already. */
function describe({ line, value, clashesWith }: ErrorExample, at: number): string {
  const parts = [
    ...(at === 0 ? [] : [`line ${line}`]),
    ...(value === undefined ? [] : [JSON.stringify(value)]),
    ...(clashesWith ? [`see ${clashText(clashesWith)}`] : []),
  ];
  return parts.join(' ');
}

function clashText({ id, file, line }: NonNullable<ErrorExample['clashesWith']>): string {
  if (line === undefined) return `${id}, which was here before`;
  return `${file === undefined ? '' : `${file} `}line ${line}`;
}
