import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Engine, forEachEngine } from '@appregistrar/testkit/engines/engines';
import { OperatingPage, variablesOf } from '@appregistrar/testkit/pages/operating-page';
import { linkedLauncher, Program } from '@appregistrar/testkit/programs/program';
import { systemPath } from '@appregistrar/testkit/programs/system-programs';
import { freePort } from '@appregistrar/testkit/system/free-port';
import pg from 'pg';
import { ids, type OperatedRegistry, person } from '../test/pages/operated-registry.ts';
import { assertRestored, changeEverything, readKnown } from '../test/pages/restored-registry.ts';
import { runPage, type Scenario } from '../test/pages/run-page.ts';
import type { Shell } from '../test/programs/shell.ts';
import { readConfig } from './config/config.ts';
import { environment } from './config/env.ts';

const page = await OperatingPage.read();
const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
const RELEASE = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: REPOSITORY, encoding: 'utf8' }).trim();
/** The environment of a user who has not installed this: npm adds the folders of this repository for its scripts. */
const fresh = {
  ...Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => value && !/^(npm|NODE_TEST)_/i.test(name)),
  ),
  PATH: systemPath
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter),
} as Record<string, string>;

/** With PostgreSQL clients of the server's version. */
const installed = { PATH: [dirname(linkedLauncher), systemPath].join(delimiter) };

