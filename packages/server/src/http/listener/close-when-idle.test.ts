import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { portOf } from '../../../test/http/port-of.ts';
import { closeWhenIdle } from './connections.ts';

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
