import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'node:test';
import pg from 'pg';
import { openStorage } from '../../../server/src/storage/open-storage.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

/** Names the server of a whole test run, or a server of one's own to test with. Its user makes databases. */
export const postgresUrlVariable = 'TEST_POSTGRES_URL';

/** Names a database of that server with the current schema, which no one connects to. */
export const postgresTemplateVariable = 'TEST_POSTGRES_TEMPLATE';

/** Names the engines to test, with commas between them; all of them unless set. */
export const enginesVariable = 'TEST_ENGINES';

/** A database of a test. */
export interface TestDatabase {
  /** For `openStorage`, or `DATABASE_URL`. */
  readonly url: string;
  drop(): Promise<void>;
}

export interface Engine {
  readonly name: 'sqlite' | 'sqlite in memory' | 'postgres';
  /** An empty database. */
  createDatabase(): Promise<TestDatabase>;
  /** A database with the current schema. */
  createMigratedDatabase(): Promise<TestDatabase>;
}

/** Declares the tests once for each engine that the run tests, each under its name. */
export function forEachEngine(declare: (engine: Engine) => void): void {
  for (const engine of [sqlite, postgres].filter(isTested)) describe(engine.name, () => declare(engine));
}

/** Declares the tests for SQLite alone: those of a layer that no engine can break. */
export function onSqlite(declare: (engine: Engine) => void): void {
  describe(sqlite.name, () => declare(sqlite));
}

/** The options of a test of these engines: skipped if the run leaves one of them out. */
export function on(...engines: Engine[]): { skip: boolean } {
  return { skip: !engines.every(isTested) };
}

/** Whether the run tests an engine. */
export function isTested({ name }: Engine): boolean {
  const tested = process.env[enginesVariable];
  return tested === undefined || tested.split(',').some((engine) => name.startsWith(engine));
}

export const sqlite: Engine = {
  name: 'sqlite',
  createDatabase: async () => {
    const folder = await mkdtemp(join(sqliteFolder(), 'database-'));
    return {
      url: `sqlite:${join(folder, 'registry.db')}`,
      drop: () => rm(folder, { recursive: true }),
    };
  },
  createMigratedDatabase: async () => {
    template ??= migrated(await sqlite.createDatabase());
    const [{ url: from }, database] = [await template, await sqlite.createDatabase()];
    await copyFile(fileOf(from), fileOf(database.url));
    return database;
  },
};

/** A database with the current schema, which those of the tests of this process are copies of. */
let template: Promise<TestDatabase> | undefined;

function fileOf(url: string): string {
  return url.slice('sqlite:'.length);
}

/** It ends with the storage that opens it, and two storages never share it. */
export const sqliteInMemory: Engine = {
  name: 'sqlite in memory',
  createDatabase: async () => ({ url: 'sqlite::memory:', drop: async () => {} }),
  createMigratedDatabase: () => sqliteInMemory.createDatabase(),
};

export const postgres: Engine = {
  name: 'postgres',
  createDatabase: async () => createOnServer(await postgresUrl()),
  createMigratedDatabase: async () => {
    const template = process.env[postgresTemplateVariable];
    // A copy takes a fifth of the time that the migrations take.
    return template ? createOnServer(await postgresUrl(), template) : migrated(await postgres.createDatabase());
  },
};

/** Creates a database on a PostgreSQL server, empty or as a copy of another. */
async function createOnServer(serverUrl: string, template = 'template1'): Promise<TestDatabase> {
  const name = `test_${randomUUID()}`;
  // A copy of the files takes a third of the time of a copy through the log, and no log.
  await execute(serverUrl, `create database "${name}" template "${template}" strategy file_copy`);
  return {
    url: Object.assign(new URL(serverUrl), { pathname: name }).href,
    drop: () => execute(serverUrl, `drop database "${name}" with (force)`),
  };
}

async function migrated(database: TestDatabase): Promise<TestDatabase> {
  await (await openStorage(database.url, { create: true })).close();
  return database;
}

let ownFolder: string | undefined;

/** The folder of this process's databases; gone when it ends, also with those that a failed test has left. */
function sqliteFolder(): string {
  if (ownFolder) return ownFolder;
  const folder = mkdtempSync(join(tmpdir(), 'sqlite-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  ownFolder = folder;
  return folder;
}

let ownServer: Promise<PostgresServer> | undefined;

/** The server of the test run; one of this process when a test file runs by itself. */
async function postgresUrl(): Promise<string> {
  const url = process.env[postgresUrlVariable];
  if (url) return url;
  ownServer ??= startPostgres();
  return (await ownServer).url;
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
