import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { addInstallations } from '@appregistrar/testkit/registry/many-installations';
import { HttpFixture } from '../../../test/http/http-fixture.ts';

/** Sent gzipped where that is accepted; the last one is streamed. */
const installations = { few: 0, some: 20, many: 1_001 };

onSqlite((engine) => {
  let http: HttpFixture;
  before(async () => {
    http = await HttpFixture.open(engine);
  });
  after(() => http.close());

  for (const [size, count] of Object.entries(installations)) {
    describe(`of an app with ${size} installations, an If-Match`, () => {
      let id: string;
      before(async () => {
        ({ id } = await http.data.newApp());
        const userId = http.data.developer.userId;
        if (count > 0) await addInstallations(http.data.registry.storage, { appId: id, count, userId });
      });

      const matching: Record<string, (etag: string) => string> = {
        'with the ETag': (etag) => etag,
        'with *': () => '*',
        'with a list that contains the ETag': (etag) => `"one", W/"two",${etag} , "three"`,
      };
      for (const [what, ifMatch] of Object.entries(matching)) {
        test(`${what} returns the app`, async () => {
          for (const coding of ['identity', 'gzip']) {
            const { etag } = await read({ 'accept-encoding': coding });
            const response = await read({ 'accept-encoding': coding, 'if-match': ifMatch(etag) });
            assert.deepEqual([response.status, response.etag], [200, etag]);
          }
        });
      }

      const failing: Record<string, (etag: string) => string> = {
        'with another tag': () => '"other"',
        'with the ETag as a weak tag': (etag) => `W/${etag}`,
        'that is empty': () => '',
      };
      for (const [what, ifMatch] of Object.entries(failing)) {
        test(`${what} gets 412 with the current ETag, for GET and HEAD`, async () => {
          for (const coding of ['identity', 'gzip']) {
            const { etag } = await read({ 'accept-encoding': coding });
            const headers = { 'accept-encoding': coding, 'if-match': ifMatch(etag) };
            const response = await read(headers);
            assert.deepEqual([response.refusal, response.etag], ['412 precondition_failed', etag]);
            const head = await read(headers, 'HEAD');
            assert.deepEqual([head.status, head.etag, head.text], [412, etag, '']);
          }
        });
      }

      test('precedes an If-None-Match', async () => {
        const { etag } = await read();
        assert.equal((await read({ 'if-match': etag, 'if-none-match': etag })).status, 304);
        assert.equal((await read({ 'if-match': etag, 'if-none-match': '"other"' })).status, 200);
        assert.equal((await read({ 'if-match': '"other"', 'if-none-match': etag })).status, 412);
      });

      test('fails once the app has changed', async () => {
        const { etag } = await read();
        await http.updateApp(id, { name: `Changed with ${size}` });
        assert.equal((await read({ 'if-match': etag })).refusal, '412 precondition_failed');
      });

      async function read(headers: Record<string, string> = {}, method = 'GET'): Promise<HttpResponse> {
        const authorization = `Bearer ${http.tokens.platform}`;
        return http.send({ method, path: `/platform/apps/v1/${id}`, headers: { authorization, ...headers } });
      }
    });
  }

  test('the tag of one content coding does not match the response in another', async () => {
    const { id } = await http.data.newApp();
    const userId = http.data.developer.userId;
    await addInstallations(http.data.registry.storage, { appId: id, count: 20, userId });
    const [plain, gzip] = [await http.getApp(id), await http.getApp(id, { 'accept-encoding': 'gzip' })];
    assert.equal((await http.getApp(id, { 'if-match': gzip.etag })).etag, plain.etag);
    const response = await http.getApp(id, { 'accept-encoding': 'gzip', 'if-match': plain.etag });
    assert.deepEqual([response.refusal, response.etag], ['412 precondition_failed', gzip.etag]);
  });

  test('an If-Match for an app that does not exist gets 404', async () => {
    assert.equal((await http.getApp('app_unknown', { 'if-match': '*' })).refusal, '404 app_not_found');
  });

  test('the same requests over a socket get the same responses', async () => {
    const { id } = await http.data.newApp();
    const { etag } = await http.getApp(id);
    for (const [ifMatch, status] of [
      [etag, 200],
      ['"other"', 412],
    ] as const) {
      const fields = ['Host: localhost', `Authorization: Bearer ${http.tokens.platform}`, `If-Match: ${ifMatch}`];
      const head = [`GET /platform/apps/v1/${id} HTTP/1.1`, ...fields, 'Connection: close', '', ''];
      const [response] = await http.exchange(head.join('\r\n'));
      assert.deepEqual([response?.status, response?.etag], [status, etag]);
    }
  });
});
