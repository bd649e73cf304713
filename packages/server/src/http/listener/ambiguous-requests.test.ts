import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import { OperatorFixture } from '../../../test/http/operator-fixture.ts';
import { knownMethods } from './request-header.ts';

// What a listener does before a route is found is the same on every engine. The fixtures check each response: problem
// details, with the request id that is in the header and in one line of the log.
let http: HttpFixture;
let operator: OperatorFixture;
let appId: string;
let operations: { name: string; line: string; fields: string[]; host: string; send: typeof http.exchange }[];

before(async () => {
  http = await HttpFixture.open(sqlite);
  operator = await OperatorFixture.open(sqlite);
  appId = (await http.data.newApp()).id;
  const { id } = await operator.data.newApp();
  const [json, publicHost, operatorHost] = ['Content-Type: application/json', 'localhost', '127.0.0.1:8081'];
  const bearer = (token: string) => `Authorization: Bearer ${token}`;
  operations = [
    {
      name: 'Update App',
      line: `PATCH /developer/apps/v1/${appId}`,
      fields: [bearer(http.tokens.developer), json],
      host: publicHost,
      send: (request) => http.exchange(request),
    },
    {
      name: 'Get App',
      line: `GET /platform/apps/v1/${appId}`,
      fields: [bearer(http.tokens.platform)],
      host: publicHost,
      send: (request) => http.exchange(request),
    },
    {
      name: 'an update by an operator',
      line: `PATCH /operator/v1/apps/${id}`,
      fields: [bearer(operator.tokens.admin.token), json],
      host: operatorHost,
      send: (request) => operator.exchange(request),
    },
  ];
});
after(async () => {
  await http.close();
  await operator.close();
});

