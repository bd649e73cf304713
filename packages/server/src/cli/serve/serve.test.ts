import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { refusalOf } from '@appregistrar/testkit/programs/command-line';
import { linkedLauncher, Program } from '@appregistrar/testkit/programs/program';
import { freePort } from '@appregistrar/testkit/system/free-port';

const serve = [linkedLauncher, 'serve'] as const;

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'serve-'));
});
after(() => rm(folder, { recursive: true }));

test('serve with an invalid configuration exits 1 with one message that names every error, and creates nothing', async () => {
  const env = {
    DATABASE_URL: 'mysql://ada:secret@db/registry',
    PUBLIC_ADDRESS: '8080',
    BASE_URL: 'apps.example.com',
    LOG_LEVEL: 'loud',
    RATE_LIMIT_UPDATES_PER_MINUTE: '-1',
  };
  const { status, stdout, stderr } = await Program.run([...serve], { env, cwd: folder });
  assert.deepEqual({ status, stdout }, { status: 1, stdout: '' });
  const [first, ...lines] = stderr.trimEnd().split('\n');
  assert.equal(first, 'app-registry: The configuration is invalid:');
  assert.deepEqual(lines.map((line) => line.trim().split(' ')[0]).toSorted(), Object.keys(env).toSorted());
  assert.doesNotMatch(stderr, /secret/);
  assert.deepEqual(await readdir(folder), []);
});

test('serve on an address that is in use exits 1 and names it', async () => {
  const port = await freePort();
  const holder = createServer().listen(port, '127.0.0.1');
  const addresses = { PUBLIC_ADDRESS: `127.0.0.1:${port}`, OPERATOR_ADDRESS: '127.0.0.1:0' };
  const env = { DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'silent', ...addresses };
  try {
    const refusal = refusalOf(await Program.run([...serve, '--json'], { env, cwd: folder }));
    assert.equal(refusal.code, 'address_unusable');
    assert.match(refusal.detail, new RegExp(`127\\.0\\.0\\.1:${port}: EADDRINUSE`));
  } finally {
    holder.close();
  }
});
