import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createToken } from '@appregistrar/testkit/calls/access';
import type { PostgresServer } from '@appregistrar/testkit/engines/postgres-server';
import { withRegistry } from '@appregistrar/testkit/registry/with-registry';
import pg from 'pg';
import { countInstallationChanges } from '../../packages/server/src/features/overview/count-installation-changes.ts';
import { commandLine } from '../../packages/server/src/kernel/registry.ts';
import { openBulkConnection } from '../bulk-connection.ts';
import { fillRegistry, idOf, type RegistrySize } from '../fill-registry.ts';
import type { Cores } from './machine.ts';
import { makeMeasuredApps, measuredIds } from './measured-apps.ts';
import { startDurablePostgres } from './postgres.ts';

export const engines = ['SQLite', 'PostgreSQL'] as const;
export type EngineName = (typeof engines)[number];

/** A filled registry, with access tokens. */
export interface Database {
  engine: EngineName;
  url: string;
  size: RegistrySize;
  /** The measured apps: alike, with ten installations each. */
  appIds: string[];
  tokens: { platform: string; developer: string; operator: string };
  drop(): Promise<void>;
}

interface DatabasesOptions {
  folders: Folders;
  cores: Cores | null;
  log: (text: string) => void;
}

interface Folders {
  /** Removed after this run. */
  run: string;
  /** Reused by later runs, for databases that take long to fill. */
  cache: string;
}

/** Fills registries: a new small one for each contestant, and cached large ones. */
export class Databases {
  readonly #folders: Folders;
  readonly #cores: Cores | null;
  readonly #log: (text: string) => void;
  readonly #templates = new Map<string, Promise<Database>>();
  #server: Promise<PostgresServer> | undefined;
  #created = 0;

  constructor({ folders, cores, log }: DatabasesOptions) {
    this.#folders = folders;
    this.#cores = cores;
    this.#log = log;
  }

  /** A new registry. */
  async fresh(engine: EngineName, size: RegistrySize): Promise<Database> {
    const key = `${engine} ${JSON.stringify(size)}`;
    let template = this.#templates.get(key);
    if (!template) {
      template = this.#template(engine, size);
      this.#templates.set(key, template);
    }
    return this.#copy(await template);
  }

