import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { jsonOf, refusalOf } from '@appregistrar/testkit/programs/command-line';
import { linkedLauncher, Program } from '@appregistrar/testkit/programs/program';
import { freePort } from '@appregistrar/testkit/system/free-port';
import { readConfig } from '../../config/config.ts';
import { createLogger } from '../../log.ts';
import { startServer } from '../../serve.ts';

test('healthcheck exits with 0 while the server of the configuration is ready, on whichever address it listens', async (t) => {
  for (const host of ['127.0.0.1', '0.0.0.0', 'localhost']) {
    const env = {
      ALLOW_PLAINTEXT: '1',
      PUBLIC_ADDRESS: '127.0.0.1:0',
      OPERATOR_ADDRESS: `${host}:${await freePort()}`,
    };
    const server = await startServer(readConfig({ ...env, DATABASE_URL: 'sqlite::memory:' }), createLogger('silent'));
    t.after(() => server.stop());
    assert.deepEqual(jsonOf(await healthcheck(env)), { status: 'ready' });
  }
});

test('healthcheck exits with 1 without a server, and reports the reason of a server that is not ready', async (t) => {
  const env = { OPERATOR_ADDRESS: `127.0.0.1:${await freePort()}` };
  const missing = refusalOf(await healthcheck(env));
  assert.equal(missing.code, 'not_ready');
  assert.match(missing.detail, /^No server responds at http:\/\/127\.0\.0\.1:\d+\/readyz \(ECONNREFUSED\)\./);

  const draining = createServer((_request, response) =>
    response.writeHead(503).end('{"detail":"It is about to end."}'),
  );
  draining.listen(Number(env.OPERATOR_ADDRESS.split(':')[1]), '127.0.0.1');
  t.after(() => draining.close());
  assert.match(refusalOf(await healthcheck(env)).detail, /^The server is not ready: It is about to end\.$/);
});

function healthcheck(env: Record<string, string>) {
  return Program.run([linkedLauncher, 'healthcheck', '--json'], { env });
}
