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
import { forEachEngine, type TestDatabase } from '../engines/engines.ts';
import { appOf, developerOf } from '../registry/import-file.ts';
import { jsonOf, runHere } from './command-line.ts';
import { type PreviousProgram, takePreviousProgram } from './previous-program.ts';
import { RegistryProgram, type Serving } from './registry-program.ts';
import { readApp, Traffic } from './traffic.ts';

type Issued = AccessToken & { token: string };
type Migrated = { schemaVersion: number };

const currentVersion = migrations.length;
const currentMain = fileURLToPath(new URL('../../../server/src/cli/main.ts', import.meta.url));
const programs = new Map<number, PreviousProgram>();

/** Takes the programs of these schema versions out of the history, for the tests of a file. */
export function withPrograms(versions: number[]): void {
  before(async () => {
    for (const version of versions) programs.set(version, await takePreviousProgram(version));
  });
  after(async () => {
    for (const { remove } of programs.values()) await remove();
  });
}

/** The tests that the program of a schema version works beside that of today, while that one takes over and back. */
export function rollBeside(version: number): void {
  forEachEngine((engine) => {
    describe(`the program of schema ${version}, on a database that it has made`, () => {
      let database: TestDatabase;
      let previous: RegistryProgram;
      let current: RegistryProgram;
      let older: Serving;
      let newer: Serving;
      let registry: Filled;

      const during = (servers: Serving[], work = async () => {}) => Traffic.during(registry.traffic, servers, work);

      /** What a command of today prints. */
      const doneHere = async <Result extends object>(...args: string[]) =>
        jsonOf<Result>(await runHere(...args, '--json', '--database-url', database.url));

      before(async () => {
        database = await engine.createDatabase();
        previous = programOf(version, database.url);
        current = programOf(currentVersion, database.url);
        assert.equal((await previous.done<Migrated>('migrate')).schemaVersion, version);
        registry = await fill(previous);
        older = await previous.serve();
      });
      after(async () => {
        await Promise.all([previous.kill(), current.kill()]);
        await database.drop();
      });

      test('serves while the program of today migrates it, and afterwards', async () => {
        await during([older]);
        await during([older], async () => {
          assert.equal((await current.done<Migrated>('migrate')).schemaVersion, currentVersion);
        });
        await during([older]);
      });

      test('serves beside the program of today, and each shows at once what the other has stored', async () => {
        await during([older], async () => {
          newer = await current.serve();
        });
        await during([older, newer]);
      });

      test('has commands that work on, and follows those of today', async () => {
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

      test('leaves to the program of today all that it has stored', async () => {
        const { traffic, platformToken: token } = registry;
        await during([older]);
        for (const { appId: id } of traffic) {
          const [stored, shown] = await Promise.all([older, newer].map((server) => readApp(server, { id, token })));
          // A newer view may show more.
          assert.partialDeepStrictEqual(shown?.view, stored?.view);
        }
        await during([newer], () => older.stop());
      });

      test('can be gone back to, on the newer schema', async () => {
        await during([newer], async () => {
          older = await previous.serve();
        });
        await during([newer, older]);
        await during([older], () => newer.stop());
        await older.stop();
      });

      test('has left a registry without a fault', async (t) => {
        t.diagnostic(`${registry.traffic.reduce((sum, { updates }) => sum + updates, 0)} updates`);
        const checked = await doneHere<{ apps: number }>('check');
        assert.equal(checked.apps, registry.traffic.length);
      });
    });
  });
}

/** The program of a schema version; that of today is no previous one. */
export function programOf(version: number, databaseUrl: string): RegistryProgram {
  const main = programs.get(version)?.main ?? currentMain;
  return new RegistryProgram({ name: `the program of schema ${version}`, main, databaseUrl });
}

interface Filled {
  developerId: string;
  /** Of the apps that are updated. */
  traffic: Traffic[];
  /** An app that is not. */
  spareId: string;
  platformToken: string;
}

/** Fills a registry by the commands of a program. */
async function fill(program: RegistryProgram): Promise<Filled> {
  const developer = developerOf();
  const { userId: developerId } = developer;
  const busy = ['One', 'Two', 'Three'].map((name) => appOf(developerId, name));
  const spare = appOf(developerId, 'Spare');
  await importLines(program, [developer, ...busy, spare]);
  const [ofDeveloper, ofPlatform] = await Promise.all([
    program.done<Issued>('token', 'issue', '--kind', 'developer', '--developer', developerId),
    program.done<Issued>('token', 'issue', '--kind', 'platform'),
  ]);
  const tokens = { developer: ofDeveloper.token, platform: ofPlatform.token };
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
