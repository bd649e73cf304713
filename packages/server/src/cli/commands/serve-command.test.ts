import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { refusalOf, runHere, withVariables } from '@appregistrar/testkit/programs/command-line';

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

test('serve on an address that is in use exits 1 and names it', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const address = `127.0.0.1:${(holder.address() as AddressInfo).port}`;
  const variables = { PUBLIC_ADDRESS: address, OPERATOR_ADDRESS: '127.0.0.1:0', LOG_LEVEL: 'silent' };
  const refusal = refusalOf(
    await withVariables(variables, () => runHere('serve', '--database-url', 'sqlite::memory:', '--json')),
  );
  holder.close();
  assert.equal(refusal.code, 'address_unusable');
  assert.ok(refusal.detail.includes(`${address}: EADDRINUSE`), refusal.detail);
});
