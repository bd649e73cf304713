import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import { parseResponses } from '../../../test/http/exchange.ts';
import { portOf } from '../../../test/http/port-of.ts';
import { drain } from './connections.ts';

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
