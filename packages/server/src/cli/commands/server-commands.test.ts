import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { localServer } from '@appregistrar/testkit/http/local-server';
import { jsonOf, refusalOf, runHere, withVariables } from '@appregistrar/testkit/programs/command-line';

test('serve with an invalid configuration exits 1 with one message that names every error, and creates nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'serve-'));
  const variables = {
    PUBLIC_ADDRESS: '8080',
    BASE_URL: 'apps.example.com',
    LOG_LEVEL: 'loud',
    RATE_LIMIT_UPDATES_PER_MINUTE: '-1',
  };
  const url = `sqlite:${join(folder, 'registry.db')}`;
  const { status, stdout, stderr } = await withVariables(variables, () => runHere('serve', '--database-url', url));
  assert.deepEqual({ status, stdout }, { status: 1, stdout: '' });
  const [first, ...lines] = stderr.trimEnd().split('\n');
  assert.equal(first, 'app-registry: The configuration is invalid:');
  assert.deepEqual(lines.map((line) => line.trim().split(' ')[0]).toSorted(), Object.keys(variables).toSorted());
  assert.deepEqual(await readdir(folder), []);
  await rm(folder, { recursive: true });
});

test('serve reports a secret that is set beside its file together with every other error', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'serve-'));
  const file = join(folder, 'database-url');
  await writeFile(file, 'sqlite::memory:');
  const variables = { DATABASE_URL: 'sqlite::memory:', DATABASE_URL_FILE: file, LOG_LEVEL: 'loud', BASE_URL: 'x' };
  const { stderr } = await withVariables(variables, () => runHere('serve'));
  for (const name of ['DATABASE_URL_FILE', 'LOG_LEVEL', 'BASE_URL'])
    assert.match(stderr, new RegExp(`^  ${name} must`, 'm'));
  await rm(folder, { recursive: true });
});

test('serve on an address that is in use exits 1 and names it', async () => {
  const holder = await localServer(() => {});
  const address = `127.0.0.1:${holder.port}`;
  const variables = { PUBLIC_ADDRESS: address, OPERATOR_ADDRESS: '127.0.0.1:0', LOG_LEVEL: 'silent' };
  const refusal = refusalOf(
    await withVariables(variables, () => runHere('serve', '--database-url', 'sqlite::memory:', '--json')),
  );
  await holder.close();
  assert.equal(refusal.code, 'address_unusable');
  assert.ok(refusal.detail.includes(`${address}: EADDRINUSE`), refusal.detail);
});

test('healthcheck exits with 0 while the server at its address is ready, on whichever address it listens', async () => {
  for (const host of ['127.0.0.1', '0.0.0.0', 'localhost', '::']) {
    const { port, close } = await respond({ host, status: 200, body: { status: 'ready' } });
    const address = `${host === '::' ? '[::]' : host}:${port}`;
    assert.deepEqual(jsonOf(await healthcheck(address)), { status: 'ready' });
    await close();
  }
});

test('healthcheck exits with 1 without a server, and reports the reason of a server that is not ready', async () => {
  const { port, close } = await respond({ status: 503, body: { detail: 'It is about to end.' } });
  const address = `127.0.0.1:${port}`;
  assert.equal(refusalOf(await healthcheck(address)).detail, 'The server is not ready: It is about to end.');
  await close();
  const other = await respond({ status: 503, body: {} });
  assert.equal(
    refusalOf(await healthcheck(`127.0.0.1:${other.port}`)).detail,
    'The server is not ready: it responds with 503.',
  );
  await other.close();
  const missing = refusalOf(await healthcheck(address));
  assert.equal(missing.code, 'not_ready');
  assert.ok(missing.detail.startsWith(`No server responds at http://${address}/readyz (ECONNREFUSED).`));
});

/** A server whose readiness is this. */
function respond({ host = '127.0.0.1', status, body }: { host?: string; status: number; body: object }) {
  const isReadiness = (url = '') => url === '/readyz';
  return localServer(
    ({ url }, response) => response.writeHead(isReadiness(url) ? status : 404).end(JSON.stringify(body)),
    { host },
  );
}

function healthcheck(address: string) {
  return withVariables({ ALLOW_PLAINTEXT: '1', OPERATOR_ADDRESS: address }, () => runHere('healthcheck', '--json'));
}
