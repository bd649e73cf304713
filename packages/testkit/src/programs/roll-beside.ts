import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { AccessToken } from '../../../server/src/contract/access-token.ts';
import type { Installation } from '../../../server/src/contract/installation.ts';
import { newId } from '../../../server/src/registry/type-id.ts';
import { migrations } from '../../../server/src/storage/migrations/index.ts';
import { execute } from '../../../server/src/storage/testing/storage-test.ts';
import { type Engine, forEachEngine, postgres, sqlite, type TestDatabase } from '../engines/engines.ts';
import { freshStorage } from '../engines/fresh-storage.ts';
import { appOf, developerOf } from '../registry/import-file.ts';
import { jsonOf, runHere } from './command-line.ts';
import { extractPreviousProgram, type PreviousProgram, previousVersions } from './previous-program.ts';
import { RegistryProgram, type Serving } from './registry-program.ts';
import { readApp, Traffic } from './traffic.ts';

type Issued = AccessToken & { token: string };
type Migrated = { schemaVersion: number };

const currentVersion = migrations.length;
/** The earliest schema version whose programs may use the current schema. */
export const usableFrom = Math.max(...migrations.map((migration) => migration.usableFrom));
/** The earlier versions from there on, oldest first. */
export const usableVersions = previousVersions.filter((version) => version >= usableFrom);

/** Programs of an earlier schema version issue ETags without stamps, and know no others. */
const stampsSince = 7;
const currentMain = fileURLToPath(new URL('../../../server/src/cli/main.ts', import.meta.url));
const programs = new Map<number, PreviousProgram>();

/** Extracts the programs of these schema versions from the history, for the tests of a file. */
export function withPrograms(versions: number[]): void {
  before(async () => {
    for (const version of versions) programs.set(version, await extractPreviousProgram(version));
  });
  after(async () => {
    for (const { remove } of programs.values()) await remove();
  });
}

/** Declares the tests of a rolling upgrade from the program of a schema version to the current one, and back. */
export function rollBeside(version: number, engines: readonly Engine[] = [sqlite, postgres]): void {
  for (const engine of engines) {
    describe(`the program of schema ${version}, on a database that it has created on ${engine.name}`, () => {
      let database: TestDatabase;
      let previous: RegistryProgram;
      let current: RegistryProgram;
      let older: Serving;
      let newer: Serving;
      let registry: Filled;

      const during = (servers: Serving[], work = async () => {}) => Traffic.during(registry.traffic, servers, work);

      /** The result of a command of the current program. */
      const doneHere = async <Result extends object>(...args: string[]) =>
        jsonOf<Result>(await runHere(...args, '--json', '--database-url', database.url));

      before(async () => {
        database = await engine.createDatabase();
        previous = programOf(version, database.url);
        current = programOf(currentVersion, database.url);
        assert.equal((await previous.done<Migrated>('migrate')).schemaVersion, version);
        registry = await fill(previous, { sharesTags: version >= stampsSince });
        older = await previous.serve();
      });
      after(async () => {
        await Promise.all([previous.kill(), current.kill()]);
        await database.drop();
      });

      test('serves while the current program migrates the database, and afterwards', async () => {
        await during([older]);
        await during([older], async () => {
          assert.equal((await current.done<Migrated>('migrate')).schemaVersion, currentVersion);
        });
        await during([older]);
      });

      test('serves beside the current program, and each immediately shows what the other has stored', async () => {
        await during([older], async () => {
          newer = await current.serve();
        });
        await during([older, newer]);
      });

      test('has commands that still work, and sees the effects of current ones', async () => {
        const { developerId, spareId: id } = registry;
        await during([older, newer], async () => {
          const where = ['--app', id, '--workspace', newId('workspace'), '--user', developerId];
          const [installation, { id: tokenId, token }] = await Promise.all([
            previous.done<Installation>('installation', 'create', ...where),
            previous.done<Issued>('token', 'issue', '--kind', 'platform'),
          ]);
          for (const server of [older, newer]) {
            assert.deepEqual((await readApp(server, { id, token })).view.installations, [installation]);
          }
          await doneHere('app', 'delete', id, '--force');
          assert.equal((await readApp(older, { id, token })).refusal, '404 app_not_found');
          await doneHere('token', 'revoke', tokenId);
          assert.equal((await readApp(older, { id, token })).refusal, '401 token_invalid');
        });
      });

      test('shows at once that the current program has changed a developer', async () => {
        const { developerId, traffic, platformToken: token } = registry;
        const reads = [older, newer].flatMap((server) => traffic.map(({ appId: id }) => ({ server, id })));
        const readAll = (known: string[] = []) =>
          Promise.all(reads.map(({ server, id }, at) => readApp(server, { id, token, known: known[at] ?? '"none"' })));
        for (const firstName of ['Ada', 'Grace']) {
          const known = (await readAll()).map(({ etag }) => etag);
          await doneHere('developer', 'update', developerId, '--first-name', firstName);
          const names = (await readAll(known)).map(({ view }) => view.developer.firstName);
          assert.deepEqual([...new Set(names)], [firstName]);
        }
      });

      test('leaves all its data to the current program', async () => {
        const { traffic, platformToken: token } = registry;
        await during([older]);
        for (const { appId: id } of traffic) {
          const [stored, shown] = await Promise.all([older, newer].map((server) => readApp(server, { id, token })));
          // A newer view may show more.
          assert.partialDeepStrictEqual(shown?.view, stored?.view);
        }
        await during([newer], () => older.stop());
      });

      test('can be restored on the newer schema', async () => {
        await during([newer], async () => {
          older = await previous.serve();
        });
        await during([newer, older]);
        await during([older], () => newer.stop());
        await older.stop();
      });

      test('leaves a consistent registry', async (t) => {
        t.diagnostic(`${registry.traffic.reduce((sum, { updates }) => sum + updates, 0)} updates`);
        const checked = await doneHere<{ apps: number }>('check');
        assert.equal(checked.apps, registry.traffic.length);
      });
    });
  }
}

