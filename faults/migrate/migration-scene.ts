import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { extractPreviousProgram, previousVersions } from '@appregistrar/testkit/programs/previous-program';
import { appOf, developerOf } from '@appregistrar/testkit/registry/import-file';
import { StartedProcess } from '@appregistrar/testkit/system/started-process';
import pg from 'pg';
import { requireStoredSchema } from '../../packages/server/src/storage/check-schema.ts';
import { openStorage } from '../../packages/server/src/storage/open-storage.ts';
import { execute } from '../../packages/server/src/storage/testing/storage-test.ts';
import type { Source } from '../frame/defect.ts';
import { guarantee } from '../frame/fault-injection.ts';
import { freshUrl } from '../frame/fresh-database.ts';
import type { Run } from '../frame/run.ts';
import { Service } from '../frame/service.ts';
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
  /** The schema version that the older program has created. */
  version: number;
  source: Source;
  service: Service;
  traffic: ConstantTraffic;
}

/** A server of an older program under constant traffic, on a large database of its schema version. */
export class MigrationScene {
  readonly #parts: SceneParts;
  #stopped: Promise<void> | undefined;

  static async open(run: Run, { engine, version }: { engine: string; version: number }): Promise<MigrationScene> {
    const url = await freshUrl(run, engine);
    const service = await Service.create({ source: await olderProgram(run, version), databaseUrl: url });
    const { apps, developerId, tokens } = await createRegistry(service);
    const count = run.number('apps');
    await fillApps(url, { developerId, count });
    run.atEnd(() => service.kill());
    await service.start();
    const random = run.random(`apps on ${engine}`, version);
    const anyApp = () => filledApp(random.between(0, count - 1));
    const traffic = new ConstantTraffic({ publicUrl: service.publicUrl, tokens, apps, anyApp });
    await sleep(warmUpMs);
    traffic.longest();
    await sleep(warmUpMs);
    const parts = { url, version, source: run.source, service, traffic };
    const scene = new MigrationScene({ ...parts, ...(engine === 'postgres' ? await watch(url) : nothing) });
    run.atEnd(() => scene.stop());
    return scene;
  }

  private constructor(parts: SceneParts) {
    this.#parts = parts;
  }

  /** Starts `migrate` of the current program. */
  migrate(): StartedProcess {
    const { source, url } = this.#parts;
    const env = { PATH: process.env.PATH ?? '', TMPDIR: tmpdir(), DATABASE_URL: url };
    return new StartedProcess([process.execPath, source.main, 'migrate'], { env });
  }

  /** The longest responses since the last call. */
  longest(): Longest {
    return this.#parts.traffic.longest();
  }

  /** Waits until the server builds an index of a filled table, unless the migration ends, and ends its connection. */
  async endIndex(migration: StartedProcess): Promise<void> {
    const { database } = this.#parts;
    while (database && !migration.hasEnded && (await database.query(endBuilding)).rows.length === 0) await sleep(2);
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

  /** The schema must be that of the current program, and each row the result of the migrations. */
  async assertMigrated(): Promise<void> {
    const { url, version } = this.#parts;
    const storage = await openStorage(url);
    try {
      const schema = await requireStoredSchema(storage).then(() => '', String);
      guarantee(schema === '', schema);
      const [row] = await execute<{ wrong: number }>(storage.reader, wrongRows(version));
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

/** Rows of a program of version 4 keep the default of `submitted_at` that `fillApps` leaves. */
function wrongRows(version: number): string {
  return `
    select count(*) as wrong from apps
    where changed_since_approval <> case when approved_revision <> revision then 1 else 0 end
      or (${version} < 4 and review_status = 'AWAITING_REVIEW' and submitted_at = 0)`;
}

async function olderProgram(run: Run, version: number): Promise<Pick<Source, 'main'>> {
  if (!previousVersions.includes(version)) return run.source;
  const program = await extractPreviousProgram(version);
  run.atEnd(program.remove);
  return program;
}

/** By the commands of the older program, which creates its schema. */
async function createRegistry(service: Service) {
  const command = async (...args: string[]) => JSON.parse(await service.command(...args, '--json'));
  const developer = developerOf();
  const apps = ['One', 'Two', 'Three'].map((name) => appOf(developer.userId, name));
  await command('migrate');
  await importLines([developer, ...apps], (file) => command('import', file));
  const [{ token: ofDeveloper }, { token: ofPlatform }] = [
    await command('token', 'issue', '--kind', 'developer', '--developer', developer.userId),
    await command('token', 'issue', '--kind', 'platform'),
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
