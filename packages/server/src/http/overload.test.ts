import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { findAppForUpdate } from '../storage/apps.ts';
import { forEachEngine } from '../testing/engines.ts';
import { HttpFixture } from '../testing/http-fixture.ts';

forEachEngine((engine) => {
  test('a request too many is answered 503 at once, those at work are finished, and then all are served', async () => {
    const http = await HttpFixture.open(engine, { requestsAtOnceMax: 2 });
    const { id } = await http.data.newApp();
    const { working, refused } = await http.data.registry.storage.write(async (transaction) => {
      await findAppForUpdate(transaction, { id });
      // They wait for this transaction to end.
      const working = [http.updateApp(id, { name: 'One' }), http.updateApp(id, { name: 'Two' })];
      await sleep(50);
      const beganAt = performance.now();
      const refused = [
        await http.updateApp(id, { name: 'Three' }),
        await http.getApp(id),
        await http.send({ method: 'GET', path: '/openapi.json' }),
      ];
      assert.ok(performance.now() - beganAt < 500);
      return { working, refused };
    });
    for (const answer of refused) {
      assert.equal(answer.refusal, '503 unavailable');
      assert.equal(answer.headers['retry-after'], '1');
    }
    assert.deepEqual(
      (await Promise.all(working)).map(({ status }) => status),
      [200, 200],
    );
    for (let round = 0; round < 5; round += 1) assert.equal((await http.getApp(id)).status, 200);
    assert.deepEqual(
      (await http.data.eventsOf(id)).map(({ type }) => type),
      ['app.created', 'app.updated', 'app.updated'],
    );
    await http.close();
  });

  test('a client that goes away makes room', async () => {
    const http = await HttpFixture.open(engine, { requestsAtOnceMax: 1 });
    const { id } = await http.data.newApp();
    for (let round = 0; round < 3; round += 1) {
      const socket = connect(await http.port(), '127.0.0.1');
      const arrived = once(http.listener.server, 'request');
      const fields = [`Authorization: Bearer ${http.tokens.developer}`, 'Content-Type: application/json'];
      const head = [`PATCH /developer/apps/v1/${id} HTTP/1.1`, 'Host: localhost', ...fields, 'Content-Length: 9'];
      socket.write(`${head.join('\r\n')}\r\n\r\n{`);
      await arrived;
      assert.equal((await http.getApp(id)).status, 503);
      socket.destroy();
      await sleep(50);
      assert.equal((await http.getApp(id)).status, 200);
    }
    await http.close();
  });
});
