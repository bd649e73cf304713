import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { forEachEngine, onSqlite } from '@appregistrar/testkit/engines/engines';
import { addInstallations } from '@appregistrar/testkit/registry/many-installations';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import { LongList } from '../../../test/http/long-list.ts';
import type { PlatformApp } from '../../features/apps/app-schemas.ts';

const gzip = { 'accept-encoding': 'gzip' };
/** Longer than what is read in one query. */
const count = 2_000;

describe('a long list', () => {
  onSqlite((engine) => {
    let long: LongList;
    before(async () => {
      long = await LongList.open(engine, { count });
    });
    after(() => long.close());

    test('is complete, sorted by creation time and then by id', async () => {
      const response = await long.get();
      assert.deepEqual(
        [response.status, response.headers['content-type'], response.headers['transfer-encoding']],
        [200, 'application/json', 'chunked'],
      );
      const view: PlatformApp = JSON.parse(await response.text());
      assert.equal(view.installations.length, count);
      assert.equal((await long.http.updateApp(long.app.id, {})).view.installationCount, count);
      const order = view.installations.map(({ createdAt, id }) => `${createdAt} ${id}`);
      assert.deepEqual(order, order.toSorted());
      assert.equal(new Set(order).size, count);
    });

    test('has the same text with gzip, with another ETag', async () => {
      const [plain, coded] = [await long.get(), await long.get(gzip)];
      assert.equal(coded.headers['content-encoding'], 'gzip');
      assert.notEqual(coded.headers.etag, plain.headers.etag);
      assert.ok((await plain.text()) === (await coded.text()));
    });

    test('is sent over HTTP/1.0 without chunks, and ends with the connection', async () => {
      const received = await long.exchange('1.0');
      const [head = '', body = ''] = received.split('\r\n\r\n');
      assert.match(head, /^HTTP\/1\.1 200 OK\r\n/);
      assert.match(head, /\r\nConnection: close/i);
      assert.doesNotMatch(head, /\r\n(?:Transfer-Encoding|Content-Length):/i);
      assert.equal(JSON.parse(body).installations.length, count);
    });

    test('has the same header for HEAD as for GET', async () => {
      for (const headers of [{}, gzip]) {
        const [head, get] = [await long.head(headers), await long.get(headers)];
        get.destroy();
        for (const name of ['etag', 'content-type', 'content-encoding', 'vary', 'cache-control']) {
          assert.equal(head.headers[name], get.headers[name], name);
        }
        assert.equal(head.text, '');
        assert.equal('content-length' in head.headers, false);
      }
    });

    test('is not read for a 304 or for HEAD', async () => {
      await long.failAt(0);
      for (const headers of [{}, gzip]) {
        const { etag, status } = await long.head(headers);
        assert.equal(status, 200);
        const known = await long.http.getApp(long.app.id, { ...headers, 'if-none-match': etag });
        assert.deepEqual([known.status, known.text, known.etag], [304, '', etag]);
        assert.equal((await long.http.getApp(long.app.id, headers)).status, 500);
      }
      await long.mend();
    });

    for (const version of ['1.0', '1.1'] as const) {
      for (const headers of [{}, gzip]) {
        const coding = headers === gzip ? ' with gzip' : '';
        test(`that fails in the middle${coding} over HTTP/${version} resets the connection`, async () => {
          await long.failAt(count - 200);
          await assert.rejects(long.exchange(version, headers), { code: 'ECONNRESET' });
          await long.mend();
          assert.match(await long.exchange(version), /^HTTP\/1\.1 200 OK\r\n/);
        });
      }
    }

    test('that fails before the first byte returns 500, without a coding and without an ETag', async () => {
      await long.failAt(0);
      for (const headers of [{}, gzip]) {
        const response = await long.http.getApp(long.app.id, headers);
        assert.equal(response.refusal, '500 internal_error');
        assert.equal('content-encoding' in response.headers, false);
        assert.equal('etag' in response.headers, false);
      }
      await long.mend();
      assert.equal((await long.http.getApp(long.app.id)).status, 200);
    });
  });
});

forEachEngine((engine) => {
  let http: HttpFixture;
  before(async () => {
    http = await HttpFixture.open(engine);
  });
  after(() => http.close());

  for (const count of [0, 1_000, 1_001, 1_250, 1_251]) {
    test(`a list of ${count} installations has the text of JSON.stringify, and is streamed above 1,000`, async () => {
      const app = await http.data.newApp({ name: `"installations":[] & "${count}`, status: 'APPROVED' });
      const { storage } = http.data.registry;
      await addInstallations(storage, { appId: app.id, count, userId: app.developerId });
      const { text, view, headers } = await http.getApp(app.id);
      assert.equal('content-length' in headers, count <= 1_000);
      assert.equal(text, JSON.stringify(view));
      assert.deepEqual(Object.keys(view), [
        ...['id', 'name', 'createdAt', 'updatedAt', 'reviewStatus', 'developer', 'installations'],
      ]);
      assert.equal(view.name, app.name);
      assert.equal(view.installations.length, count);
    });
  }
});
