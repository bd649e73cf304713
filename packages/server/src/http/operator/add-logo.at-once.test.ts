import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { type EncodedForm, encodeForm } from '@appregistrar/testkit/http/form';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { parseResponses } from '../../../test/http/exchange.ts';
import { OperatorFixture } from '../../../test/http/operator-fixture.ts';

const atOnceMax = 2;

interface Upload {
  socket: Socket;
  response: Promise<HttpResponse | undefined>;
}

onSqlite((engine) => {
  let operator: OperatorFixture;
  let form: EncodedForm;
  before(async () => {
    operator = await OperatorFixture.open(engine, { uploadsAtOnceMax: atOnceMax });
    const image = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle r="4"/></svg>';
    form = await encodeForm({ developerId: operator.data.developer.id, image });
  });
  after(() => operator.close());

  test('uploads above the limit are refused before their bodies are read, and the others are stored', async () => {
    const uploads = await Promise.all(Array.from({ length: atOnceMax + 3 }, begin));
    const refused = new Set<Upload>();
    const allRefused = Promise.withResolvers<void>();
    for (const upload of uploads) {
      void upload.response.then((response) => {
        if (response?.status !== 503 || response.headers['retry-after'] !== '5') return;
        if (refused.add(upload).size === uploads.length - atOnceMax) allRefused.resolve();
      });
    }
    await allRefused.promise;
    for (const upload of uploads.filter((one) => !refused.has(one))) {
      upload.socket.write(form.body);
      assert.equal((await upload.response)?.status, 201);
    }
    const next = await begin();
    next.socket.write(form.body);
    assert.equal((await next.response)?.status, 201);
  });

  /** Sends the header of an upload, without its body. */
  async function begin(): Promise<Upload> {
    const socket = connect(await operator.port(), '127.0.0.1').on('error', () => {});
    const fields = [
      'POST /operator/v1/logos HTTP/1.1',
      'Host: 127.0.0.1:8081',
      `Authorization: Bearer ${operator.tokens.portal.token}`,
      `Content-Type: ${form.headers['content-type']}`,
      `Content-Length: ${form.body.length}`,
      'Connection: close',
    ];
    socket.write(`${fields.join('\r\n')}\r\n\r\n`);
    return { socket, response: buffer(socket).then((received) => parseResponses(received)[0]) };
  }
});
