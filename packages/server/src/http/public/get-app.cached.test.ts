import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { revokeToken } from '@appregistrar/testkit/calls/access';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import { updateApp } from '../../features/apps/update-app.ts';
import { openRegistry } from '../../features/settings/settings.ts';
import { commandLine, type Registry } from '../../kernel/registry.ts';
import { openStorage } from '../../storage/open-storage.ts';

const gzip = { 'accept-encoding': 'gzip' };

forEachEngine((engine) => {
  let http: HttpFixture;
  let other: Registry;
  let id: string;
  let developerId: string;
  before(async () => {
    http = await HttpFixture.open(engine);
    // Like another process, it shares only the database with the listener.
    const { storage: _, ...settings } = http.data.registry;
    other = await openRegistry(await openStorage(http.data.databaseUrl), settings);
  });
  after(async () => {
    await other.storage.close();
    await http.close();
  });
  beforeEach(async () => {
    const app = await http.data.newApp();
    ({ id, developerId } = app);
    for (let count = 0; count < 10; count += 1) await http.data.install(app);
  });

  test('a cached response is identical to the first one in each coding, and so is the header of HEAD', async () => {
    const path = `/platform/apps/v1/${id}`;
    for (const headers of [{}, gzip]) {
      const [first, again] = [await http.getApp(id, headers), await http.getApp(id, headers)];
      assert.deepEqual([again.text, again.etag, again.status], [first.text, first.etag, 200]);
      const head = await http.send({ method: 'HEAD', path, headers: { ...bearer(http.tokens.platform), ...headers } });
      for (const response of [again, head]) assert.deepEqual(fieldsOf(response), fieldsOf(first));
      assert.equal(head.text, '');
      assert.equal((await http.getApp(id, { ...headers, 'if-none-match': String(first.etag) })).status, 304);
    }
  });

  test('a response is sent and logged the same however the path is encoded', async () => {
    const { etag } = await http.getApp(id);
    const known = { 'if-none-match': String(etag) };
    const encoded = [`/%70latform/apps/v1/${id.replace('_', '%5f')}`, `/platform/apps/v1/${id}?access=1#top`];
    for (const method of ['GET', 'HEAD']) {
      for (const headers of [{}, gzip, known, { ...known, ...gzip }, bearer('nonsense')]) {
        const send = (path: string) =>
          http.send({ method, path, headers: { ...bearer(http.tokens.platform), ...headers } });
        const plain = await send(`/platform/apps/v1/${id}`);
        for (const path of encoded) {
          const same = await send(path);
          assert.deepEqual([same.status, textOf(same), fieldsOf(same)], [plain.status, textOf(plain), fieldsOf(plain)]);
          assert.deepEqual(loggedOf(http, same), loggedOf(http, plain));
        }
      }
    }
  });

  test('a change by another process is in the next response, and the previous ETag no longer matches', async () => {
    for (const headers of [{}, gzip, {}, gzip]) {
      const { etag } = await http.getApp(id, headers);
      const name = `Renamed ${Math.random()}`;
      await updateApp(other, commandLine, { appId: id, developerId, update: { name } });
      const response = await http.getApp(id, { ...headers, 'if-none-match': String(etag) });
      assert.deepEqual([response.status, response.view.name], [200, name]);
      assert.equal((await http.getApp(id, headers)).view.name, name);
    }
  });

  test('a token that another process has revoked is refused on the next request, even for a cached response', async () => {
    const { id: tokenId, token } = await http.data.newToken('platform');
    assert.equal((await http.getApp(id, bearer(token))).status, 200);
    await revokeToken(other, commandLine, tokenId);
    assert.equal((await http.getApp(id, bearer(token))).refusal, '401 token_invalid');
    assert.equal((await http.getApp(id)).status, 200);
  });
});

function loggedOf(http: HttpFixture, { headers }: HttpResponse): object {
  const [line] = http.log.requests().get(headers['x-request-id']) ?? [];
  assert.ok(line);
  const { requestId: _id, durationMs: _duration, time: _time, ...fields } = line;
  return fields;
}

/** Without what identifies one response. */
function textOf({ text, headers }: HttpResponse): string {
  return text.replaceAll(headers['x-request-id'] ?? '', '');
}

/** Without those that identify one response. */
function fieldsOf({ headers }: HttpResponse): object {
  const { 'x-request-id': _id, date: _date, ...fields } = headers;
  return fields;
}
