import type { ImportErrorGroup } from '../features/import-export/import-record-schema.ts';

/**
 * Problem codes that only the command line reports, with their titles. A closed list: programs that read `--json`
 * may rely on it. The codes of the registry's rules are in `kernel/problem-details.ts`.
 */
export const commandProblemTitles = {
  configuration_invalid: 'Invalid Configuration',
  database_not_found: 'Database Not Found',
  database_unusable: 'Unusable Database',
  outcome_unknown: 'Unknown Outcome',
  address_unusable: 'Unusable Address',
  file_unreadable: 'Unreadable File',
  file_unwritable: 'Unwritable File',
  registry_inconsistent: 'Inconsistent Registry',
  backup_refused: 'Backup Refused',
  archive_refused: 'Archive Refused',
  not_confirmed: 'Not Confirmed',
  usage_invalid: 'Wrong Usage',
  token_required: 'Token Required',
  server_unreachable: 'Unreachable Server',
  not_ready: 'Not Ready',
  records_refused: 'Records Refused',
} as const;
export type CommandProblemCode = keyof typeof commandProblemTitles;

/** Whether a command line has the option `--json`, also one that cannot be parsed. */
export function isJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).includes('--json');
}

/** Problem details for wrong usage, from the error that Commander prints. */
export function usageProblem(text: string): string {
  const sentence = text.replace(/^error: /, '').replace(/\n(\(Did you mean .*\))$/, ' $1');
  const detail = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${/[.!?)]$/.test(sentence) ? '' : '.'}`;
  const code = 'usage_invalid';
  return `${JSON.stringify({ type: 'about:blank', title: commandProblemTitles[code], detail, code })}\n`;
}

/** A file named on the command line cannot be read. */
export class CannotRead extends Error {
  override readonly name = 'CannotRead';
}

/** A file named on the command line cannot be created. */
export class CannotWrite extends Error {
  override readonly name = 'CannotWrite';
}

/** The code of a system error, such as `ENOENT`; the text of any other error. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** An import has stored what it could, and has written the other records to a file. */
export class RecordsRefused extends Error {
  override readonly name = 'RecordsRefused';
  readonly errors: ImportErrorGroup[];

  constructor(message: string, errors: ImportErrorGroup[]) {
    super(message);
    this.errors = errors;
  }
}
