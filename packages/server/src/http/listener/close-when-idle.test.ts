import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { closeWhenIdle } from './close-when-idle.ts';

test('closing cuts off nobody who waits to be accepted or read', async () => {
  const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  // They are connected by the system before the server can accept any of them.
  const answers = Array.from({ length: 100 }, () => {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    return text(socket);
  });
  await closeWhenIdle(server, () => server.close());
  assert.equal(server.listening, false);
  for (const answer of await Promise.all(answers)) assert.match(answer, /^HTTP\/1\.1 200 /);
});
