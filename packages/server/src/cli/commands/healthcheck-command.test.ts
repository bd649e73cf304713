import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { jsonOf, refusalOf, runHere, withVariables } from '@appregistrar/testkit/programs/command-line';

test('healthcheck exits with 0 while the server at its address is ready, on whichever address it listens', async () => {
  for (const host of ['127.0.0.1', '0.0.0.0', 'localhost', '::']) {
    const { port, close } = await respond({ host, status: 200, body: { status: 'ready' } });
    const address = `${host === '::' ? '[::]' : host}:${port}`;
    assert.deepEqual(jsonOf(await healthcheck(address)), { status: 'ready' });
    close();
  }
});

test('healthcheck exits with 1 without a server, and reports the reason of a server that is not ready', async () => {
  const { port, close } = await respond({ status: 503, body: { detail: 'It is about to end.' } });
  const address = `127.0.0.1:${port}`;
  assert.equal(refusalOf(await healthcheck(address)).detail, 'The server is not ready: It is about to end.');
  close();
  const other = await respond({ status: 503, body: {} });
  assert.equal(
    refusalOf(await healthcheck(`127.0.0.1:${other.port}`)).detail,
    'The server is not ready: it responds with 503.',
  );
  other.close();
  const missing = refusalOf(await healthcheck(address));
  assert.equal(missing.code, 'not_ready');
  assert.ok(missing.detail.startsWith(`No server responds at http://${address}/readyz (ECONNREFUSED).`));
});

/** A server whose readiness is this. */
async function respond({ host = '127.0.0.1', status, body }: { host?: string; status: number; body: object }) {
  const server = createServer(({ url }, response) =>
    response.writeHead(url === '/readyz' ? status : 404, { connection: 'close' }).end(JSON.stringify(body)),
  ).listen(0, host);
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

function healthcheck(address: string) {
  return withVariables({ ALLOW_PLAINTEXT: '1', OPERATOR_ADDRESS: address }, () => runHere('healthcheck', '--json'));
}