  /** A registry that this or an earlier run has filled. Changes to it persist. */
  async cached(engine: EngineName, size: RegistrySize): Promise<Database> {
    const name = `cached_${size.apps}_${fillVersion()}`;
    const url = engine === 'SQLite' ? this.#cachedFile(name) : await this.#cachedDatabase(name);
    if (!(await this.#isCached(url, name))) await this.#fillCached(url, { name, size });
    return this.#described(url, { engine, size, drop: async () => {} });
  }

  async close(): Promise<void> {
    if (this.#server) await (await this.#server).stop();
  }

  /** The URL of a database on the PostgreSQL server, which the first call starts. */
  async postgresUrl(database: string): Promise<string> {
    if (!this.#server) {
      this.#server = startDurablePostgres(join(this.#folders.cache, 'postgres'), this.#cores);
      // Left by earlier runs: no other run can use this folder now.
      await this.#dropDatabases(`datname like 'run\\_%'`);
    }
    return Object.assign(new URL((await this.#server).url), { pathname: database }).href;
  }

  async #template(engine: EngineName, size: RegistrySize): Promise<Database> {
    const url = await this.#newUrl(engine);
    if (engine === 'PostgreSQL') await this.#administer(`create database ${databaseOf(url)}`);
    await fill(url, size);
    return this.#described(url, { engine, size, drop: async () => {} });
  }

  async #newUrl(engine: EngineName): Promise<string> {
    const name = `run_${process.pid}_${this.#created++}`;
    return engine === 'SQLite' ? `sqlite:${join(this.#folders.run, `${name}.db`)}` : this.postgresUrl(name);
  }

  async #copy(template: Database): Promise<Database> {
    const url = await this.#newUrl(template.engine);
    if (template.engine === 'SQLite') {
      const file = fileOf(url);
      copyFileSync(fileOf(template.url), file);
      const drop = async () => {
        for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
      };
      return { ...template, url, drop };
    }
    const name = databaseOf(url);
    await this.#administer(`create database ${name} template ${databaseOf(template.url)} strategy file_copy`);
    const drop = async () => {
      await this.#administer(`drop database ${name} with (force)`);
    };
    return { ...template, url, drop };
  }

  #cachedFile(name: string): string {
    mkdirSync(this.#folders.cache, { recursive: true });
    const isOld = (file: string) =>
      /^(?:cached|kept)_/.test(file) && file.split('_')[2]?.split('.')[0] !== fillVersion();
    for (const file of readdirSync(this.#folders.cache).filter(isOld)) rmSync(join(this.#folders.cache, file));
    return `sqlite:${join(this.#folders.cache, `${name}.db`)}`;
  }

  async #cachedDatabase(name: string): Promise<string> {
    const isOld = `datname similar to '(part|kept)\\_%' or (datname like 'cached\\_%' and datname not like '%\\_${fillVersion()}')`;
    await this.#dropDatabases(isOld);
    return this.postgresUrl(name);
  }

  async #isCached(url: string, name: string): Promise<boolean> {
    if (url.startsWith('sqlite:')) return existsSync(fileOf(url));
    return (await this.#administer(`select datname from pg_database where datname = '${name}'`)).length > 0;
  }

  /** Uses another name until it is complete. */
  async #fillCached(url: string, { name, size }: { name: string; size: RegistrySize }): Promise<void> {
    this.#log(
      `Filling a registry of ${size.apps} apps and ${size.installations} installations, to be cached. This takes minutes.`,
    );
    if (url.startsWith('sqlite:')) {
      const part = `${fileOf(url)}.part`;
      for (const end of ['', '-wal', '-shm']) rmSync(part + end, { force: true });
      await fill(`sqlite:${part}`, size);
      renameSync(part, fileOf(url));
      return;
    }
    await this.#administer(`create database part_${name}`);
    await fill(await this.postgresUrl(`part_${name}`), size);
    await this.#administer(`alter database part_${name} rename to ${name}`);
    await this.#administer('checkpoint');
  }

  async #described(url: string, rest: Pick<Database, 'engine' | 'size' | 'drop'>): Promise<Database> {
    return { ...rest, url, appIds: measuredIds(rest.size), tokens: await issueTokens(url) };
  }

  async #dropDatabases(condition: string): Promise<void> {
    for (const { datname } of await this.#administer(`select datname from pg_database where ${condition}`)) {
      await this.#administer(`drop database "${datname}" with (force)`);
    }
  }

  async #administer(sql: string): Promise<Record<string, string>[]> {
    const client = new pg.Client(await this.postgresUrl('postgres'));
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }
}

async function fill(url: string, size: RegistrySize): Promise<void> {
  await fillRegistry(url, size);
  const bulk = await openBulkConnection(url);
  await makeMeasuredApps(bulk, size);
  await bulk.close();
  // A running service has counted its events. A new one does so beside the first requests, which would be measured too.
  await withRegistry(url, countInstallationChanges);
}

/** The developer token has no rate limit. */
function issueTokens(url: string): Promise<Database['tokens']> {
  return withRegistry(url, async (registry) => {
    const issue = async (input: object) => (await createToken(registry, commandLine, input)).token;
    return {
      platform: await issue({ kind: 'platform' }),
      developer: await issue({ kind: 'developer', developerId: idOf('user', 0), updatesPerMinute: 0 }),
      operator: await issue({ kind: 'operator', scopes: ['admin'] }),
    };
  });
}

/** A hash of the code that fills a database. When it changes, cached databases are filled again. */
function fillVersion(): string {
  const hash = createHash('sha256');
  const schema = '../../packages/server/src/storage/migrations/postgres-schemas.json';
  for (const file of ['../fill-registry.ts', 'measured-apps.ts', schema]) {
    hash.update(readFileSync(new URL(file, import.meta.url)));
  }
  return hash.digest('hex').slice(0, 12);
}

function fileOf(url: string): string {
  return url.slice('sqlite:'.length);
}

function databaseOf(url: string): string {
  return new URL(url).pathname.slice(1);
}
