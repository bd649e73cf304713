import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { HttpFixture } from '../../../test/http/http-fixture.ts';

onSqlite((engine) => {
  let http: HttpFixture;
  let appId: string;
  before(async () => {
    http = await HttpFixture.open(engine);
    appId = (await http.data.newApp()).id;
  });
  after(() => http.close());

  const padded = (length: number) => '{}'.padEnd(length, ' ');
  const head = (fields: string) =>
    [
      `PATCH /developer/apps/v1/${appId} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${http.tokens.developer}`,
      'Content-Type: application/json',
      fields,
      '\r\n',
    ].join('\r\n');

  test('a body of 65,536 bytes is accepted, and one of 65,537 is refused', async () => {
    assert.equal((await http.updateApp(appId, padded(65_536))).status, 200);
    assert.equal((await http.updateApp(appId, padded(65_537))).refusal, '413 body_too_large');
  });

  test('the limit counts bytes, not characters', async () => {
    const body = JSON.stringify({ unknown: 'é'.repeat(33_000) });
    assert.equal((await http.updateApp(appId, body)).refusal, '413 body_too_large');
  });

  test('a Content-Length beyond the limit is refused before the body is sent', async () => {
    const [response] = await http.exchange(head('Content-Length: 65537'));
    assert.equal(response?.refusal, '413 body_too_large');
  });

  test('a chunked body is refused once it exceeds the limit', async () => {
    const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`;
    const [response] = await http.exchange(`${head('Transfer-Encoding: chunked')}${chunk.repeat(4)}1\r\n \r\n`);
    assert.equal(response?.refusal, '413 body_too_large');
  });

  test('a body of any size is accepted if BODY_BYTES_MAX is 0', async () => {
    const open = await HttpFixture.open(engine, { bodyBytesMax: 0 });
    const app = await open.data.newApp();
    assert.equal((await open.updateApp(app.id, padded(2_000_000))).status, 200);
    await open.close();
  });
});
