import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { portOf } from '../../../test/http/port-of.ts';
import { disconnectStalledReaders } from '../listener/connections.ts';
import { RequestContext } from '../listener/request-context.ts';

const stallMsMax = 86_400_000;

describe('a connection without activity', () => {
  test('is reset in the middle of a response, also of one that others wait behind', async (t) => {
    const { client, context, stall } = await connection(t.after.bind(t));
    context.response.write('the first part');
    await once(client, 'data');
    const { request } = context;
    new RequestContext(request, new ServerResponse(request)).behind = context;
    stall();
    const [error] = await once(client, 'error');
    assert.equal(error.code, 'ECONNRESET');
  });

  test('is closed between two requests', async (t) => {
    const { client, context, stall } = await connection(t.after.bind(t));
    context.response.end('all');
    await once(client, 'data');
    if (!context.response.writableFinished) await once(context.response, 'finish');
    stall();
    await once(client.resume(), 'end');
  });

  test('stays open while its response is being made', async (t) => {
    const { client, context, stall, socket } = await connection(t.after.bind(t));
    stall();
    assert.deepEqual([socket.destroyed, socket.timeout], [false, stallMsMax]);
    context.response.end('at last');
    const [data] = await once(client, 'data');
    assert.match(String(data), /at last/);
  });
});

test('0 means no limit', () => {
  const server = createServer();
  disconnectStalledReaders(server, 0);
  assert.equal(server.timeout, 0);
  disconnectStalledReaders(server, 1_234);
  assert.equal(server.timeout, 1_234);
});

/** A connection with a request. */
async function connection(after: (end: () => void) => void) {
  const server = createServer().listen(0, '127.0.0.1');
  disconnectStalledReaders(server, stallMsMax);
  await once(server, 'listening');
  const client = connect(portOf(server), '127.0.0.1').on('error', () => {});
  after(() => {
    client.destroy();
    server.close();
    server.closeAllConnections();
  });
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [request, response] = (await once(server, 'request')) as [RequestContext['request'], ServerResponse];
  const socket: Socket = request.socket;
  const context = new RequestContext(request, response);
  return { client, socket, context, stall: () => server.emit('timeout', socket) };
}
