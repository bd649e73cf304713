import { notARegistry, UnusableDatabase } from './failure.ts';
import { findProgress } from './migration-progress.ts';
import { compareSchemas, type SchemaDifference } from './schema.ts';
import { schemaIn, schemaVersion } from './schema-version.ts';
import type { Reader } from './statement.ts';
import type { Storage } from './storage.ts';

/** Most differences that one message lists. */
const listedMax = 10;

/** How the schema relates to what the migrations create. */
export interface CheckedSchema {
  version: number;
  /** A newer schema, which this program does not know and cannot compare. */
  isNewer: boolean;
  differences: SchemaDifference[];
}

/** Compares the schema of a database at its recorded version. The reader must see the version and the schema at one moment. */
export async function checkSchema(storage: Storage, reader: Reader): Promise<CheckedSchema> {
  const { schemaReader, schemas } = storage;
  const database = schemaIn(reader, storage);
  const version = await schemaVersion(database);
  if (version > schemas.migrations.length) return { version, isNewer: true, differences: [] };
  const progress = await findProgress(database);
  const [expected, actual] = await Promise.all([schemaReader.expected(version, progress), schemaReader.read(reader)]);
  return { version, isNewer: false, differences: compareSchemas(expected, actual) };
}

/** Throws `UnusableDatabase` if the schema differs from what the migrations create. */
export async function requireSchema(storage: Storage, reader: Reader): Promise<CheckedSchema> {
  const checked = await checkSchema(storage, reader);
  const [first] = checked.differences;
  if (!first) return checked;
  if (checked.version === 0 && first.code === 'unexpected_object') throw notARegistry(`the ${first.object}`);
  throw new UnusableDatabase(messageOf(checked));
}

/** The same at one moment of an open database, which another process may be migrating. */
export async function requireStoredSchema(storage: Storage): Promise<CheckedSchema> {
  for await (const checked of storage.snapshot((snapshot) => checkedIn(storage, snapshot))) return checked;
  throw new Error('a snapshot yielded nothing');
}

async function* checkedIn(storage: Storage, reader: Reader): AsyncGenerator<CheckedSchema, undefined> {
  yield await requireSchema(storage, reader);
}

function messageOf({ version, differences }: CheckedSchema): string {
  const listed = differences.slice(0, listedMax).map(({ detail }) => detail);
  const more = differences.length - listed.length;
  const [what, advice] = version === 0 ? unsuitable : differing(version);
  return [what, ...listed, ...(more > 0 ? [`And ${more} more.`] : []), advice].join(' ');
}

const unsuitable = ['The database cannot hold a registry.', 'Nothing was changed. Use a different database.'] as const;

function differing(version: number) {
  return [
    `The schema of the database differs from version ${version} of app-registry, so the database cannot be trusted.`,
    'Find out who changed it. Restore an earlier backup, or remove what is unexpected and create what is missing.',
  ] as const;
}
