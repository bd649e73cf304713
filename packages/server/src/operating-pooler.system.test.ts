import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { postgres, type TestDatabase } from '@appregistrar/testkit/engines/engines';
import { OperatingPage } from '@appregistrar/testkit/pages/operating-page';
import { type Filled, fill } from '@appregistrar/testkit/programs/filled-registry';
import { PgBouncer } from '@appregistrar/testkit/programs/pg-bouncer';
import { RegistryProgram, type Serving } from '@appregistrar/testkit/programs/registry-program';
import { readApp, Traffic } from '@appregistrar/testkit/programs/traffic';

const [configuration = ''] = (await OperatingPage.read()).section('Connection pooler').blocks('ini');
const main = fileURLToPath(new URL('cli/main.ts', import.meta.url));
const readsAtOnce = 20;
const rounds = 40;

for (const [prepare, linesExpected] of [
  ['0', 0],
  ['1', 1],
] as const) {
  describe(`behind PgBouncer in transaction mode, with DATABASE_PREPARE=${prepare}`, () => {
    let database: TestDatabase;
    let bouncer: PgBouncer;
    let program: RegistryProgram;
    let servers: Serving[];
    let registry: Filled;
    before(async () => {
      database = await postgres.createDatabase();
      const { pathname, searchParams } = new URL(database.url);
      const server = { host: searchParams.get('host') ?? '', port: Number(searchParams.get('port')) };
      bouncer = await PgBouncer.start(configuration, { ...server, database: pathname.slice(1) });
      const env = { DATABASE_PREPARE: prepare };
      program = new RegistryProgram({ name: 'the program', main, databaseUrl: bouncer.url, env });
      await program.done('migrate');
      registry = await fill(program, { sharesTags: true });
      servers = [await program.serve(), await program.serve()];
    });
    after(async () => {
      await program.kill();
      await bouncer.stop();
      await database.drop();
    });

    test('no request to two processes fails, and each shows what the other has stored', async (t) => {
      const { traffic, spareId: id, platformToken: token } = registry;
      const read = async (at: number) => {
        const { status, text } = await readApp(servers[at % servers.length] as Serving, { id, token });
        assert.equal(status, 200, text);
      };
      await Traffic.during(traffic, servers, async () => {
        for (let round = 0; round < rounds; round += 1)
          await Promise.all(Array.from({ length: readsAtOnce }, (_, at) => read(at)));
      });
      t.diagnostic(`${traffic.reduce((sum, { updates }) => sum + updates, 0)} updates, each read`);
      t.diagnostic(`${rounds * readsAtOnce} other reads`);
    });

    test('the log says at most once that statements are not prepared', () => {
      for (const { log } of servers)
        assert.equal(log.split('does not support prepared statements').length - 1, linesExpected, log);
    });

    test('every command works, and the registry is consistent', async () => {
      assert.equal((await program.done<{ apps: number }>('check')).apps, registry.traffic.length + 1);
    });
  });
}
