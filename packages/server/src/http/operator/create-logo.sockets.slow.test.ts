import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { parseResponses } from '../../../test/http/exchange.ts';
import { OperatorFixture } from '../../../test/http/operator-fixture.ts';

test('of many clients that keep sending at the same time, all receive the 413', async (t) => {
  const operator = await OperatorFixture.open(sqlite);
  t.after(() => operator.close());
  const body = Buffer.alloc(16 * 1_048_576);
  const head = [
    'POST /operator/v1/logos HTTP/1.1',
    'Host: 127.0.0.1:8081',
    `Authorization: Bearer ${operator.tokens.portal.token}`,
    'Content-Type: multipart/form-data; boundary=x',
    `Content-Length: ${body.length}`,
    '\r\n',
  ].join('\r\n');
  const refusals = Array.from({ length: 24 }, async () => {
    const socket = connect({ port: await operator.port(), host: '127.0.0.1', allowHalfOpen: true });
    let received = '';
    socket.setEncoding('latin1').on('data', (piece) => {
      received += piece;
    });
    socket.write(head);
    socket.end(body);
    // What is not read is reset after a moment.
    await new Promise((closed) => socket.on('error', () => {}).once('close', closed));
    return parseResponses(received)[0]?.refusal;
  });
  assert.deepEqual(new Set(await Promise.all(refusals)), new Set(['413 body_too_large']));
});
