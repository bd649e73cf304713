import type { ImportCounts, ImportSummary } from '../../../server/src/features/import-export/import-input.ts';
import type { ImportError, ImportErrorGroup } from '../../../server/src/features/import-export/import-record-schema.ts';
import { Failure } from '../../../server/src/kernel/failure.ts';
import { newId } from '../../../server/src/kernel/ids.ts';
import type { Registry } from '../../../server/src/kernel/registry.ts';
import type { Storage } from '../../../server/src/storage/storage.ts';

export type Line = object | string;

/** A file for `importRegistry`: an object becomes a line of JSON, a string is an unchanged line. */
export function fileOf(lines: readonly Line[], lineEnd = '\n'): () => AsyncIterable<Uint8Array> {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)) + lineEnd).join('');
  return async function* pieces() {
    yield Buffer.from(text);
  };
}

/** A valid line for a new developer. */
export function developerOf() {
  return { type: 'developer', userId: newId('user'), email: 'dev@example.com' };
}

/** A valid line for a new app. */
export function appOf(developerId: string, name: string) {
  return { type: 'app', id: newId('app'), developerId, name, createdAt: '2024-01-01T00:00:00.000Z' };
}

/** A valid line for a new installation in a new workspace. */
export function installationOf(appId: string) {
  return {
    type: 'installation',
    id: newId('installation'),
    appId,
    workspaceId: newId('workspace'),
    userId: newId('user'),
    createdAt: '2025-01-01T00:00:00.000Z',
  };
}

/** The number of rows in each table that an import writes to. */
export function rowCounts({ storage }: Registry): Promise<Record<string, number>> {
  return tableCounts(storage);
}

/** Like `rowCounts`, for storage without a registry. */
export async function tableCounts({ reader }: Storage): Promise<Record<string, number>> {
  const count = async (table: 'developers' | 'apps' | 'installations' | 'events') => {
    const query = reader.builder.selectFrom(table).select((column) => column.fn.countAll<number>().as('count'));
    return Number((await reader.rows(query.compile()))[0]?.count);
  };
  return {
    developers: await count('developers'),
    apps: await count('apps'),
    installations: await count('installations'),
    events: await count('events'),
  };
}

/** The errors of a refused import. */
export interface Refused {
  detail: string;
  groups: ImportErrorGroup[];
  /** By line: the records that are examples of the groups. */
  errors: ImportError[];
}

/** The refusal of an import. Throws when the import succeeds, or fails otherwise. */
export async function refusalOf(importing: Promise<unknown>): Promise<Refused> {
  try {
    await importing;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'invalid_content') throw error;
    const groups = error.errors as ImportErrorGroup[];
    return { detail: error.message, groups, errors: errorsOf(groups) };
  }
  throw new Error('the import was not refused');
}

/** The errors of the records that are examples of these groups, by line. */
function errorsOf(groups: ImportErrorGroup[]): ImportError[] {
  const errors = groups.flatMap(({ pointer, code, detail, examples }) =>
    examples.map(({ line }) => ({ line, pointer, code, detail })),
  );
  return errors.toSorted((one, other) => one.line - other.line);
}

/** The summary of an import that only creates. */
export function created(counts: Partial<Record<keyof ImportSummary, number>>) {
  return summaryOf('created', counts);
}

/** The summary of an import that changes nothing. */
export function unchanged(counts: Partial<Record<keyof ImportSummary, number>>) {
  return summaryOf('unchanged', counts);
}

function summaryOf(
  outcome: keyof ImportCounts,
  { developers = 0, logos = 0, apps = 0, installations = 0 }: Partial<Record<keyof ImportSummary, number>>,
): ImportSummary {
  const of = (count: number) => ({ created: 0, updated: 0, unchanged: 0, [outcome]: count });
  return { developers: of(developers), logos: of(logos), apps: of(apps), installations: of(installations) };
}
