import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import fastify from 'fastify';
import type { StreamedPage } from '../../kernel/event-waits.ts';
import { OpenConnections } from '../listener/open-connections.ts';
import { sendEventStream } from '../operator/operation-route.ts';

const page: StreamedPage = {
  items: [{ event: { id: 'event_x', type: 'app.updated' } as never, cursor: 'x'.repeat(100_000) }],
  nextCursor: '',
  isAtEnd: false,
  end: { position: 0, id: '' },
};

test('nothing is read for a client that does not read, and its stream ends', { timeout: 60_000 }, async () => {
  const app = fastify();
  let pages = 0;
  const ended = Promise.withResolvers<void>();
  async function* endless() {
    try {
      for (; ; pages += 1) {
        yield page;
        await new Promise(setImmediate);
      }
    } finally {
      ended.resolve();
    }
  }
  app.get('/', (_request, reply) => sendEventStream(reply, endless()));
  new OpenConnections(app.server, { connectionsMax: 0, stallMsMax: 200, onDropped: assert.fail });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  await once(client, 'connect');
  client.pause().write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await ended.promise;
  assert.ok(pages < 1_000, `${pages} pages of 100 kB are in memory`);
  client.destroy();
  await app.close();
});
