import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { curlOf } from './curl.ts';
import { guarantees } from './guarantees/index.ts';
import type { HttpRequest } from './interface-guarantee.ts';
import { Placeholders } from './placeholders.ts';
import { send } from './send.ts';

/** Headers that one of the two programs adds by itself, or frames differently. */
const ownHeaders = /^(?:user-agent|accept|connection|content-length|transfer-encoding|expect)$/i;

test('the printed command sends the request of the guarantee, byte for byte', async (t) => {
  let received: object[] = [];
  const server = createServer({ maxHeaderSize: 65_536, requireHostHeader: false }, async (request, response) => {
    const { method, url, rawHeaders } = request;
    const fields = rawHeaders.flatMap((name, at) => (at % 2 ? [] : [`${name}: ${rawHeaders[at + 1]}`]));
    const headers = fields.filter((field) => !ownHeaders.test(field.split(':')[0] ?? '')).toSorted();
    received.push({ method, url, headers, body: (await buffer(request)).toString('hex') });
    response.end();
  });
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/registry/`);
  const values = { app: 'app_a', otherApp: 'app_b', logo: 'logo_a', developerToken: 'one', platformToken: 'two' };
  const placeholders = new Placeholders({ ...values, otherDeveloperToken: 'three', unique: '12345678' });

  const templates = guarantees.flatMap(({ steps }) => steps.flatMap(({ requests }) => requests));
  const requests = comparable(templates).map((template) => placeholders.fillRequest(template));
  for (const request of requests) await send(baseUrl, request);
  const sent = received;
  received = [];
  const commands = requests.map((request) => curlOf(baseUrl, request));
  await promisify(execFile)('bash', ['-c', commands.join('\n')], { encoding: 'buffer' });
  assert.ok(requests.length > 150, 'most requests are compared');
  for (const [index, command] of commands.entries()) assert.deepEqual(received[index], sent[index], command);
});

/** Different requests that both programs can send to a server of Node. */
function comparable(requests: readonly HttpRequest[]): HttpRequest[] {
  const texts = new Set(requests.map((request) => JSON.stringify(request)));
  return [...texts]
    .map((text) => JSON.parse(text) as HttpRequest)
    .filter(({ method, headers }) => method !== 'FROB' && !('Transfer-Encoding' in headers) && !('Host' in headers));
}