const scenarios: Record<string, Scenario> = {
  'Install from a checkout': {
    engine: 'sqlite',
    guarantee: 'a clone contains everything its commands need',
    given: { ...fresh, REPOSITORY },
    async work({ registry, run }) {
      assert.match(await run(), /^\d+\.\d+\.\d+/m);
      const bin = join(registry.folder, 'app-registry/node_modules/.bin/');
      assert.equal((await registry.shell.run('command -v app-registry')).trim(), `${bin}app-registry`);
      assert.equal((await registry.shell.run('command -v node')).trim(), `${bin}node`);
      await registry.shell.run('app-registry check');
      await registry.shell.run('test -f packages/console/dist/index.html');
    },
  },

  Run: {
    engine: 'sqlite',
    guarantee: 'it serves and reports its state until SIGTERM, and each process sees the changes of all',
    given: installed,
    async work({ registry, run }) {
      const [publicPort, operatorPort] = [await freePort(), await freePort()];
      await registry.shell.run(
        `export PUBLIC_ADDRESS=127.0.0.1:${publicPort} OPERATOR_ADDRESS=127.0.0.1:${operatorPort}`,
      );
      const output = await run({ ':8080/': `:${publicPort}/`, ':8081/': `:${operatorPort}/` });
      assert.match(output, /"status":"ready"/);
      assert.match(output, /"status":"live"/);
      assert.match(await readFile(join(registry.folder, 'metrics.txt'), 'utf8'), /^# TYPE /m);
      assert.deepEqual(Object.keys(JSON.parse(await readFile(join(registry.folder, 'openapi.json'), 'utf8')).paths), [
        '/developer/apps/v1/{id}',
        '/platform/apps/v1/{id}',
      ]);
      const [one, other] = [await registry.serve(), await registry.serve()];
      assert.equal((await one.updateApp({ name: 'Changed by one' })).status, 200);
      assert.equal((await other.getApp()).view.name, 'Changed by one');
    },
  },

  'Back up and restore PostgreSQL': {
    guarantee: 'later changes are undone, the replaced database is retained, and no earlier ETag matches',
    given: installed,
    async work({ registry, run }) {
      const restoredUrl = Object.assign(new URL(registry.cli.databaseUrl), { pathname: 'registry_restored' }).href;
      await registry.shell.run(`RESTORED_URL='${restoredUrl}'`);
      const server = await registry.serve();
      const before = await readKnown(server);
      await run();
      const since = await changeEverything(registry, server);
      await registry.stopServers();
      await run();
      await assertRestored(await registry.serve(restoredUrl), before, since);
      assert.equal((await (await registry.serve()).getApp()).view.name, since.view.name);
      await registry.stopServers();
      await registry.shell.run('dropdb --maintenance-db "$DATABASE_URL" registry_restored');
    },
  },

  Upgrade: {
    engine: 'sqlite',
    guarantee: 'a clone becomes the named release, and is installed as a new one',
    given: { ...fresh, REPOSITORY, RELEASE },
    async work({ registry, run }) {
      await registry.shell.run('git clone --quiet --no-checkout "$REPOSITORY" app-registry\ncd app-registry');
      const [install = ''] = page.section('Install from a checkout').blocks('sh');
      const [commands = assert.fail()] = /^npm ci\n(?:npm .*\n)+/m.exec(install) ?? [];
      await run({ [commands]: '' });
      assert.equal((await registry.shell.run('git rev-parse HEAD')).trim(), RELEASE);
      assert.equal((await registry.shell.run('git status --porcelain')).trim(), '');
    },
  },

  'Erase a developer': {
    guarantee: 'the address remains in the database files until their space is cleared, beside a server',
    given: installed,
    async work({ engine, registry, run }) {
      const server = await registry.serve();
      const endOlder = engine.name === 'postgres' ? await beginOlder(registry.cli.databaseUrl) : async () => {};
      await registry.cli.done('developer', 'erase', ids.DEVELOPER);
      assert.equal(await isInFiles(engine, registry), true);
      await Promise.all([run(), endOlder()]);
      assert.equal(await isInFiles(engine, registry), false);
      assert.equal((await server.getApp()).status, 200);
    },
  },
};

forEachEngine((engine) => runPage(page, { engine, ofSystem: true, scenarios }));

test('the systemd unit is valid and starts a server with its configuration', async (t) => {
  const [unit = '', configuration = ''] = page.section('Create the service').blocks('ini');
  const folder = await mkdtemp(join(tmpdir(), 'unit-'));
  t.after(() => rm(folder, { recursive: true }));
  const [publicPort, operatorPort] = [await freePort(), await freePort()];
  const moved = unit.replaceAll('/opt/app-registry/', REPOSITORY);
  const file = join(folder, 'app-registry.service');
  await writeFile(file, moved);
  const verified = await Program.run(['systemd-analyze', 'verify', '--man=no', file], { env: { PATH: systemPath } });
  assert.deepEqual(verified, { status: 0, signal: null, stdout: '', stderr: '' });

  const command = /^ExecStart=(.*)$/m.exec(moved)?.[1]?.split(' ') as [string, ...string[]];
  const [, path = ''] = /^Environment=PATH=(.*)$/m.exec(moved) ?? [];
  const server = new Program(command, {
    env: {
      PATH: path,
      ...variablesOf(configuration.replace('/var/lib/app-registry', folder)),
      PUBLIC_ADDRESS: `127.0.0.1:${publicPort}`,
      OPERATOR_ADDRESS: `127.0.0.1:${operatorPort}`,
    },
  });
  t.after(() => server.kill('SIGKILL'));
  await server.until((log) => /"serving"/.exec(log));
  server.kill('SIGTERM');
  assert.equal((await server.ended).status, 0);
  assert.ok((await readdir(folder)).includes('registry.db'));
});

test('the template unit is valid, and gives each of its instances addresses of its own', async (t) => {
  const [unit = ''] = page.section('Create the service').blocks('ini');
  const [addresses = ''] = page.section('Run several processes').blocks('ini');
  const folder = await mkdtemp(join(tmpdir(), 'unit-'));
  t.after(() => rm(folder, { recursive: true }));
  const template = unit.replaceAll('/opt/app-registry/', REPOSITORY).replace('[Service]\n', `[Service]\n${addresses}`);
  const file = join(folder, 'app-registry@.service');
  await writeFile(file, template);
  const verified = await Program.run(['systemd-analyze', 'verify', '--man=no', file], { env: { PATH: systemPath } });
  assert.deepEqual(verified, { status: 0, signal: null, stdout: '', stderr: '' });
  const configs = ['1', '2'].map((instance) =>
    readConfig(variablesOf(addresses.replaceAll('Environment=', '').replaceAll('%i', instance))),
  );
  assert.deepEqual(
    configs.map(({ publicAddress, operatorAddress }) => [publicAddress.port, operatorAddress.port]),
    [
      [8081, 8091],
      [8082, 8092],
    ],
  );
});

/**
 * Samples the tables, and begins a transaction in another database, for which PostgreSQL keeps what is erased later. It ends
 * after the space was cleared in vain.
 */
async function beginOlder(databaseUrl: string): Promise<() => Promise<void>> {
  const elsewhere = Object.assign(new URL(databaseUrl), { pathname: 'postgres' }).href;
  const [client, older] = [new pg.Client(databaseUrl), new pg.Client(elsewhere)];
  for (const one of [client, older]) await one.connect();
  const findFile = async () => (await client.query("select pg_relation_filepath('developers')")).rows[0];
  await client.query('analyze');
  await older.query('begin; select txid_current()');
  const { pg_relation_filepath: before } = await findFile();
  return async () => {
    while ((await findFile()).pg_relation_filepath === before);
    for (const one of [client, older]) await one.end();
  };
}

/** Whether the erased person is in any file of the database on disk. */
async function isInFiles(engine: Engine, { cli, shell }: OperatedRegistry): Promise<boolean> {
  const folder =
    engine.name === 'sqlite' ? dirname(cli.databaseUrl.slice('sqlite:'.length)) : await tablesFolder(shell);
  // Not read in this process: closing a file releases the locks that SQLite holds on it here.
  return (await shell.run(`grep --recursive --files-with-matches '${person.email}' '${folder}' || true`)).trim() !== '';
}

async function tablesFolder(shell: Shell): Promise<string> {
  const query = (sql: string) => shell.run(`psql "$DATABASE_URL" --no-align --tuples-only --command "${sql}"`);
  await query('checkpoint');
  const data = (await query('show data_directory')).trim();
  return join(data, dirname((await query("select pg_relation_filepath('developers')")).trim()));
}