describe('every operation', () => {
  test('serves the request that the others here are made from', async () => {
    for (const status of await statusesOf({})) assert.equal(status, '200');
  });

  const twice: Record<string, string[]> = {
    Authorization: ['Authorization: Bearer another'],
    'Authorization in other letters': ['aUTHORIZATION: Basic YWRhOg=='],
    'Content-Type': ['Content-Type: text/plain', 'Content-Type: application/json'],
    Host: ['Host: evil.example'],
    'the same Host': ['Host: localhost', 'Host: localhost'],
    'Content-Length': ['Content-Length: 2'],
    'Idempotency-Key': ['Idempotency-Key: one', 'Idempotency-Key: two'],
    Origin: ['Origin: https://one.example', 'Origin: https://two.example'],
    'User-Agent': ['User-Agent: one', 'User-Agent: two'],
  };
  for (const [what, fields] of Object.entries(twice)) {
    test(`rejects ${what} twice with 400`, async () => {
      for (const status of await statusesOf({ fields })) assert.equal(status, '400 malformed_request');
    });
  }

  test('reads a list of several fields as one', async () => {
    const fields = ['Accept-Encoding: identity', 'Accept-Encoding: gzip', 'If-Match: *', 'If-None-Match: "other"'];
    for (const status of await statusesOf({ fields })) assert.equal(status, '200');
  });

  test('rejects an If-Match or If-None-Match that is no list of tags with 400, and names it', async () => {
    for (const name of ['If-Match', 'If-None-Match']) {
      for (const field of ['one', '"one', "'one'", 'w/"one"', '"one", two', '"one" *']) {
        for (const operation of operations) {
          const [response] = await operation.send(requestText(operation, { fields: [`${name}: ${field}`] }));
          assert.equal(response?.refusal, '400 malformed_request', `${name}: ${field}`);
          assert.match(response.problem.detail, new RegExp(`^The ${name} header`));
        }
      }
    }
  });

  test('rejects a Host that is none with 400', async () => {
    const addresses = ['[::1', '::1', '[::1]x', '[1.2.3.4]', 'localhost:port', 'localhost:99999', 'localhost:1:2'];
    const texts = ['', 'a b', 'user@localhost', 'user:pass@localhost', 'localhost, evil.example', 'localhost/path'];
    for (const host of [...addresses, ...texts, 'a%2eb', 'a\\b', 'a?b', 'a#b', '<a>', 'b\xfccher.example']) {
      for (const status of await statusesOf({ host })) assert.equal(status, '400 malformed_request', host);
    }
  });

  test('rejects a request without Host with 400', async () => {
    for (const status of await statusesOf({ host: null })) assert.equal(status, '400 malformed_request');
  });

  test('rejects a complete URL of another host than the Host with 400', async () => {
    for (const { line, host, ...operation } of operations) {
      const [method, path] = line.split(' ');
      const sent = async (origin: string, variation: Variation = {}) => {
        const target = { line: `${method} ${origin}${path}`, host, ...operation };
        const [response] = await operation.send(requestText(target, variation));
        return outcomeOf(response);
      };
      for (const origin of [`http://${host}`, `HTTPS://${host.toUpperCase()}`]) assert.equal(await sent(origin), '200');
      const others = ['http://evil.example', 'http://', 'evil', 'ftp://', `ftp://${host}`, 'http://evil..'];
      const ambiguous = [`http://${host}@evil.example`, `http://ada@${host}`, `http://${host}?`, `http://${host}\\`];
      for (const origin of [...others, ...ambiguous]) {
        assert.equal(await sent(origin), '400 malformed_request', origin);
      }
      const unnamed = await sent('http://undefined', { host: null, version: '1.0' });
      assert.equal(unnamed, '400 malformed_request');
    }
  });

  test('takes the target * with OPTIONS alone', async () => {
    for (const { send, host } of operations) {
      const sent = async (method: string) => {
        const [response] = await send(`${method} * HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
        return response?.status;
      };
      for (const method of ['GET', 'PATCH', 'DELETE']) assert.equal(await sent(method), 400);
      assert.notEqual(await sent('OPTIONS'), 400);
    }
  });

  test('rejects more header fields than are read with 431, also where a repeated one would be dropped', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => `a${at}:`);
    for (const status of await statusesOf({ fields: many(900) })) assert.equal(status, '200');
    for (const status of await statusesOf({ fields: many(2_001) })) assert.equal(status, '431 headers_too_large');
  });

  test('rejects any other Transfer-Encoding with 501', async () => {
    const codings = [
      'gzip, chunked',
      'gzip,chunked',
      'identity',
      'chunked, chunked',
      'xchunked',
      'gzip',
      'chunked;q=1',
      '',
    ];
    for (const coding of codings) {
      const transferEncoding = [`Transfer-Encoding: ${coding}`];
      for (const status of await statusesOf({ framing: transferEncoding, body: '2\r\n{}\r\n0\r\n\r\n' })) {
        assert.equal(status, '501 not_implemented', coding);
      }
    }
  });

  test('takes the coding "chunked" in any case, and rejects it in HTTP/1.0', async () => {
    const body = '2\r\n{}\r\n0\r\n\r\n';
    for (const coding of ['chunked', 'Chunked', ' CHUNKED ']) {
      const framing = [`Transfer-Encoding: ${coding}`];
      for (const status of await statusesOf({ framing, body })) assert.equal(status, '200', coding);
    }
    for (const status of await statusesOf({ framing: ['Transfer-Encoding: chunked'], body, version: '1.0' })) {
      assert.equal(status, '400 malformed_request');
    }
  });

  test('a rejected request ends the connection: no request behind it is executed', async () => {
    const update = operations[0];
    const before = await http.stateOf(appId);
    const hidden = requestText(update, { body: '{"name":"Hidden"}' });
    const chunks = '2\r\n{}\r\n0\r\n\r\n';
    for (const variation of [
      { host: 'a b' },
      { fields: ['Authorization: Bearer another'] },
      { framing: ['Transfer-Encoding: gzip, chunked'], body: chunks },
    ]) {
      const rejected = requestText(update, variation).replace('Connection: close\r\n', '');
      const responses = await http.exchange(rejected + hidden);
      assert.deepEqual(
        responses.map(({ headers }) => headers.connection),
        ['close'],
      );
    }
    assert.deepEqual(await http.stateOf(appId), before);
  });
});

describe('a method that the registry does not know gets 501', () => {
  const paths = ['/platform/apps/v1/app_x', '/nothing'];

  test('if the parser knows it', async () => {
    const unknown = METHODS.filter((method) => !knownMethods.includes(method));
    assert.ok(unknown.includes('PROPFIND') && unknown.includes('TRACE') && unknown.includes('CONNECT'));
    for (const method of unknown) {
      for (const path of paths) {
        const [response] = await http.exchange(`${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
        assert.equal(response?.refusal, '501 not_implemented', `${method} ${path}`);
      }
    }
  });

  test('if the parser does not', async () => {
    const ofRtsp = ['PLAY', 'DESCRIBE', 'SETUP'];
    for (const method of ['FOO', 'GETX', 'GE', 'get', 'P', 'PATC', 'FIND-ALL', "X!#$%&'*+.^_`|~9", ...ofRtsp]) {
      for (const send of [http, operator]) {
        const [response, ...rest] = await send.exchange(`${method} / HTTP/1.1\r\nHost: localhost\r\n\r\n`);
        const received = [response?.refusal, response?.reason, rest];
        assert.deepEqual(received, ['501 not_implemented', 'Not Implemented', []], method);
      }
    }
  });

  test('also after another request on the connection', async () => {
    const first = 'GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const responses = await http.exchange(`${first}FOO / HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    assert.deepEqual(
      responses.map(({ refusal }) => refusal),
      ['404 path_not_found', '501 not_implemented'],
    );
  });

  test('and what is no method gets 400', async () => {
    for (const line of [
      '\x16\x03\x01',
      'G(T / HTTP/1.1',
      'GET\t/ HTTP/1.1',
      'FOO\x01 / HTTP/1.1',
      ' / HTTP/1.1',
      'FOO',
    ]) {
      const [response] = await http.exchange(`${line}\r\nHost: localhost\r\n\r\n`);
      assert.equal(response?.refusal, '400 malformed_request', JSON.stringify(line));
    }
  });
});

test('a request of HTTP/0.9 or HTTP/2 is refused', async () => {
  for (const line of ['GET /openapi.json', 'GET /openapi.json HTTP/0.9', 'GET /openapi.json HTTP/2.0']) {
    const [response] = await http.exchange(`${line}\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    assert.equal(response?.refusal, '400 malformed_request', line);
  }
});

test('a status line has the name of its status in RFC 9110', async () => {
  const update = operations[0];
  const requests: [string, string][] = [
    ['400 Bad Request', requestText(update, { host: 'a b' })],
    ['400 Bad Request', 'nonsense\r\n\r\n'],
    ['404 Not Found', 'GET /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['413 Content Too Large', requestText(update, { body: '{}'.padEnd(70_000) })],
    ['417 Expectation Failed', requestText(update, { fields: ['Expect: wonders'] })],
    ['422 Unprocessable Content', requestText(update, { body: '{"name":null}' })],
    ['431 Request Header Fields Too Large', requestText(update, { fields: [`X: ${'x'.repeat(20_000)}`] })],
    ['501 Not Implemented', 'FOO / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ];
  for (const [statusLine, request] of requests) {
    const [response] = await http.exchange(request);
    assert.equal(`${response?.status} ${response?.reason}`, statusLine);
  }
});

interface Variation {
  fields?: string[];
  /** Null leaves the field out. */
  host?: string | null;
  framing?: string[];
  body?: string;
  version?: string;
}

type Operation = (typeof operations)[number];

/** The response of each operation to a request that varies in this. */
function statusesOf(variation: Variation): Promise<string[]> {
  return Promise.all(
    operations.map(async (operation) => {
      const [response, ...rest] = await operation.send(requestText(operation, variation));
      assert.deepEqual(rest, []);
      return outcomeOf(response);
    }),
  );
}

function outcomeOf(response: HttpResponse | undefined): string {
  return response?.status === 200 ? '200' : (response?.refusal ?? 'no response');
}

function requestText(operation: Operation | undefined, variation: Variation): string {
  const { line, fields, host: ownHost } = operation ?? assert.fail('no operation');
  const isRead = line.startsWith('GET');
  const { host = ownHost, body = isRead ? '' : '{}', version = '1.1' } = variation;
  const framing = variation.framing ?? (body === '' ? [] : [`Content-Length: ${body.length}`]);
  // Node rejects a second length by itself, also of a GET.
  const more = isRead && variation.fields?.[0] === 'Content-Length: 2' ? ['Content-Length: 2'] : [];
  const head = [`${line} HTTP/${version}`, 'Connection: close', ...(host === null ? [] : [`Host: ${host}`]), ...fields];
  return [...head, ...more, ...(variation.fields ?? []), ...framing, '', body].join('\r\n');
}
