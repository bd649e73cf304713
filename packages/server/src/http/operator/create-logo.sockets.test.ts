import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { type EncodedForm, encodeForm } from '@appregistrar/testkit/http/form';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import sharp from 'sharp';
import { parseResponses } from '../../../test/http/exchange.ts';
import { OperatorFixture } from '../../../test/http/operator-fixture.ts';

onSqlite((engine) => {
  let operator: OperatorFixture;
  let form: EncodedForm;
  before(async () => {
    operator = await OperatorFixture.open(engine);
    const image = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    form = await encodeForm({ developerId: operator.data.developer.id, image });
  });
  after(async () => {
    assert.deepEqual(await rowsOf(operator.data.registry.storage, 'logos'), []);
    await operator.close();
  });

  const head = (
    field: string,
    { token, type = form.headers['content-type'] }: { token?: string; type?: string } = {},
  ) =>
    [
      'POST /operator/v1/logos HTTP/1.1',
      'Host: 127.0.0.1:8081',
      `Authorization: Bearer ${token ?? operator.tokens.portal.token}`,
      `Content-Type: ${type}`,
      field,
      '\r\n',
    ].join('\r\n');

  test('the token, its scope, the media type and the length are checked before any of the body is sent', async () => {
    const mebibytes = (count: number) => `Content-Length: ${count * 1_048_576}`;
    const refusal = async (request: string) => {
      const socket = connect(await operator.port(), '127.0.0.1');
      socket.write(request);
      const [data] = await once(socket.setEncoding('latin1'), 'data');
      socket.destroy();
      return parseResponses(data)[0]?.refusal;
    };
    assert.equal(await refusal(head(mebibytes(1), { token: 'none' })), '401 token_invalid');
    const { token } = operator.tokens.read;
    assert.equal(await refusal(head(mebibytes(100), { token, type: 'text/plain' })), '403 insufficient_scope');
    assert.equal(await refusal(head(mebibytes(100), { type: 'text/plain' })), '415 unsupported_media_type');
    assert.equal(await refusal(head(mebibytes(100))), '413 body_too_large');
  });

  test('a client that keeps sending still receives the 413 for its oversized body', async () => {
    const refusal = async (field: string, piece: string) => {
      const socket = connect(await operator.port(), '127.0.0.1');
      socket.write(head(field));
      const response = text(socket.setEncoding('latin1'));
      for (let sent = 0; sent < 100 && socket.writable; sent += 1) {
        if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), response]);
      }
      return parseResponses(await response)[0]?.refusal;
    };
    const piece = 'x'.repeat(1_048_576);
    assert.equal(await refusal(`Content-Length: ${100 * piece.length}`, piece), '413 body_too_large');
    assert.equal(await refusal('Transfer-Encoding: chunked', `100000\r\n${piece}\r\n`), '413 body_too_large');
  });

  test('an upload that the client abandons leaves nothing behind', async () => {
    const loggedBefore = operator.log.requests().size;
    for (const end of [(socket: Socket) => socket.end(), (socket: Socket) => socket.resetAndDestroy()]) {
      const socket = connect(await operator.port(), '127.0.0.1');
      socket.on('error', () => {}).resume();
      socket.write(head(`Content-Length: ${form.body.length}`));
      socket.write(form.body.subarray(0, 200), () => end(socket));
      await once(socket, 'close');
    }
    while (operator.log.requests().size < loggedBefore + 2) await new Promise(setImmediate);
    assert.doesNotMatch(operator.log.text, /"level":50/);
  });

  test('a client that sends too slowly receives 408', async () => {
    const strict = await OperatorFixture.open(engine, { requestTimeoutMs: 50 });
    const { token } = strict.tokens.portal;
    const [response] = await strict.exchange(`${head(`Content-Length: ${form.body.length}`, { token })}--`);
    assert.equal(response?.refusal, '408 request_timeout');
    await strict.close();
  });

  test('a chunked body is read to its end, however small its chunks are', async () => {
    const { headers, body } = await encodeForm({ developerId: 'ada', image: Buffer.from('no image') });
    const chunks = [...body].map((byte) => `1\r\n${String.fromCharCode(byte)}\r\n`).join('');
    const request = `${head('Transfer-Encoding: chunked\r\nConnection: close', { type: headers['content-type'] })}${chunks}`;
    const responseTo = async (end: string): Promise<HttpResponse | undefined> =>
      (await operator.exchange(Buffer.from(request + end, 'latin1')))[0];
    assert.deepEqual((await responseTo('0\r\n\r\n'))?.validationErrors, [
      '/developerId invalid_format',
      '/image invalid_format',
    ]);
    assert.equal((await responseTo('x\r\n'))?.refusal, '400 malformed_request');
  });
});
