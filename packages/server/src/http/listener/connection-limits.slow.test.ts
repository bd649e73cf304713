import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ScrapedMetrics } from '@appregistrar/testkit/http/scraped-metrics';
import { send } from '@appregistrar/testkit/http/send';
import { Program } from '@appregistrar/testkit/programs/program';

const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
const openFiles = 200;
const publicMax = openFiles / 2;

test('with more connections to the public listener than there are file descriptors, the operator listener responds', async (t) => {
  const program = new Program(['sh', '-c', `ulimit -n ${openFiles}; exec "$0" "$1" serve`, process.execPath, main], {
    env: {
      DATABASE_URL: 'sqlite::memory:',
      PUBLIC_ADDRESS: '127.0.0.1:0',
      OPERATOR_ADDRESS: '127.0.0.1:0',
      HEADERS_TIMEOUT_MS: '0',
      REQUEST_TIMEOUT_MS: '0',
    },
  });
  t.after(() => program.kill('SIGKILL'));
  const addresses = /"public":"127\.0\.0\.1:(?<port>\d+)","operator":"127\.0\.0\.1:(?<operatorPort>\d+)"/;
  const { port, operatorPort } = await program.until((stdout) => addresses.exec(stdout)?.groups);
  const flood = await openConnections(Number(port), 2 * openFiles);

  for (const path of ['/livez', '/readyz', '/metrics']) {
    const { status } = await send(`http://127.0.0.1:${operatorPort}`, { method: 'GET', path });
    assert.equal(status, 200, path);
  }
  const metrics = await ScrapedMetrics.of({ port: Number(operatorPort) });
  const dropped = 2 * openFiles - publicMax;
  assert.equal(metrics.value('http_connections_dropped_total{listener="public"}'), dropped);
  assert.equal(metrics.value('http_connections_dropped_total{listener="operator"}'), 0);

  for (const socket of flood) socket.destroy();
  program.kill('SIGTERM');
  assert.equal((await program.ended).status, 0);
});

/** Opens connections and says nothing. Resolves once those that are too many have been closed. */
async function openConnections(port: number, count: number): Promise<Socket[]> {
  let open = count;
  const isFull = Promise.withResolvers<void>();
  const sockets = Array.from({ length: count }, () =>
    connect(port, '127.0.0.1')
      .on('error', () => {})
      .on('close', () => {
        open -= 1;
        if (open === publicMax) isFull.resolve();
      }),
  );
  await isFull.promise;
  return sockets;
}
