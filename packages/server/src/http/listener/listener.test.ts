import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { exchange, parseResponses } from '../../../test/http/exchange.ts';
import { holdNextWrite } from '../../../test/http/hold-next-write.ts';
import { HttpFixture } from '../../../test/http/http-fixture.ts';

// What a listener does before a route is found is the same on every engine. The fixture checks each response: problem
// details, with the request id that is in the header and in one line of the log.
let http: HttpFixture;
let appId: string;
before(async () => {
  http = await HttpFixture.open(sqlite);
  appId = (await http.data.newApp()).id;
});
after(() => http.close());

describe('a path', () => {
  test('that is unknown gets 404 with any known method, with or without a token', async () => {
    for (const method of ['GET', 'PATCH', 'POST', 'DELETE', 'OPTIONS']) {
      for (const headers of [{}, bearer(http.tokens.platform)]) {
        const response = await http.send({ method, path: '/nothing/here?access=1', headers });
        assert.equal(response.refusal, '404 path_not_found', method);
      }
    }
  });

  test('is the same however it is encoded, but for an encoded slash', async () => {
    const encoded = await http.send({ method: 'POST', path: '/platform/%61pps/v1/app%5Fx?access=1' });
    assert.equal(encoded.refusal, '405 method_not_allowed');
    const slash = await http.send({ method: 'POST', path: '/platform%2Fapps/v1/app_x' });
    assert.equal(slash.refusal, '404 path_not_found');
  });

  test('with malformed percent-encoding gets 400', async () => {
    for (const path of ['/platform/apps/v1/%', '/platform/apps/v1/%zz', '/platform/apps/v1/%ff', '/%c0%80']) {
      assert.equal((await http.send({ method: 'GET', path })).refusal, '400 malformed_request', path);
    }
  });

  test('can be an absolute URL (RFC 9112, 3.2.2)', async () => {
    const response = await one('GET http://apps.example.com/nothing HTTP/1.1', 'Host: apps.example.com');
    assert.equal(response.refusal, '404 path_not_found');
  });
});

describe('a malformed request gets 400', () => {
  const malformed: Record<string, string[]> = {
    'bytes that are not HTTP': ['\u0001\u0002\u0003'],
    'the preface of HTTP/2': ['PRI * HTTP/2.0', '', 'SM'],
    'a field without a colon': ['GET / HTTP/1.1', 'Host: localhost', 'nonsense'],
    'a field name with a space': ['GET / HTTP/1.1', 'Host: localhost', 'Content-Type : text/plain'],
    'two lengths': ['PATCH / HTTP/1.1', 'Host: localhost', 'Content-Length: 2', 'Content-Length: 3'],
    'a length and chunks': ['PATCH / HTTP/1.1', 'Host: localhost', 'Content-Length: 2', 'Transfer-Encoding: chunked'],
    'a length that is no number': ['PATCH / HTTP/1.1', 'Host: localhost', 'Content-Length: two'],
    'a method without a path': ['FROB', 'Host: localhost'],
  };
  for (const [what, lines] of Object.entries(malformed)) {
    test(what, async () => {
      assert.equal((await one(...lines)).refusal, '400 malformed_request');
    });
  }

  test('a body with malformed chunks, under the id of its request', async () => {
    const response = await one(...patchHead(), 'Transfer-Encoding: chunked', '', 'zz', '{}');
    assert.equal(response.refusal, '400 malformed_request');
    assert.equal(http.log.requests().get(response.problem.requestId)?.[0]?.route, '/developer/apps/v1/:id');
  });
});

test('HTTP/1.0 needs no Host', async () => {
  assert.equal((await one('GET /nothing HTTP/1.0')).status, 404);
});

test('100-continue is supported', async () => {
  const fields = ['Content-Type: application/json', 'Content-Length: 2', 'Expect: 100-continue', 'Connection: close'];
  const request = [...patchHead(), ...fields, '', '{}'].join('\r\n');
  const [interim, final] = await exchange(await http.port(), request);
  assert.deepEqual([interim?.status, final?.status], [100, 200]);
});

test('an upgrade request gets the same response as without Upgrade', async () => {
  const fields = ['Host: localhost', 'Connection: Upgrade, close', 'Upgrade: websocket'];
  assert.equal((await one('GET /nothing HTTP/1.1', ...fields)).refusal, '404 path_not_found');
  assert.equal((await one('GET /openapi.json HTTP/1.1', ...fields)).status, 200);
});

