import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import type { OperatorApp } from '../../features/apps/app-schemas.ts';

const gzip = { 'accept-encoding': 'gzip' };

onSqlite((engine) => {
  let http: HttpFixture;
  let app: OperatorApp;
  let small: OperatorApp;
  before(async () => {
    http = await HttpFixture.open(engine);
    app = await http.data.newApp({ status: 'APPROVED' });
    for (let count = 0; count < 5; count += 1) await http.data.install(app);
    small = await http.data.newApp();
  });
  after(() => http.close());

  test('a response is sent with gzip only to a client that accepts it', async () => {
    const plain = await http.getApp(app.id);
    const coded = await http.getApp(app.id, gzip);
    assert.equal('content-encoding' in plain.headers, false);
    assert.equal(coded.headers['content-encoding'], 'gzip');
    assert.equal(coded.text, plain.text);
    assert.ok(Number(coded.headers['content-length']) < plain.text.length / 2);
    assert.equal('content-encoding' in (await http.getApp(app.id, { 'accept-encoding': 'br' })).headers, false);
  });

  test('a response that gzip would not shrink by a packet is sent uncompressed', async () => {
    const response = await http.getApp(small.id, gzip);
    assert.equal('content-encoding' in response.headers, false);
    assert.equal(response.etag, (await http.getApp(small.id)).etag);
  });

  test('a response of any size is sent with gzip if the client accepts nothing else', async () => {
    const response = await http.getApp(small.id, { 'accept-encoding': 'gzip, identity;q=0' });
    assert.equal(response.headers['content-encoding'], 'gzip');
    assert.equal(response.view.id, small.id);
  });

  test('Vary names Accept-Encoding in every response that depends on it', async () => {
    const etag = { 'if-none-match': (await http.getApp(app.id)).etag };
    for (const headers of [{}, gzip, etag, { ...etag, ...gzip }]) {
      const { status, headers: received } = await http.getApp(app.id, headers);
      assert.ok(status < 400);
      assert.match(received.vary ?? '', /\bAccept-Encoding\b/i);
    }
  });

  test('each coding has its own strong and stable ETag', async () => {
    const tags = [];
    for (const headers of [{}, gzip, {}, gzip]) tags.push((await http.getApp(app.id, headers)).etag);
    assert.equal(new Set(tags).size, 2);
    assert.deepEqual(tags.slice(0, 2), tags.slice(2));
    for (const tag of tags) assert.match(tag, /^"[\w-]+"$/);
  });

  describe('If-None-Match', () => {
    const plain = async () => (await http.getApp(app.id)).etag;
    const coded = async () => (await http.getApp(app.id, gzip)).etag;
    const revalidate = async (etag: string, headers: Record<string, string> = {}) =>
      http.getApp(app.id, { 'if-none-match': etag, ...headers });

    test('with the tag of an accepted coding returns 304 with that tag', async () => {
      for (const [etag, headers] of [
        [await plain(), {}],
        [await coded(), gzip],
        [await plain(), gzip],
      ] as const) {
        const response = await revalidate(etag, headers);
        assert.deepEqual([response.status, response.text, response.etag], [304, '', etag]);
        assert.equal('content-encoding' in response.headers, false);
      }
    });

    test('with the tag of a coding that is not accepted returns 200', async () => {
      assert.equal((await revalidate(await coded())).status, 200);
      assert.equal((await revalidate(await coded(), { 'accept-encoding': 'gzip;q=0' })).status, 200);
      assert.equal((await revalidate(await plain(), { 'accept-encoding': 'gzip, identity;q=0' })).status, 200);
    });

    test('with both tags returns 304 with the tag of the preferred coding', async () => {
      const both = `${await plain()}, ${await coded()}`;
      assert.equal((await revalidate(both, gzip)).etag, await coded());
      assert.equal((await revalidate(both, { 'accept-encoding': 'gzip;q=0.5, identity' })).etag, await plain());
    });

    test('with either tag returns 200 once the app has changed', async () => {
      const tags = [await plain(), await coded()];
      await http.data.install(app);
      for (const etag of tags) assert.equal((await revalidate(etag, gzip)).status, 200);
    });
  });

  test('HEAD returns the header of the same GET, in either coding and for a 304', async () => {
    const etag = (await http.getApp(app.id, gzip)).etag;
    for (const headers of [{}, gzip, { ...gzip, 'if-none-match': etag }]) {
      const [head, get] = await Promise.all(['HEAD', 'GET'].map((method) => rawResponse(method, headers)));
      assert.ok(head && get);
      assert.equal(head.body.length, 0);
      assert.deepEqual(head.headers, get.headers);
    }
  });

  test('the bytes on the wire are gzip and match Content-Length', async () => {
    const { headers, body } = await rawResponse('GET', gzip);
    assert.equal(Number(headers['content-length']), body.length);
    assert.equal(gunzipSync(body).toString(), (await http.getApp(app.id)).text);
  });

  async function rawResponse(method: string, headers: Record<string, string>) {
    const path = `/platform/apps/v1/${app.id}`;
    const { promise, resolve, reject } = Promise.withResolvers<{ headers: Record<string, unknown>; body: Buffer }>();
    const options = { port: await http.port(), agent: false as const, method, path };
    request({ ...options, headers: { ...bearer(http.tokens.platform), ...headers } }, async (response) => {
      const { 'x-request-id': _id, date: _date, ...others } = response.headers;
      resolve({ headers: others, body: Buffer.concat(await response.toArray()) });
    })
      .on('error', reject)
      .end();
    return promise;
  }
});
