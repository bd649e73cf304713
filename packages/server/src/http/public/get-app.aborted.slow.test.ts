import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { forEachEngine } from 'app-registry-testkit/engines/engines';
import { bearer } from 'app-registry-testkit/http/http-request';
import { LongList, moreThanBuffers } from 'app-registry-testkit/http/long-list';
import type { PlatformApp } from '../../contract/app.ts';

const gzip = { 'accept-encoding': 'gzip' };

forEachEngine((engine) => {
  describe('a reader', () => {
    let long: LongList;
    before(async () => {
      long = await LongList.open(engine, { count: moreThanBuffers, streamsAtOnceMax: 1 });
    });
    after(() => long.close());
    beforeEach(async () => {
      // Also the room for one long list.
      await long.assertReleased();
    });

    for (const headers of [{}, gzip]) {
      const coding = headers === gzip ? ' with gzip' : '';
      test(`who has read to the end${coding} leaves nothing behind`, async () => {
        await (await long.getWithRoom(headers)).text();
        await long.assertReleased();
      });

      test(`who vanishes${coding}, before it reads or while it does, leaves nothing behind`, async () => {
        for (const bytes of [0, 200_000]) {
          const answer = await long.getWithRoom(headers);
          await answer.read(bytes);
          answer.destroy();
          await long.assertReleased();
        }
      });
    }

    test('who vanishes before the answer leaves nothing behind', async () => {
      for (let round = 0; round < 10; round += 1) {
        const socket = connect(await long.http.port(), '127.0.0.1');
        const { authorization } = bearer(long.http.tokens.platform);
        const { promise: asked, resolve } = Promise.withResolvers<unknown>();
        long.http.listener.server.once('request', resolve);
        socket.write(`GET ${long.path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\n\r\n`);
        await asked;
        // Somewhere between the request and the first byte.
        for (let turn = 0; turn < round; turn += 1) await new Promise(setImmediate);
        socket.resetAndDestroy();
        await long.assertReleased();
      }
    });

    test('who vanishes is no fault of the registry: not a word is in the log', () => {
      assert.deepEqual(
        long.http.log.lines.filter(({ level }) => level > 30),
        [],
      );
    });

    test('is cut when the database is lost in the middle, and that is told once', async () => {
      const answer = await long.getWithRoom();
      await answer.read(20_000);
      await long.breakDatabase();
      await assert.rejects(answer.text(), { code: 'ECONNRESET' });
      const told = long.http.log.lines.filter(({ level }) => level > 30);
      assert.deepEqual(
        told.map(({ msg }) => msg),
        ['a response was aborted'],
      );
    });
  });

  describe('a reader that is waited for', () => {
    let long: LongList;
    before(async () => {
      long = await LongList.open(engine, { count: moreThanBuffers, streamsAtOnceMax: 1, stallMsMax: 1_000 });
    });
    after(() => long.close());

    test('who takes nothing any more has its answer cut, and leaves nothing behind', async () => {
      const answer = await long.getWithRoom();
      await answer.read(1);
      await long.assertReleased();
      await assert.rejects(answer.text(), { code: 'ECONNRESET' });
    });

    test('of HTTP/1.0 who takes nothing for too long, and then reads on, finds no end of the answer', async () => {
      const socket = connect(await long.http.port(), '127.0.0.1');
      const { authorization } = bearer(long.http.tokens.platform);
      socket.write(`GET ${long.path} HTTP/1.0\r\nAuthorization: ${authorization}\r\n\r\n`);
      await new Promise((resolve) => socket.once('readable', resolve));
      await long.assertReleased();
      await assert.rejects(socket.toArray(), { code: 'ECONNRESET' });
    });

    test('who is slow, and takes something now and then, gets it all', async () => {
      let stallMsMax = 300;
      while (!(await readsSlowly(stallMsMax))) stallMsMax *= 2;
    });

    /** Takes longer than a reader may take nothing. False when a busy machine has made one of its pauses too long. */
    async function readsSlowly(stallMsMax: number): Promise<boolean> {
      long.http.listener.server.setTimeout(stallMsMax);
      const answer = await long.getWithRoom();
      const readAt = [performance.now()];
      const pauses = () => readAt.slice(1).map((time, at) => time - (readAt[at] ?? 0));
      // The buffers may hold what is read next: then two pauses are one to the server.
      const isTooLong = () => pauses().some((ms) => ms > stallMsMax / 2);
      try {
        for (let count = 0; count < 6; count += 1) {
          await sleep(stallMsMax / 5);
          await answer.read(2_000_000);
          readAt.push(performance.now());
        }
        const text = await answer.text(() => readAt.push(performance.now()));
        const view: PlatformApp = JSON.parse(text);
        assert.equal(view.installations.length, moreThanBuffers);
        return true;
      } catch (error) {
        readAt.push(performance.now());
        if (!isTooLong()) throw error;
        return false;
      }
    }
  });

  describe('a fault', () => {
    let long: LongList;
    before(async () => {
      long = await LongList.open(engine, { count: 10_000, streamsAtOnceMax: 1 });
    });
    after(() => long.close());

    for (const version of ['1.0', '1.1'] as const) {
      for (const headers of [{}, gzip]) {
        const coding = headers === gzip ? ' with gzip' : '';
        test(`in the middle of an answer${coding} over HTTP/${version} resets the connection`, async () => {
          await long.failAt(9_000);
          await assert.rejects(long.exchange(version, headers), { code: 'ECONNRESET' });
          await long.assertReleased();
          await long.mend();
          assert.match(await long.exchange(version), /^HTTP\/1\.1 200 OK\r\n/);
        });
      }
    }

    test('before the first byte is answered 500, in no coding and without an ETag', async () => {
      await long.failAt(0);
      for (const headers of [{}, gzip]) {
        const answer = await long.http.getApp(long.app.id, headers);
        assert.equal(answer.refusal, '500 internal_error');
        assert.equal('content-encoding' in answer.headers, false);
        assert.equal('etag' in answer.headers, false);
        await long.assertReleased();
      }
      await long.mend();
      assert.equal((await long.http.getApp(long.app.id)).status, 200);
    });
  });
});
