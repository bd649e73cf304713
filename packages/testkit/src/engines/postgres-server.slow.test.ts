import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from './postgres-server.ts';

test('servers that are started at once do not disturb one another, and leave nothing when stopped', async () => {
  const [one, other] = await Promise.all([startPostgres(), startPostgres()]);
  assert.notEqual(folderOf(one.url), folderOf(other.url));
  await execute(one.url, 'create database only_here');
  await one.stop();
  assert.equal(existsSync(folderOf(one.url)), false);
  await assert.rejects(execute(other.url, 'drop database only_here'), /does not exist/);
  await other.stop();
  assert.equal(existsSync(folderOf(other.url)), false);
  await other.stop();
});

test('a server is gone with its folder soon after its process was killed', async () => {
  const module = new URL('postgres-server.ts', import.meta.url).href;
  const code = `
    import { startPostgres } from ${JSON.stringify(module)};
    console.log((await startPostgres()).url);
    setInterval(() => {}, 1_000);`;
  const owner = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = await once(owner.stdout, 'data');
  await execute(String(url), 'select 1');
  owner.kill('SIGKILL');
  const deadline = Date.now() + 60_000;
  while (existsSync(folderOf(String(url))) && Date.now() < deadline) await sleep(20);
  assert.equal(existsSync(folderOf(String(url))), false);
  await assert.rejects(execute(String(url), 'select 1'));
});

test('a process does not wait for the server that it has started', async () => {
  const module = new URL('postgres-server.ts', import.meta.url).href;
  const code = `import { startPostgres } from ${JSON.stringify(module)}; await startPostgres();`;
  const owner = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: 'inherit', timeout: 60_000 });
  assert.deepEqual(await once(owner, 'exit'), [0, null]);
});

/** The folder of everything the server has. */
function folderOf(url: string): string {
  const folder = new URL(url.trim()).searchParams.get('host');
  assert.ok(folder);
  return folder;
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url.trim());
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
