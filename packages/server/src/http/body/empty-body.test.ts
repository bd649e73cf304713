import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { parseResponses } from '../../../test/http/exchange.ts';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import { OperatorFixture } from '../../../test/http/operator-fixture.ts';
import { operatorOperations, publicOperations } from '../../features/operations.ts';
import { newId } from '../../kernel/ids.ts';
import type { OperatorOperation } from '../../kernel/operation.ts';

// How a body is framed is the same on every engine.
let http: HttpFixture;
let operator: OperatorFixture;
before(async () => {
  http = await HttpFixture.open(sqlite);
  operator = await OperatorFixture.open(sqlite);
});
after(async () => {
  await http.close();
  await operator.close();
});

type Framing = [what: string, field: string | null, body: string];
const framings: Framing[] = [
  ['a length of 0', 'Content-Length: 0', ''],
  ['chunks', 'Transfer-Encoding: chunked', '0\r\n\r\n'],
  ['chunks with a trailer', 'Transfer-Encoding: chunked', '0\r\nDigest: none\r\n\r\n'],
];
const types = [undefined, 'application/json', 'text/plain', 'application/octet-stream'];

interface Target {
  method: string;
  path: string;
  token: string;
  listener: HttpFixture | OperatorFixture;
}

/** The status and the code of the response to a request with such a body. */
async function outcome({ method, path, token, listener }: Target, type: string | undefined, [, field, body]: Framing) {
  const lines = [
    `${method} ${path.replaceAll(/:\w+/g, newId('app'))} HTTP/1.1`,
    `Host: ${listener === http ? 'localhost' : '127.0.0.1:8081'}`,
    `Authorization: Bearer ${token}`,
    'Connection: close',
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    ...(field === null ? [] : [field]),
  ];
  const [response] = await listener.exchange(`${lines.join('\r\n')}\r\n\r\n${body}`);
  assert.ok(response);
  return response.status < 400 ? response.status : response.refusal;
}

async function assertSame(target: Target): Promise<void> {
  for (const type of types) {
    const none = await outcome(target, type, ['no body', null, '']);
    if (!target.path.startsWith('/session')) assert.notEqual(none, '404 path_not_found', target.path);
    for (const framing of framings) {
      assert.equal(await outcome(target, type, framing), none, `${framing[0]}, ${type}`);
    }
  }
}

describe('a body of no bytes counts as no body, however it is framed, for', () => {
  for (const [id, { method, path }] of Object.entries(publicOperations)) {
    test(id, () => {
      const token = http.tokens[method === 'PATCH' ? 'developer' : 'platform'];
      return assertSame({ method, path, token, listener: http });
    });
  }

  // A stream does not end.
  const operations = Object.entries<OperatorOperation>(operatorOperations).filter(([, { streams }]) => !streams);
  for (const [id, { method, path }] of operations) {
    test(id, () =>
      assertSame({
        method,
        path,
        token: operator.tokens.admin.token,
        listener: operator,
      }),
    );
  }

  for (const [method, path] of [
    ['POST', '/session'],
    ['DELETE', '/session'],
    ['POST', '/session/authorization-request'],
    ['POST', '/session/authorization-response'],
  ] as const) {
    test(`${method} ${path}`, () => assertSame({ method, path, token: '', listener: operator }));
  }
});

test('a chunked body is read from its first byte, which comes after the header', async () => {
  const { id } = await operator.data.newApp({ status: 'AWAITING_REVIEW' });
  const socket = connect(await operator.port(), '127.0.0.1');
  const lines = [
    `POST /operator/v1/apps/${id}/withdraw HTTP/1.1`,
    'Host: 127.0.0.1:8081',
    `Authorization: Bearer ${operator.tokens.admin.token}`,
    'Connection: close',
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
    'Expect: 100-continue',
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  await once(socket, 'data');
  socket.write('1\r\n{\r\n1\r\n}\r\n0\r\n\r\n');
  const [response] = parseResponses(await buffer(socket));
  assert.equal(response?.status, 200);
});
