import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import { OperatorFixture } from '../../../test/http/operator-fixture.ts';

const document = { method: 'GET', path: '/openapi.json' } as const;

for (const [listener, open] of [
  ['public', () => HttpFixture.open(sqlite)],
  ['operator', () => OperatorFixture.open(sqlite)],
] as const) {
  describe(`the document of the ${listener} listener`, () => {
    let http: Awaited<ReturnType<typeof open>>;
    before(async () => {
      http = await open();
    });
    after(() => http.close());

    test('may be read by a page of any origin', async () => {
      const headers = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
      const { status, headers: fields } = await http.send({ ...document, headers });
      assert.deepEqual([status, fields['access-control-allow-origin']], [200, '*']);
    });

    test('is not sent again to a client that has it', async () => {
      const first = await http.send(document);
      const etag = first.headers.etag ?? assert.fail();
      const again = await http.send({ ...document, headers: { 'if-none-match': etag } });
      assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', etag]);
      const other = await http.send({ ...document, headers: { 'if-none-match': '"other"' } });
      assert.deepEqual([other.status, other.text], [200, first.text]);
    });

    test('is compressed for a client that accepts it, under an ETag of its own', async () => {
      const { headers, text } = await http.send(document);
      const tags = new Set([headers.etag]);
      for (const coding of ['br', 'gzip']) {
        const coded = await http.send({ ...document, headers: { 'accept-encoding': coding } });
        assert.deepEqual([coded.headers['content-encoding'], coded.headers.vary], [coding, 'Accept-Encoding']);
        assert.equal(coded.text, text);
        tags.add(coded.headers.etag);
      }
      assert.equal(tags.size, 3);
    });

    test('is announced by the reference page', async () => {
      const { headers } = await http.send({ method: 'GET', path: '/docs' });
      assert.match(headers.link ?? '', /^<\/openapi\.json>; rel="service-desc"/);
    });
  });
}
