import type { ImportError } from '../../../server/src/contract/import-record.ts';
import { Failure } from '../../../server/src/registry/failure.ts';
import type { ImportCounts, ImportSummary } from '../../../server/src/registry/import-export/import-work.ts';
import type { Registry } from '../../../server/src/registry/registry.ts';
import { newId } from '../../../server/src/registry/type-id.ts';
import type { Storage } from '../../../server/src/storage/storage.ts';

export type Line = object | string;

/** A file for `importRegistry`: an object is a line of JSON, a text is a line as it stands. */
export function fileOf(lines: readonly Line[], lineEnd = '\n'): () => AsyncIterable<Uint8Array> {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)) + lineEnd).join('');
  return async function* pieces() {
    yield Buffer.from(text);
  };
}

/** A good line for a new developer. */
export function developerOf() {
  return { type: 'developer', userId: newId('user'), email: 'dev@example.com' };
}

/** A good line for a new app. */
export function appOf(developerId: string, name: string) {
  return { type: 'app', id: newId('app'), developerId, name, createdAt: '2024-01-01T00:00:00.000Z' };
}

/** A good line for a new installation in a workspace of its own. */
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

/** The number of rows in each table that an import writes. */
export function rowCounts({ storage }: Registry): Promise<Record<string, number>> {
  return tableCounts(storage);
}

/** The same of a database without a registry on it. */
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

/** The refusal of an import. Throws when the import is done, or fails in another way. */
export async function refusalOf(importing: Promise<unknown>): Promise<{ detail: string; faults: ImportError[] }> {
  try {
    await importing;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'invalid_content') throw error;
    return { detail: error.message, faults: error.faults as ImportError[] };
  }
  throw new Error('the import was not refused');
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
