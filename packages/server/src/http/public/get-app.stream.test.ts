import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { moreThanBuffers as count, LongList } from '@appregistrar/testkit/http/long-list';
import { PublishedDocument } from '@appregistrar/testkit/http/published-document';
import type { PlatformApp } from '../../contract/app.ts';
import { deleteInstallation } from '../../registry/installations/delete-installation.ts';
import { commandLine } from '../../registry/registry.ts';

const gzip = { 'accept-encoding': 'gzip' };

forEachEngine((engine) => {
  describe('a long list', () => {
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

    test('is a snapshot, unaffected by changes while it is read', async () => {
      const before = await (await long.get()).text();
      const response = await long.get();
      await response.read(100_000);
      const { data } = long.http;
      const { installations } = JSON.parse(before) as PlatformApp;
      await deleteInstallation(data.registry, commandLine, installations.at(-1)?.id ?? '');
      await data.install(long.app);
      await long.http.updateApp(long.app.id, { name: 'Renamed meanwhile' });
      assert.ok((await response.text()) === before);

      const now: PlatformApp = JSON.parse(await (await long.get()).text());
      assert.equal(now.name, 'Renamed meanwhile');
      assert.equal(now.installations.length, count);
      assert.equal(now.installations.at(-1)?.userId, long.app.developerId);
    });

    test('does not block other requests', async () => {
      const other = await long.http.data.newApp();
      let done = false;
      const text = long.get(gzip).then(async (response) => {
        await response.text();
        done = true;
      });
      let served = 0;
      for (; !done && served < 20; served += 1) assert.equal((await long.http.getApp(other.id)).status, 200);
      assert.equal(served, 20, 'served before the end of the long list');
      await text;
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
  });

  describe('around the length from which a list is streamed', () => {
    for (const count of [0, 999, 1_000, 1_001, 1_249, 1_250, 1_251]) {
      test(`${count} installations have the text of JSON.stringify`, async (context) => {
        const long = await LongList.open(engine, { count });
        context.after(() => long.close());
        const response = await long.get();
        assert.equal(response.headers['transfer-encoding'] === 'chunked', count > 1_000);
        const text = await response.text();
        const view: PlatformApp = JSON.parse(text);
        assert.equal(text, JSON.stringify(view));
        assert.deepEqual(Object.keys(view), [
          ...['id', 'name', 'createdAt', 'updatedAt', 'reviewStatus', 'developer', 'installations'],
        ]);
        assert.equal(view.name, `"installations":[] & "`);
        assert.equal(view.installations.length, count);
        const checked = new HttpResponse(response.status, response.headers as Record<string, string>, text);
        new PublishedDocument(long.http.document).assertDocumented({ method: 'GET', path: long.path }, checked);
      });
    }
  });
});
