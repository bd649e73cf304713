import { sql } from 'kysely';
import { UnusableDatabase } from '../failure.ts';
import type { Reader } from '../statement.ts';

const versionMin = 150_000;

interface ServerSettings {
  version: number;
  encoding: string;
  /** Null where a service has no such setting, here and below. */
  fsync: string | null;
  full_page_writes: string | null;
}

/** Throws `UnusableDatabase` if the server or the database cannot hold a registry. */
export async function assertUsable(reader: Reader): Promise<void> {
  const { version, encoding } = await readSettings(reader);
  if (version < versionMin) {
    throw new UnusableDatabase(
      `This server is PostgreSQL ${Math.floor(version / 10_000)}, or reports to be; app-registry needs 15 or newer.`,
    );
  }
  if (encoding !== 'UTF8') {
    throw new UnusableDatabase(
      `The database has the encoding ${encoding}, which cannot hold every text; app-registry needs UTF8. Create another one: createdb --encoding=UTF8 --template=template0 NAME`,
    );
  }
}

/** Settings that can lose an acknowledged write although every transaction requests a sync. */
export async function durabilityWarnings(reader: Reader): Promise<string[]> {
  const { fsync, full_page_writes: fullPageWrites } = await readSettings(reader);
  return [
    ...(fsync === 'off'
      ? ['PostgreSQL runs with fsync = off: a power failure can lose or destroy everything. Turn it on.']
      : []),
    ...(fullPageWrites === 'off'
      ? [
          'PostgreSQL runs with full_page_writes = off: a power failure can destroy pages, unless the file system writes each page completely or not at all. Turn it on.',
        ]
      : []),
  ];
}

async function readSettings(reader: Reader): Promise<ServerSettings> {
  const query = sql<ServerSettings>`
    select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
      current_setting('fsync', true) as fsync, current_setting('full_page_writes', true) as full_page_writes`;
  const [settings] = await reader.rows(query.compile(reader.builder));
  if (!settings) throw new Error('a select without a table returned no row');
  return settings;
}
