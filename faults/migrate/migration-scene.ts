import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { appOf, developerOf } from '@appregistrar/testkit/registry/import-file';
import { laterSchemas } from '@appregistrar/testkit/storage/later-schemas';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import { StartedProcess } from '@appregistrar/testkit/system/started-process';
import pg from 'pg';
import { openStorage } from '../../packages/server/src/storage/open-storage.ts';
import { requireStoredSchema } from '../../packages/server/src/storage/schema.ts';
import { ownSource, type Source } from '../harness/defect.ts';
import { guarantee } from '../harness/fault-injection.ts';
import { freshUrl } from '../harness/fresh-database.ts';
import type { Run } from '../harness/run.ts';
import { Service } from '../harness/service.ts';
import { ConstantTraffic, type Longest } from './constant-traffic.ts';
import { fillApps, filledApp } from './fill-apps.ts';
import { LockWaits } from './lock-waits.ts';
import { LongReader } from './long-reader.ts';

const warmUpMs = 2_000;
const endBuilding = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where query ~ '^create.* index concurrently .* on "(apps|events|installations)"' and state = 'active'`;

interface Watched {
  database: pg.Client | null;
  locks: LockWaits | null;
  longReader: LongReader | null;
}

const nothing: Watched = { database: null, locks: null, longReader: null };

interface SceneParts extends Watched {
  url: string;
  source: Source;
  service: Service;
  traffic: ConstantTraffic;
}

/** A server under constant traffic, on a large database of its schema version. */
export class MigrationScene {
  readonly #parts: SceneParts;
  #stopped: Promise<void> | undefined;

  static async open(run: Run, engine: string): Promise<MigrationScene> {
    const url = await freshUrl(run, engine);
    const service = await Service.create({ source: ownSource, databaseUrl: url });
    const { apps, developerId, tokens } = await createRegistry(service);
    const count = run.number('apps');
    await fillApps(url, { developerId, count });
    run.atEnd(() => service.kill());
    await service.start();
    const random = run.random(`apps on ${engine}`);
    const anyApp = () => filledApp(random.between(0, count - 1));
    const traffic = new ConstantTraffic({ publicUrl: service.publicUrl, tokens, apps, anyApp });
    await sleep(warmUpMs);
    traffic.longest();
    await sleep(warmUpMs);
    const parts = { url, source: run.source, service, traffic };
    const scene = new MigrationScene({ ...parts, ...(engine === 'postgres' ? await watch(url) : nothing) });
    run.atEnd(() => scene.stop());
    return scene;
  }

  private constructor(parts: SceneParts) {
    this.#parts = parts;
  }

  /** Starts the migration of a program that knows later schema versions, which shows each step. */
  migrate(): StartedProcess {
    const { source, url } = this.#parts;
    const env = { PATH: process.env.PATH ?? '', TMPDIR: tmpdir(), DATABASE_URL: url };
    const storage = pathToFileURL(join(dirname(source.main), '../storage/'));
    const script = `
      import { openStorage } from '${new URL('open-storage.ts', storage)}';
      import { laterSchemas } from '${import.meta.resolve('@appregistrar/testkit/storage/later-schemas')}';
      const onMigrating = (line) => console.log(line);
      await (await openStorage(process.env.DATABASE_URL, { schemas: laterSchemas, onMigrating })).close();`;
    return new StartedProcess([process.execPath, '--input-type=module', '--eval', script], { env });
  }

  /** The longest responses since the last call. */
  longest(): Longest {
    return this.#parts.traffic.longest();
  }

  /**
   * Waits until PostgreSQL builds an index of a filled table, and ends its connection. Returns false on SQLite, and if the
   * migration ends first.
   */
  async endIndex(migration: StartedProcess): Promise<boolean> {
    const { database } = this.#parts;
    while (database && !migration.hasEnded) {
      if ((await database.query(endBuilding)).rows.length > 0) return true;
      await sleep(2);
    }
    return false;
  }

  /** Once it has stopped, it does nothing. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  assertSuccessful(): void {
    const { failures } = this.#parts.traffic;
    guarantee(failures.length === 0, () => `${failures.length} requests have failed: ${failures[0]}`);
  }

  assertLocks(msMax: Record<'reads' | 'updates', number>): void {
    const { longest } = this.#parts.locks ?? { longest: { reads: 0, updates: 0 } };
    guarantee(longest.reads <= msMax.reads, `a read has waited ${longest.reads} ms for a lock`);
    guarantee(longest.updates <= msMax.updates, `an update has waited ${longest.updates} ms for a lock`);
  }

  describeLocks(): string {
    const { locks } = this.#parts;
    return locks ? `, of which for locks ${locks.longest.reads} ms and ${locks.longest.updates} ms` : '';
  }

  /** The schema must be that of the later program, and each row the result of the migrations. */
  async assertMigrated(): Promise<void> {
    const storage = await openStorage(this.#parts.url, { schemas: laterSchemas });
    try {
      const schema = await requireStoredSchema(storage).then(() => '', String);
      guarantee(schema === '', schema);
      const [row] = await execute<{ wrong: number }>(storage.reader, wrongRows);
      guarantee(row?.wrong === 0, `${row?.wrong} apps were not migrated`);
    } finally {
      await storage.close();
    }
  }

  async #stop(): Promise<void> {
    const { traffic, longReader, locks, service, database } = this.#parts;
    await Promise.all([traffic.stop(), longReader?.stop(), locks?.stop()]);
    await service.stop();
    await database?.end();
  }
}

async function watch(url: string): Promise<Watched> {
  const database = new pg.Client(url);
  await database.connect();
  return { database, locks: await LockWaits.watch(url), longReader: await LongReader.start(url) };
}

const wrongRows = 'select count(*) as wrong from apps where motto is null or motto <> id';

/** By the commands of the program, which creates its schema. */
async function createRegistry(service: Service) {
  const command = async (...args: string[]) => JSON.parse(await service.command(...args, '--json'));
  const developer = developerOf();
  const apps = ['One', 'Two', 'Three'].map((name) => appOf(developer.userId, name));
  await command('migrate');
  await importLines([developer, ...apps], (file) => command('import', file));
  const [{ token: ofDeveloper }, { token: ofPlatform }] = [
    await command('token', 'create', '--kind', 'developer', '--developer', developer.userId),
    await command('token', 'create', '--kind', 'platform'),
  ];
  const tokens: { developer: string; platform: string } = { developer: ofDeveloper, platform: ofPlatform };
  return { apps: apps.map(({ id }) => id), developerId: developer.userId, tokens };
}

async function importLines(lines: object[], load: (file: string) => Promise<unknown>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'migrate-'));
  const file = join(folder, 'registry.jsonl');
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await load(file);
  await rm(folder, { recursive: true });
}