/** Declares the tests that programs of these schema versions leave a database alone that needs a newer one. */
export function refuseNewerSchema(versions: number[]): void {
  forEachEngine((engine) => {
    for (const version of versions) {
      // A compatible program continues to serve.
      test(`the program of schema ${version} refuses a schema that needs a newer one`, async (t) => {
        const { storage, url, end } = await freshStorage(engine);
        const program = programOf(version, url);
        t.after(async () => {
          await program.kill();
          await end();
        });
        const versions = { version: currentVersion + 1, usable_from: version + 1 };
        await storage.write((transaction) =>
          transaction.run(transaction.builder.updateTable('schema_version').set(versions).compile()),
        );
        assert.deepEqual(await program.run('serve'), {
          status: 1,
          signal: null,
          stdout: '',
          stderr: `app-registry: The database has schema version ${versions.version}, which needs a newer app-registry: this one knows version ${version}. Nothing was changed. Upgrade app-registry, or name another database.\n`,
        });
        const stored = await execute(storage.reader, 'select version, usable_from from schema_version');
        assert.deepEqual(stored.map(Object.values), [Object.values(versions)]);
      });
    }
  });
}

/** The program of a schema version; the current one if it is not a previous version. */
function programOf(version: number, databaseUrl: string): RegistryProgram {
  const main = programs.get(version)?.main ?? currentMain;
  return new RegistryProgram({ name: `the program of schema ${version}`, main, databaseUrl });
}

export interface Filled {
  developerId: string;
  /** One for each app that is updated. */
  traffic: Traffic[];
  /** An app that is not updated. */
  spareId: string;
  platformToken: string;
}

/** Fills a registry by the commands of a program. */
export async function fill(program: RegistryProgram, { sharesTags }: { sharesTags: boolean }): Promise<Filled> {
  const developer = developerOf();
  const { userId: developerId } = developer;
  const busy = ['One', 'Two', 'Three'].map((name) => appOf(developerId, name));
  const spare = appOf(developerId, 'Spare');
  await importLines(program, [developer, ...busy, spare]);
  const [ofDeveloper, ofPlatform] = await Promise.all([
    program.done<Issued>('token', 'issue', '--kind', 'developer', '--developer', developerId),
    program.done<Issued>('token', 'issue', '--kind', 'platform'),
  ]);
  const tokens = { developer: ofDeveloper.token, platform: ofPlatform.token, sharesTags };
  const traffic = busy.map(({ id }) => new Traffic(id, tokens));
  return { developerId, traffic, spareId: spare.id, platformToken: tokens.platform };
}

async function importLines(program: RegistryProgram, lines: object[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'roll-'));
  const file = join(folder, 'registry.jsonl');
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await program.done('import', file);
  await rm(folder, { recursive: true });
}
