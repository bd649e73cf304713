import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { forEachEngine } from 'app-registry-testkit/engines/engines';
import { HttpFixture } from 'app-registry-testkit/http/http-fixture';
import { bearer } from 'app-registry-testkit/http/http-request';
import type { OperatorApp } from '../../contract/operator-app.ts';

const gzip = { 'accept-encoding': 'gzip' };

forEachEngine((engine) => {
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

  test('an answer is sent with gzip to a reader who accepts it, and to no other', async () => {
    const plain = await http.getApp(app.id);
    const coded = await http.getApp(app.id, gzip);
    assert.equal('content-encoding' in plain.headers, false);
    assert.equal(coded.headers['content-encoding'], 'gzip');
    assert.equal(coded.text, plain.text);
    assert.ok(Number(coded.headers['content-length']) < plain.text.length / 2);
    assert.equal('content-encoding' in (await http.getApp(app.id, { 'accept-encoding': 'br' })).headers, false);
  });

  test('an answer that gzip would not make smaller by a packet is sent as it is', async () => {
    const answer = await http.getApp(small.id, gzip);
    assert.equal('content-encoding' in answer.headers, false);
    assert.equal(answer.etag, (await http.getApp(small.id)).etag);
  });

  test('unless the reader accepts nothing but gzip', async () => {
    const answer = await http.getApp(small.id, { 'accept-encoding': 'gzip, identity;q=0' });
    assert.equal(answer.headers['content-encoding'], 'gzip');
    assert.equal(answer.view.id, small.id);
  });

  test('Vary names Accept-Encoding in every answer that depends on it', async () => {
    const etag = { 'if-none-match': (await http.getApp(app.id)).etag };
    for (const headers of [{}, gzip, etag, { ...etag, ...gzip }]) {
      const { status, headers: answered } = await http.getApp(app.id, headers);
      assert.ok(status < 400);
      assert.match(answered.vary ?? '', /\bAccept-Encoding\b/i);
    }
  });

  test('each coding has a strong ETag of its own, the same each time', async () => {
    const tags = [];
    for (const headers of [{}, gzip, {}, gzip]) tags.push((await http.getApp(app.id, headers)).etag);
    assert.equal(new Set(tags).size, 2);
    assert.deepEqual(tags.slice(0, 2), tags.slice(2));
    for (const tag of tags) assert.match(tag, /^"[\w-]+"$/);
  });

  describe('If-None-Match', () => {
    const plain = async () => (await http.getApp(app.id)).etag;
    const coded = async () => (await http.getApp(app.id, gzip)).etag;
    const ask = async (etag: string, headers: Record<string, string> = {}) =>
      http.getApp(app.id, { 'if-none-match': etag, ...headers });

    test('with the tag of a coding that is accepted is answered 304 with that tag', async () => {
      for (const [etag, headers] of [
        [await plain(), {}],
        [await coded(), gzip],
        [await plain(), gzip],
      ] as const) {
        const answer = await ask(etag, headers);
        assert.deepEqual([answer.status, answer.text, answer.etag], [304, '', etag]);
        assert.equal('content-encoding' in answer.headers, false);
      }
    });

    test('with the tag of a coding that is not accepted is answered 200', async () => {
      assert.equal((await ask(await coded())).status, 200);
      assert.equal((await ask(await coded(), { 'accept-encoding': 'gzip;q=0' })).status, 200);
      assert.equal((await ask(await plain(), { 'accept-encoding': 'gzip, identity;q=0' })).status, 200);
    });

    test('with both tags is answered 304 with that of the coding that is preferred', async () => {
      const both = `${await plain()}, ${await coded()}`;
      assert.equal((await ask(both, gzip)).etag, await coded());
      assert.equal((await ask(both, { 'accept-encoding': 'gzip;q=0.5, identity' })).etag, await plain());
    });

    test('with either tag is answered 200 once the app has changed', async () => {
      const tags = [await plain(), await coded()];
      await http.data.install(app);
      for (const etag of tags) assert.equal((await ask(etag, gzip)).status, 200);
    });
  });

  test('HEAD answers the header of the same GET, in either coding and for a 304', async () => {
    const etag = (await http.getApp(app.id, gzip)).etag;
    for (const headers of [{}, gzip, { ...gzip, 'if-none-match': etag }]) {
      const [head, get] = await Promise.all(['HEAD', 'GET'].map((method) => rawAnswer(method, headers)));
      assert.ok(head && get);
      assert.equal(head.body.length, 0);
      assert.deepEqual(head.headers, get.headers);
    }
  });

  test('over a socket the bytes are gzip, as long as Content-Length says', async () => {
    const { headers, body } = await rawAnswer('GET', gzip);
    assert.equal(Number(headers['content-length']), body.length);
    assert.equal(gunzipSync(body).toString(), (await http.getApp(app.id)).text);
  });

  async function rawAnswer(method: string, headers: Record<string, string>) {
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
