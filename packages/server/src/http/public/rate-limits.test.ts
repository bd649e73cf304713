import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import { readConfig } from '../../config/config.ts';

const sameColor = { listingInfo: { backgroundColor: '#ffffff' } };

onSqlite((engine) => {
  describe('with the default limits', () => {
    let http: HttpFixture;
    let appId: string;
    before(async () => {
      const { updatesPerMinute, readsPerMinute } = readConfig({});
      http = await HttpFixture.open(engine, { updatesPerMinute, readsPerMinute });
      appId = (await http.data.newApp()).id;
    });
    after(() => http.close());

    test('the 121st update of a token within a minute returns 429', async () => {
      for (let left = 119; left >= 0; left -= 1) {
        const { status, headers } = await http.updateApp(appId, sameColor);
        assert.equal(status, 200);
        assert.match(headers.ratelimit ?? '', new RegExp(`^"updates";r=${left};t=\\d+$`));
      }
      assertExhausted(await http.updateApp(appId, sameColor), '"updates";q=120;w=60');
    });

    test('the limits of a token override the defaults', async () => {
      const updates = bearer((await http.data.newToken('developer', { updatesPerMinute: 1 })).token);
      assert.equal((await http.updateApp(appId, sameColor, updates)).status, 200);
      assertExhausted(await http.updateApp(appId, sameColor, updates), '"updates";q=1;w=60');
      const reads = bearer((await http.data.newToken('platform', { readsPerMinute: 1 })).token);
      assert.equal((await http.getApp(appId, reads)).status, 200);
      assertExhausted(await http.getApp(appId, reads), '"reads";q=1;w=60');
      const free = bearer((await http.data.newToken('developer', { updatesPerMinute: 0 })).token);
      assert.equal((await http.updateApp(appId, sameColor, free)).headers.ratelimit, undefined);
    });

    test('reads are unlimited, including those by an empty update', async () => {
      for (let round = 0; round < 130; round += 1) assert.equal((await http.updateApp(appId, {})).status, 200);
      const { headers } = await http.getApp(appId);
      assert.deepEqual([headers.ratelimit, headers['ratelimit-policy']], [undefined, undefined]);
    });
  });

  describe('with two updates and five reads a minute', () => {
    let http: HttpFixture;
    let appId: string;
    before(async () => {
      http = await HttpFixture.open(engine, { updatesPerMinute: 2, readsPerMinute: 5 });
      appId = (await http.data.newApp()).id;
    });
    after(() => http.close());

    const freshToken = async (kind: 'developer' | 'platform') => bearer((await http.data.newToken(kind)).token);

    test('an empty update counts as a read, and is served when the quota of updates is exhausted', async () => {
      const token = await freshToken('developer');
      for (const left of [4, 3, 2]) {
        const { headers } = await http.updateApp(appId, {}, token);
        assert.match(headers.ratelimit ?? '', new RegExp(`^"reads";r=${left};`));
      }
      await http.updateApp(appId, sameColor, token);
      await http.updateApp(appId, sameColor, token);
      assert.equal((await http.updateApp(appId, sameColor, token)).status, 429);
      assert.equal((await http.updateApp(appId, { listingInfo: {} }, token)).status, 200);
      assert.equal((await http.updateApp(appId, { oauthInfo: {} }, token)).status, 200);
      assertExhausted(await http.updateApp(appId, {}, token), '"reads";q=5;w=60');
    });

    test('an update that fails, or removes a value, counts as an update', async () => {
      const invalid = [{ name: {} }, { listingInfo: null }, { other: {} }, [], 5, null, 'not JSON'];
      for (const update of [{ logoId: null }, ...invalid]) {
        const { headers } = await http.updateApp(appId, update, await freshToken('developer'));
        assert.match(headers.ratelimit ?? '', /^"updates";r=1;/, JSON.stringify(update));
      }
    });

    test('the sixth read returns 429, regardless of the status of the first five', async () => {
      const token = await freshToken('platform');
      const { etag } = await http.getApp(appId, token);
      assert.equal((await http.getApp(appId, { ...token, 'if-none-match': etag })).status, 304);
      assert.equal((await http.getApp('app_unknown', token)).status, 404);
      await http.getApp(appId, token);
      await http.getApp(appId, token);
      assertExhausted(await http.getApp(appId, { ...token, 'if-none-match': etag }), '"reads";q=5;w=60');
    });
  });

  test('an update beyond the stored bytes of a day names that policy and uses no quota of updates', async () => {
    const limited = await HttpFixture.open(engine, { updatesPerMinute: 4, storedBytesPerDeveloperPerDay: 5_000 });
    const { id } = await limited.data.newApp();
    const other = await limited.data.newApp({ developerId: limited.data.otherDeveloper.id });
    const body = JSON.stringify({ listingInfo: { longDescription: 'x'.repeat(3_000) } });
    assert.equal((await limited.updateApp(id, body)).status, 200);
    for (let times = 0; times < 3; times += 1) {
      const { refusal, headers } = await limited.updateApp(id, body);
      assert.equal(refusal, '429 too_many_requests');
      assert.equal(headers['ratelimit-policy'], '"stored-bytes";q=5000;qu="content-bytes";w=86400');
      assert.equal(headers.ratelimit, `"stored-bytes";r=${5_000 - body.length};t=86400`);
      assert.equal(headers['retry-after'], '86400');
    }
    assert.match((await limited.updateApp(id, sameColor)).headers.ratelimit ?? '', /^"updates";r=2;/);
    const ofOther = await limited.updateApp(other.id, body, bearer(limited.tokens.otherDeveloper));
    assert.equal(ofOther.status, 200, 'each developer has bytes of their own');
    await limited.close();
  });

  test('an update that stores nothing releases its bytes: a refused one, a read and a retry', async () => {
    const limited = await HttpFixture.open(engine, { storedBytesPerDeveloperPerDay: 1_500 });
    const { id } = await limited.data.newApp();
    const body = (shortDescription: string) => JSON.stringify({ listingInfo: { shortDescription } }).padEnd(700);
    assert.equal((await limited.updateApp('app_unknown', body('Refused.'))).status, 404);
    assert.equal((await limited.updateApp(id, body(''))).status, 422);
    assert.equal((await limited.updateApp(id, '{}'.padEnd(2_000))).status, 200);
    const key = { 'idempotency-key': 'one' };
    assert.equal((await limited.updateApp(id, body('Stored.'), key)).status, 200);
    assert.equal((await limited.updateApp(id, body('Stored.'), key)).headers['idempotency-replayed'], 'true');
    assert.equal((await limited.updateApp(id, body('Stored too.'))).status, 200);
    assert.equal((await limited.updateApp(id, body('One too many.'))).status, 429);
    await limited.close();
  });
});

function assertExhausted(response: HttpResponse, policy: string): void {
  assert.equal(response.refusal, '429 too_many_requests');
  assert.equal(response.headers['ratelimit-policy'], policy);
  assert.match(response.headers.ratelimit ?? '', /;r=0;t=\d+$/);
  const seconds = Number(response.headers['retry-after']);
  assert.ok(seconds >= 1 && seconds <= 60, `Retry-After ${seconds}`);
}
