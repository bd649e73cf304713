import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { bearer, requestBytes } from '@appregistrar/testkit/http/http-request';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { RawConnection } from '@appregistrar/testkit/http/raw-connection';
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

    test('a client is served again after the time in Retry-After, and no earlier', async ({ mock }) => {
      let nowMs = performance.now();
      mock.method(performance, 'now', () => nowMs);
      const later = (ms: number) => {
        nowMs += ms;
      };
      const token = bearer((await http.data.newToken('developer')).token);
      let response = await http.updateApp(appId, sameColor, token);
      for (let update = 2; response.status === 200; update += 1) {
        later(100);
        response = await http.updateApp(appId, sameColor, token);
        assert.equal(response.status, update <= 120 ? 200 : 429);
      }
      const seconds = Number(response.headers['retry-after']);
      assert.equal(response.headers.ratelimit, `"updates";r=0;t=${seconds}`);
      later((seconds - 1) * 1_000);
      assert.equal((await http.updateApp(appId, sameColor, token)).headers['retry-after'], '1');
      later(1_000);
      const { status, headers } = await http.updateApp(appId, sameColor, token);
      assert.deepEqual([status, headers.ratelimit], [200, '"updates";r=119;t=60']);
    });

    test('the limits of a token override the defaults', async () => {
      const updates = bearer((await http.data.newToken('developer', { updatesPerMinute: 1 })).token);
      assert.equal((await http.updateApp(appId, sameColor, updates)).status, 200);
      assertExhausted(await http.updateApp(appId, sameColor, updates), '"updates";q=1;w=60');
      const reads = bearer((await http.data.newToken('platform', { readsPerMinute: 1 })).token);
      assert.equal((await http.getApp(appId, reads)).status, 200);
      assertExhausted(await http.getApp(appId, reads), '"reads";q=1;w=60');
      const free = bearer((await http.data.newToken('developer', { updatesPerMinute: 0 })).token);
      for (let update = 1; update <= 125; update += 1) {
        const { status, headers } = await http.updateApp(appId, sameColor, free);
        assert.deepEqual([status, headers.ratelimit], [200, undefined]);
      }
    });

    test('reads are unlimited, including those by an empty update', async () => {
      for (let round = 0; round < 130; round += 1) {
        assert.equal((await http.updateApp(appId, {})).status, 200);
        const { status, headers } = await http.getApp(appId);
        assert.deepEqual([status, headers.ratelimit, headers['ratelimit-policy']], [200, undefined, undefined]);
      }
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

    test('an update that returns 429 writes nothing', async () => {
      const token = await freshToken('developer');
      await http.updateApp(appId, { name: 'First' }, token);
      await http.updateApp(appId, { name: 'Second' }, token);
      const before = await http.stateOf(appId);
      assertExhausted(await http.updateApp(appId, { name: 'Third' }, token), '"updates";q=2;w=60');
      assert.deepEqual(await http.stateOf(appId), before);
    });

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

    test('quota that a late empty update returns adds nothing to the next minute', async ({ mock }) => {
      let nowMs = performance.now();
      mock.method(performance, 'now', () => nowMs);
      const token = await freshToken('developer');
      const late = [await startEmptyUpdate(token), await startEmptyUpdate(token)];
      assertExhausted(await http.updateApp(appId, sameColor, token), '"updates";q=2;w=60');
      nowMs += 60_000;
      for (const finish of late) assert.equal((await finish()).status, 200);
      for (const status of [200, 200, 429]) {
        assert.equal((await http.updateApp(appId, sameColor, token)).status, status);
      }
    });

    test('an update that fails counts too', async () => {
      const token = await freshToken('developer');
      assert.equal((await http.updateApp(appId, { name: null }, token)).status, 422);
      assert.equal((await http.updateApp(appId, 'not JSON', token)).status, 400);
      assert.equal((await http.updateApp(appId, sameColor, token)).status, 429);
    });

    test('an update that removes a value, or is invalid, counts as an update', async () => {
      for (const update of [{ logoId: null }, { name: {} }, { listingInfo: null }, { other: {} }, [], 5, null]) {
        const { headers } = await http.updateApp(appId, update, await freshToken('developer'));
        assert.match(headers.ratelimit ?? '', /^"updates";r=1;/, JSON.stringify(update));
      }
    });

    test('tokens of the same developer have separate quotas', async () => {
      const [one, other] = [await freshToken('developer'), await freshToken('developer')];
      for (const status of [200, 200, 429]) {
        assert.equal((await http.updateApp(appId, sameColor, one)).status, status);
      }
      assert.equal((await http.updateApp(appId, sameColor, other)).status, 200);
    });

    test('the sixth read returns 429, regardless of the status of the first five', async () => {
      const token = await freshToken('platform');
      const { etag, headers } = await http.getApp(appId, token);
      assert.match(headers.ratelimit ?? '', /^"reads";r=4;/);
      assert.equal((await http.getApp(appId, { ...token, 'if-none-match': etag })).status, 304);
      assert.equal((await http.getApp('app_unknown', token)).status, 404);
      await http.getApp(appId, token);
      await http.getApp(appId, token);
      assertExhausted(await http.getApp(appId, { ...token, 'if-none-match': etag }), '"reads";q=5;w=60');
    });

    test('an update beyond the stored bytes of a day names that policy and uses no quota of updates', async () => {
      const limited = await HttpFixture.open(engine, { updatesPerMinute: 4, storedBytesPerDeveloperPerDay: 5_000 });
      const { id } = await limited.data.newApp();
      const other = await limited.data.newApp({ developerId: limited.data.otherDeveloper.userId });
      const body = JSON.stringify({ listingInfo: { longDescription: 'x'.repeat(3_000) } });
      assert.equal((await limited.updateApp(id, body)).status, 200);
      for (let times = 0; times < 3; times += 1) {
        const { refusal, headers } = await limited.updateApp(id, body);
        assert.equal(refusal, '429 too_many_requests');
        assert.equal(headers['ratelimit-policy'], '"stored-bytes";q=5000;qu="content-bytes";w=86400');
        assert.equal(headers.ratelimit, `"stored-bytes";r=${5_000 - body.length};t=86400`);
        assert.equal(headers['retry-after'], '86400');
      }
      const { status, headers } = await limited.updateApp(id, sameColor);
      assert.equal(status, 200);
      assert.match(headers.ratelimit ?? '', /^"updates";r=2;/);
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

    /** Resolves once the quota is taken, to a function that sends the body. */
    async function startEmptyUpdate({ authorization }: { authorization: string }) {
      const connection = new RawConnection(await http.port());
      const fields = { host: 'localhost', authorization, 'content-type': 'application/json', 'content-length': '2' };
      const arrived = once(http.listener.server, 'request');
      connection.write(requestBytes({ method: 'PATCH', path: `/developer/apps/v1/${appId}`, headers: fields }));
      const [{ context }] = await arrived;
      while (context.quota === null) await nextTurn();
      return async () => {
        const response = await connection.send('{}');
        connection.close();
        return response;
      };
    }

    async function freshToken(kind: 'developer' | 'platform'): Promise<{ authorization: string }> {
      return bearer((await http.data.newToken(kind)).token);
    }
  });
});

function assertExhausted(response: HttpResponse, policy: string): void {
  assert.equal(response.refusal, '429 too_many_requests');
  assert.equal(response.headers['ratelimit-policy'], policy);
  assert.match(response.headers.ratelimit ?? '', /;r=0;t=\d+$/);
  const seconds = Number(response.headers['retry-after']);
  assert.ok(seconds >= 1 && seconds <= 60, `Retry-After ${seconds}`);
}
