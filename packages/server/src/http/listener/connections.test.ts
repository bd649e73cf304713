import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import { parseResponses } from '../../../test/http/exchange.ts';
import { portOf } from '../../../test/http/port-of.ts';
import { closeWhenIdle, connectionLimits, drain } from './connections.ts';

const limits = [
  { what: '512 descriptors are reserved', openFiles: 20_000, expected: { public: 19_488, operator: 128 } },
  { what: 'half of a few descriptors are reserved', openFiles: 200, expected: { public: 100, operator: 25 } },
  {
    what: 'without a limit of open files, public connections have none either',
    openFiles: Number.POSITIVE_INFINITY,
    expected: { public: Number.POSITIVE_INFINITY, operator: 128 },
  },
  {
    what: 'a setting lowers the limit of public connections',
    openFiles: 20_000,
    connectionsMax: 300,
    expected: { public: 300, operator: 128 },
  },
  {
    what: 'no setting takes what is reserved',
    openFiles: 1_024,
    connectionsMax: 1_000,
    expected: { public: 512, operator: 128 },
  },
];

test('a flood on the public listener leaves descriptors to everything else', () => {
  for (const { what, openFiles, connectionsMax = 0, expected } of limits) {
    assert.deepEqual(connectionLimits(connectionsMax, openFiles), expected, what);
  }
});

test('closing resets no connection that waits to be accepted or read', async () => {
  const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  // The system connects them before the server can accept any.
  const responses = Array.from({ length: 100 }, () => {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    return text(socket);
  });
  await closeWhenIdle(server, () => server.close());
  assert.equal(server.listening, false);
  for (const response of await Promise.all(responses)) assert.match(response, /^HTTP\/1\.1 200 /);
});

const hourMs = 3_600_000;
const request = 'GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

test('a listener that accepts no more connections serves each open one once more', async () => {
  const { listener, open } = await connected();
  const drained = drain([listener], { noticeMs: 0, retentionMs: hourMs, cutOffMs: hourMs });
  while (listener.server.listening) await turn();
  // Without a retention, the connection would be closed in one of these turns.
  for (let turns = 0; turns < 200; turns += 1) await turn();
  open.write(request);
  const [response] = parseResponses(await text(open));
  assert.equal(response?.status, 404);
  assert.equal(await drained, null);
});

test('a request that arrives as the retention ends is served', async () => {
  const { listener, open } = await connected();
  const drained = drain([listener], { noticeMs: 0, retentionMs: hourMs, cutOffMs: hourMs });
  while (listener.server.listening) await turn();
  open.write(request);
  // Ends the retention before the server can read the request.
  listener.server.emit('close');
  const [response] = parseResponses(await text(open));
  assert.equal(response?.status, 404);
  assert.equal(await drained, null);
});

test('an idle connection is closed after a while, and is not cut off', async () => {
  const { listener, open } = await connected();
  const ended = text(open);
  assert.equal(await drain([listener], { noticeMs: 0, retentionMs: 0, cutOffMs: hourMs }), null);
  assert.equal(await ended, '');
});

/** A listener with one open connection. */
async function connected(): Promise<{ listener: FastifyInstance; open: Socket }> {
  const listener = fastify();
  await listener.listen({ port: 0, host: '127.0.0.1' });
  const open = connect(portOf(listener.server), '127.0.0.1');
  await once(listener.server, 'connection');
  return { listener, open };
}
