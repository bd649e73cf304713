import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { HttpFixture } from '../../../test/http/http-fixture.ts';

onSqlite((engine) => {
  let http: HttpFixture;
  let appId: string;
  before(async () => {
    http = await HttpFixture.open(engine);
    appId = (await http.data.newApp()).id;
  });
  after(() => http.close());

  for (const type of ['application/json', 'application/merge-patch+json']) {
    test(`${type} is accepted in any case and with parameters`, async () => {
      for (const written of [
        type,
        type.toUpperCase(),
        `${type}; charset=utf-8`,
        `${type};charset="UTF-8"`,
        `${type} ; profile=x; a=b`,
        `${type};`,
      ]) {
        assert.equal((await http.updateApp(appId, {}, { 'content-type': written })).status, 200, written);
      }
    });
  }

  test('another media type is refused, and the response names the two accepted ones', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json-patch+json',
      'application/problem+json',
      'application/jsonx',
      'application',
      'application/json, text/plain',
      'text/plain; application/json',
      '*/*',
      '',
    ]) {
      assertRefused(await http.updateApp(appId, {}, { 'content-type': type }), type);
    }
  });

  test('a body without a media type is refused', async () => {
    const path = `/developer/apps/v1/${appId}`;
    assertRefused(
      await http.send({ method: 'PATCH', path, headers: bearer(http.tokens.developer), body: '{}' }),
      'none',
    );
  });

  test('a body with a Content-Encoding is refused, even if it is identity', async () => {
    for (const encoding of ['gzip', 'br', 'identity', 'GZIP']) {
      const response = await http.updateApp(appId, {}, { 'content-encoding': encoding });
      assertRefused(response, encoding);
      assert.equal(response.headers['accept-encoding'], 'identity');
    }
  });
});

function assertRefused(response: HttpResponse, what: string): void {
  assert.equal(response.refusal, '415 unsupported_media_type', what);
  assert.equal(response.headers['accept-patch'], 'application/json, application/merge-patch+json', what);
}