test('a request followed by malformed bytes gets its response first', async () => {
  const body = '{"name":"Before the nonsense"}';
  const request = [...patchHead(), 'Content-Type: application/json', `Content-Length: ${body.length}`, '', body];
  const [response, nonsense, ...rest] = await http.exchange(`${request.join('\r\n')}nonsense\r\n\r\nnonsense\r\n\r\n`);
  assert.deepEqual([response?.status, nonsense?.refusal, rest], [200, '400 malformed_request', []]);
});

test('a request with a malformed body gets its response after the previous request', async () => {
  const body = '{"name":"Before a broken body"}';
  const type = 'Content-Type: application/json';
  const good = [...patchHead(), type, `Content-Length: ${body.length}`, '', body].join('\r\n');
  const broken = [...patchHead(), type, 'Transfer-Encoding: chunked', '', 'nonsense\r\n'].join('\r\n');
  assert.deepEqual(
    (await http.exchange(good + broken)).map(({ status }) => status),
    [200, 400],
  );
});

test('any amount of malformed bytes gets one response and one log line', async () => {
  const known = http.log.requests().size;
  const socket = connect({ port: await http.port(), host: '127.0.0.1', allowHalfOpen: true });
  socket.setEncoding('latin1').write('nonsense\r\n\r\n');
  const [received] = await once(socket, 'data');
  socket.resume().end('nonsense\r\n\r\n');
  await once(socket, 'close');
  assert.deepEqual(
    parseResponses(received).map(({ refusal }) => refusal),
    ['400 malformed_request'],
  );
  assert.equal(http.log.requests().size, known + 1);
});

test('a client that half-closes after its request gets its response, and the connection closes', async () => {
  const socket = connect({ port: await http.port(), host: '127.0.0.1', allowHalfOpen: true });
  const body = '{"name":"Ended"}';
  const request = [...patchHead(), 'Content-Type: application/json', `Content-Length: ${body.length}`, '', body];
  const held = holdNextWrite(http.data.registry.storage);
  socket.setEncoding('latin1').end(request.join('\r\n'));
  await held.requested;
  await held.release();
  const pieces: string[] = await socket.toArray();
  assert.deepEqual(
    parseResponses(pieces.join('')).map(({ status }) => status),
    [200],
  );
});

test('a client that sends too slowly gets 408', async () => {
  const strict = await HttpFixture.open(sqlite, { headersTimeoutMs: 50, requestTimeoutMs: 50 });
  const { id } = await strict.data.newApp();
  const head = [
    `PATCH /developer/apps/v1/${id} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${strict.tokens.developer}`,
    'Content-Type: application/json',
    'Content-Length: 2',
  ];
  const body = [...head, '', '{'].join('\r\n');
  const responses = await Promise.all([strict.exchange('GET /nothing HTTP/1.1\r\nHost'), strict.exchange(body)]);
  assert.deepEqual(
    responses.flat().map(({ refusal }) => refusal),
    ['408 request_timeout', '408 request_timeout'],
  );
  await strict.close();
});

test('the limits of time and size are off at 0', async () => {
  const unlimited = await HttpFixture.open(sqlite, {
    headersTimeoutMs: 0,
    requestTimeoutMs: 0,
    headerBytesMax: 0,
    bodyBytesMax: 0,
  });
  const { headersTimeout, requestTimeout } = unlimited.listener.server;
  assert.deepEqual([headersTimeout, requestTimeout], [0, 0]);
  const long = `X: ${'a'.repeat(100_000)}`;
  const [response] = await unlimited.exchange(
    `GET /nothing HTTP/1.1\r\nHost: a\r\n${long}\r\nConnection: close\r\n\r\n`,
  );
  assert.equal(response?.refusal, '404 path_not_found');
  const { id } = await unlimited.data.newApp();
  assert.equal((await unlimited.updateApp(id, '{}'.padEnd(1_000_000))).status, 200);
  await unlimited.close();
});

test('the timeout of the header is never longer than that of the request', async () => {
  for (const headersTimeoutMs of [0, 10_000]) {
    const http = await HttpFixture.open(sqlite, { headersTimeoutMs, requestTimeoutMs: 5_000 });
    assert.equal(http.listener.server.headersTimeout, 5_000);
    await http.close();
  }
});

function patchHead(): string[] {
  return [
    `PATCH /developer/apps/v1/${appId} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${http.tokens.developer}`,
  ];
}

/** The only response to these lines, on a connection of its own. */
async function one(...lines: string[]): Promise<HttpResponse> {
  const head = lines.some((line) => line.startsWith('Connection:'))
    ? lines
    : [lines[0], 'Connection: close', ...lines.slice(1)];
  const [response, ...rest] = await http.exchange(`${head.join('\r\n')}\r\n\r\n`);
  assert.deepEqual(rest, []);
  return response ?? assert.fail('no response');
}
