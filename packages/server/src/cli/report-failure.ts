import { readConfig } from '../config/config.ts';
import { ConfigError } from '../config/variable-reader.ts';
import { interfaceProblemTitles, type ProblemCode, problemTitles, type ValidationError } from '../contract/problem.ts';
import { Failure } from '../registry/failure.ts';
import { InconsistentRegistry } from '../registry/integrity/check-registry.ts';
import { CannotListen } from '../serve.ts';
import { BackupRefused, StorageUnavailable, UnknownOutcome, UnusableDatabase } from '../storage/failure.ts';
import { type CommandProblemCode, commandProblemTitles } from './command-problem.ts';
import { CannotRead, CannotWrite } from './file-failure.ts';

interface Told {
  code: ProblemCode | CommandProblemCode;
  detail: string;
  errors?: (Omit<ValidationError, 'code'> & { code: string })[] | undefined;
}

/** Their messages say to a person what to do. */
const toldAsTheyAre: [kind: new (message: string) => Error, code: CommandProblemCode][] = [
  [ConfigError, 'configuration_invalid'],
  [UnusableDatabase, 'database_unusable'],
  [CannotListen, 'address_unusable'],
  [CannotRead, 'file_unreadable'],
  [CannotWrite, 'file_unwritable'],
  [BackupRefused, 'backup_refused'],
];

const titles = { ...problemTitles, ...commandProblemTitles };

/** What standard error says of a refusal: why, and what to do; as problem details with `--json`. */
export function reportFailure(error: unknown, { json }: { json: boolean }): string {
  const told = asTold(error);
  return json ? `${JSON.stringify(problem(told))}\n` : message(told);
}

function asTold(error: unknown): Told {
  if (error instanceof Failure) return { code: error.code, detail: error.message, errors: error.faults };
  if (error instanceof InconsistentRegistry) {
    return { code: 'registry_inconsistent', detail: error.message, errors: error.findings };
  }
  if (error instanceof StorageUnavailable) {
    const detail = `The database cannot be used now (${error.message}). Nothing was changed; repeat the command in a moment.`;
    return { code: 'unavailable', detail };
  }
  if (error instanceof UnknownOutcome) {
    const detail =
      'The connection to the database was lost while the change was stored: it may be stored or not. Look at what is there before you repeat the command.';
    return { code: 'outcome_unknown', detail };
  }
  for (const [kind, code] of toldAsTheyAre) {
    if (error instanceof kind) return { code, detail: error.message };
  }
  return { code: 'internal_error', detail: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

function problem({ code, detail, errors }: Told): object {
  return { type: type(code), title: titles[code], detail, errors, code };
}

/** The anchor in the published reference, which explains what the interface tells and nothing else (RFC 9457, 4.2.1). */
function type(code: Told['code']): string {
  return code in interfaceProblemTitles ? `${baseUrl()}/docs#${code}` : 'about:blank';
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
