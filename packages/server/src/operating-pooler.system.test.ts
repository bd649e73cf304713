import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { postgres, type TestDatabase } from '@appregistrar/testkit/engines/engines';
import { getAppRequest, updateAppRequest } from '@appregistrar/testkit/http/http-request';
import { send } from '@appregistrar/testkit/http/send';
import { OperatingPage } from '@appregistrar/testkit/pages/operating-page';
import { appOf, developerOf } from '@appregistrar/testkit/registry/import-file';
import { PgBouncer } from '../test/programs/pg-bouncer.ts';
import { RegistryProgram, type Serving } from '../test/programs/registry-program.ts';
import type { DeveloperApp, PlatformApp } from './features/apps/app-schemas.ts';

const [configuration = ''] = (await OperatingPage.read()).section('Connection pooler').blocks('ini');
const main = fileURLToPath(new URL('cli/main.ts', import.meta.url));
const readsAtOnce = 20;
const rounds = 40;

const developer = developerOf();
const [spare = assert.fail(), ...busy] = ['Spare', 'One', 'Two', 'Three'].map((name) => appOf(developer.userId, name));

for (const [prepare, linesExpected] of [
  ['0', 0],
  ['1', 1],
] as const) {
  describe(`behind PgBouncer in transaction mode, with DATABASE_PREPARE=${prepare}`, () => {
    let database: TestDatabase;
    let bouncer: PgBouncer;
    let program: RegistryProgram;
    let servers: Serving[];
    let tokens: { developer: string; platform: string };
    before(async () => {
      database = await postgres.createDatabase();
      const { pathname, searchParams } = new URL(database.url);
      const server = { host: searchParams.get('host') ?? '', port: Number(searchParams.get('port')) };
      bouncer = await PgBouncer.start(configuration, { ...server, database: pathname.slice(1) });
      const env = { DATABASE_PREPARE: prepare };
      program = new RegistryProgram({ name: 'the program', main, databaseUrl: bouncer.url, env });
      await program.done('migrate');
      await importRecords(program, [developer, spare, ...busy]);
      const issue = async (...kind: string[]) =>
        (await program.done<{ token: string }>('token', 'create', '--kind', ...kind)).token;
      tokens = {
        developer: await issue('developer', '--developer', developer.userId),
        platform: await issue('platform'),
      };
      servers = [await program.serve(), await program.serve()];
    });
    after(async () => {
      await program.kill();
      await bouncer.stop();
      await database.drop();
    });

    const addressOf = (at: number) => `http://127.0.0.1:${servers[at % servers.length]?.port}`;

    test('no request to two processes fails, and each shows what the other has stored', async () => {
      const readSpare = async () => {
        for (let round = 0; round < rounds; round += 1) {
          const read = (at: number) => send(addressOf(at), getAppRequest(tokens.platform, spare.id));
          const responses = await Promise.all(Array.from({ length: readsAtOnce }, (_, at) => read(at)));
          for (const { status, text } of responses) assert.equal(status, 200, text);
        }
      };
      await Promise.all([readSpare(), ...busy.map(({ id }) => updateAndRead(id))]);
    });

    /** Updates an app through each process in turn, and reads it through the other one, with the ETags of the change before. */
    async function updateAndRead(id: string): Promise<void> {
      let [updateTag, readTag] = ['*', '"none"'];
      for (let round = 0; round < rounds; round += 1) {
        const name = `${id} ${round}`;
        const change = { id, update: { name }, headers: { 'if-match': updateTag } };
        const updated = await send<DeveloperApp>(addressOf(round), updateAppRequest(tokens.developer, change));
        assert.equal(updated.status, 200, updated.text);
        const request = getAppRequest(tokens.platform, id, { 'if-none-match': readTag });
        const read = await send<PlatformApp>(addressOf(round + 1), request);
        assert.deepEqual([read.status, read.view.name], [200, name]);
        [updateTag, readTag] = [updated.etag, read.etag];
      }
    }

    test('the log says at most once that statements are not prepared', () => {
      for (const { log } of servers)
        assert.equal(log.split('does not support prepared statements').length - 1, linesExpected, log);
    });

    test('every command works, and the registry is consistent', async () => {
      assert.equal((await program.done<{ apps: number }>('check')).apps, busy.length + 1);
    });
  });
}

async function importRecords(program: RegistryProgram, records: object[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pooler-'));
  const file = join(folder, 'registry.jsonl');
  await writeFile(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  await program.done('import', file);
  await rm(folder, { recursive: true });
}
