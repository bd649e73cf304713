import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { parseResponses } from '../../../test/http/exchange.ts';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import { portOf } from '../../../test/http/port-of.ts';
import { findAppForUpdate } from '../../features/apps/app-queries.ts';
import { OpenConnections } from './open-connections.ts';
import { RequestContext } from './request-context.ts';

/** So long that a client must take 36 MB. */
const stallMsMax = 36_000_000;

test('a connection whose requests wait is not read further, and gets all its responses later', async () => {
  const http = await HttpFixture.open(sqlite);
  const { id } = await http.data.newApp();
  const socket = connect(await http.port(), '127.0.0.1');
  let [arrived, received] = [0, ''];
  http.listener.server.on('request', () => {
    arrived += 1;
  });
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
  });
  const behind = 20_000;
  await http.data.registry.storage.write(async (transaction) => {
    await findAppForUpdate(transaction, { id });
    const body = '{"name":"Waits"}';
    const fields = [`Authorization: Bearer ${http.tokens.developer}`, 'Content-Type: application/json'];
    const head = [`PATCH /developer/apps/v1/${id} HTTP/1.1`, 'Host: a', ...fields, `Content-Length: ${body.length}`];
    // It waits for this transaction.
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    socket.write('GET /x HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(behind));
    while (arrived < 32) await turn();
    for (let turns = 0; turns < 100; turns += 1) await turn();
    // At most what one read of the connection brings.
    assert.ok(arrived < 4_000, `${arrived} of ${behind} requests are in memory`);
  });
  socket.write('GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  await once(socket, 'end');
  const statuses = parseResponses(Buffer.from(received, 'latin1')).map(({ status }) => status);
  assert.deepEqual(statuses, [200, ...Array.from({ length: behind + 1 }, () => 404)]);
  await http.close();
});

test('a response that is not read takes no capacity', async () => {
  const http = await HttpFixture.open(sqlite, { requestsAtOnceMax: 1 });
  const port = await http.port();
  const slow = connect(port, '127.0.0.1')
    .on('error', () => {})
    .pause();
  const large = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n';
  slow.write(large.repeat(1_000));
  const { server } = http.listener;
  const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  // The system has no room for the next one.
  const { socket } = response.req;
  let written = 0;
  while (socket.writableLength === 0 || written !== socket.bytesWritten) {
    written = socket.bytesWritten;
    for (let turns = 0; turns < 20; turns += 1) await turn();
  }
  const responses = await http.exchange(large.replace('Host', 'Connection: close\r\nHost'));
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200],
  );
  slow.destroy();
  await http.close();
});

test('a client that takes too little of its response is disconnected, and no other', async (context) => {
  const { connections, open } = await listen(context, { stallMsMax });
  const [slow, fast, idle] = [await open(), await open(), await open()];
  for (const { client, response } of [slow, fast]) {
    client.pause();
    response.write(Buffer.alloc(64 * 1024 * 1024));
  }
  idle.response.write('all of it');
  await once(idle.client, 'data');
  connections.disconnectSlowReaders();
  fast.client.resume();
  while (fast.client.bytesRead < 40 * 1024 * 1024) await once(fast.client, 'data');
  slow.client.read(4_096);
  connections.disconnectSlowReaders();
  const [error] = await once(slow.client.resume(), 'error');
  assert.equal(error.code, 'ECONNRESET');
  assert.equal(idle.client.readyState, 'open');
});

test('a new connection takes the place of the one that has been idle longest, and of none with a request', async (context) => {
  let dropped = 0;
  const { open, connectOnly } = await listen(context, { connectionsMax: 3, onDropped: () => (dropped += 1) });
  const busy = await open();
  const used = await open();
  const first = await connectOnly();
  // Idle again, and so for a shorter time.
  used.response.end('done');
  await once(used.client, 'data');
  const second = await connectOnly();
  await once(first.resume(), 'close');
  const third = await connectOnly();
  await once(used.client.resume(), 'close');
  assert.equal(dropped, 2);
  busy.response.end('at last');
  const [data] = await once(busy.client, 'data');
  assert.match(String(data), /at last/);
  assert.deepEqual([second.readyState, third.readyState], ['open', 'open']);
});

test('with a request on each connection, a new one is closed', async (context) => {
  const { open, connectOnly } = await listen(context, { connectionsMax: 2 });
  const busy = [await open(), await open()];
  const refused = await connectOnly();
  await once(refused.resume(), 'close');
  assert.deepEqual(
    busy.map(({ client }) => client.readyState),
    ['open', 'open'],
  );
});

/** A server whose responses a test makes. */
async function listen(context: TestContext, options: Partial<ConstructorParameters<typeof OpenConnections>[1]>) {
  const server = createServer().listen(0, '127.0.0.1');
  const connections = new OpenConnections(server, {
    ...{ connectionsMax: 0, stallMsMax: 0, onDropped: () => {} },
    ...options,
  });
  server.on('request', (request, response) => {
    const begun = new RequestContext(request, response);
    connections.beginRequest(begun);
    response.on('close', () => connections.endRequest(begun));
  });
  await once(server, 'listening');
  const clients: Socket[] = [];
  context.after(() => {
    for (const client of clients) client.destroy();
    server.close();
    server.closeAllConnections();
  });
  async function connectOnly(): Promise<Socket> {
    const accepted = once(server, 'connection');
    const client = connect(portOf(server), '127.0.0.1').on('error', () => {});
    clients.push(client);
    await accepted;
    return client;
  }
  async function open() {
    const client = await connectOnly();
    const requested = once(server, 'request');
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const [, response] = (await requested) as [IncomingMessage, ServerResponse];
    return { client, response };
  }
  return { connections, open, connectOnly };
}
