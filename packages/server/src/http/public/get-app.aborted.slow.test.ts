import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { forEachEngine, onSqlite } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import { LongList, moreThanBuffers } from '../../../test/http/long-list.ts';

const gzip = { 'accept-encoding': 'gzip' };

forEachEngine((engine) => {
  describe('a client', () => {
    let long: LongList;
    before(async () => {
      long = await LongList.open(engine, { count: moreThanBuffers, streamsAtOnceMax: 1 });
    });
    after(() => long.close());
    beforeEach(async () => {
      // This includes the only stream slot.
      await long.assertReleased();
    });

    for (const headers of [{}, gzip]) {
      const coding = headers === gzip ? ' with gzip' : '';
      test(`that has read to the end${coding} leaves no resources in use`, async () => {
        await (await long.getWithRoom(headers)).text();
        await long.assertReleased();
      });

      test(`that disconnects${coding}, before or while it reads, leaves no resources in use`, async () => {
        for (const bytes of [0, 200_000]) {
          const response = await long.getWithRoom(headers);
          await response.read(bytes);
          response.destroy();
          await long.assertReleased();
        }
      });
    }

    test('that disconnects before the response leaves no resources in use', async () => {
      for (let round = 0; round < 5; round += 1) {
        const socket = connect(await long.http.port(), '127.0.0.1');
        const { authorization } = bearer(long.http.tokens.platform);
        const { promise: arrived, resolve } = Promise.withResolvers<unknown>();
        long.http.listener.server.once('request', resolve);
        socket.write(`GET ${long.path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\n\r\n`);
        await arrived;
        // Somewhere between the request and the first byte.
        for (let turn = 0; turn < round; turn += 1) await new Promise(setImmediate);
        socket.resetAndDestroy();
        await long.assertReleased();
      }
    });

    test('that reads a long list does not delay other requests', async () => {
      const other = await long.http.data.newApp();
      let done = false;
      const reading = long.getWithRoom(gzip).then(async (response) => {
        await response.text();
        done = true;
      });
      let served = 0;
      for (; !done && served < 20; served += 1) assert.equal((await long.http.getApp(other.id)).status, 200);
      assert.equal(served, 20, 'served before the end of the long list');
      await reading;
    });

    test('that requests a long list beyond the limit receives 503, and anything else', async () => {
      const response = await long.getWithRoom();
      const refused = await long.http.getApp(long.app.id);
      assert.equal(refused.refusal, '503 unavailable');
      assert.match(refused.headers['retry-after'] ?? '', /^[1-9]\d*$/);
      const { etag } = await long.head();
      assert.equal((await long.http.getApp(long.app.id, { 'if-none-match': etag })).status, 304);
      assert.equal((await long.http.getApp((await long.http.data.newApp()).id)).status, 200);
      response.destroy();
    });

    test('that disconnects is not logged as a problem', () => {
      assert.deepEqual(
        long.http.log.lines.filter(({ level }) => level > 30),
        [],
      );
    });

    test('is reset when the database is lost in the middle, which is logged once', async () => {
      const response = await long.getWithRoom();
      await response.read(20_000);
      await long.breakDatabase();
      await assert.rejects(response.text(), { code: 'ECONNRESET' });
      const problems = long.http.log.lines.filter(({ level }) => level > 30);
      assert.deepEqual(
        problems.map(({ msg }) => msg),
        ['response aborted'],
      );
    });
  });
});

describe('a slow reader', () => {
  onSqlite((engine) => {
    let long: LongList;
    before(async () => {
      long = await LongList.open(engine, { count: moreThanBuffers, streamsAtOnceMax: 1, stallMsMax: 1_000 });
    });
    after(() => long.close());

    test('that stalls is reset, and everything it used is released', async () => {
      const response = await long.getWithRoom();
      await response.read(1);
      await long.assertReleased();
      await assert.rejects(response.text(), { code: 'ECONNRESET' });
    });

    test('of HTTP/1.0 that stalls and then reads on receives a reset instead of a regular end', async () => {
      const socket = connect(await long.http.port(), '127.0.0.1');
      const { authorization } = bearer(long.http.tokens.platform);
      socket.write(`GET ${long.path} HTTP/1.0\r\nAuthorization: ${authorization}\r\n\r\n`);
      await new Promise((resolve) => socket.once('readable', resolve));
      await long.assertReleased();
      await assert.rejects(socket.toArray(), { code: 'ECONNRESET' });
    });
  });
});
