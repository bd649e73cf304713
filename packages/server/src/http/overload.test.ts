import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { findAppForUpdate } from '../storage/apps.ts';
import type { Answer } from '../testing/answer.ts';
import { forEachEngine } from '../testing/engines.ts';
import { bearer, HttpFixture } from '../testing/http-fixture.ts';
import { Overload } from './overload.ts';

forEachEngine((engine) => {
  test('a request too many is answered 503 at once, those at work are finished, and then all are served', async () => {
    const http = await HttpFixture.open(engine, { requestsAtOnceMax: 2 });
    const { id } = await http.data.newApp();
    const { working, refused } = await http.data.registry.storage.write(async (transaction) => {
      await findAppForUpdate(transaction, { id });
      // They wait for this transaction to end.
      const working = [update(http, id, 'One'), update(http, id, 'Two')];
      await sleep(50);
      const beganAt = performance.now();
      const refused = [await update(http, id, 'Three'), await get(http, id), await ask(http, 'GET /openapi.json')];
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
    for (let round = 0; round < 5; round += 1) assert.equal((await get(http, id)).status, 200);
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
      assert.equal((await get(http, id)).status, 503);
      socket.destroy();
      await sleep(50);
      assert.equal((await get(http, id)).status, 200);
    }
    await http.close();
  });
});

test('what a turn of the event loop comes to late is too many, and what comes after it is taken', async () => {
  const overload = new Overload(1_000);
  assert.ok(overload.take());
  work(20);
  assert.ok(overload.take());
  work(220);
  assert.ok(!overload.take());
  await new Promise(setImmediate);
  assert.ok(overload.take());
});

test('without a limit nothing is too many', () => {
  const overload = new Overload(0);
  assert.ok(overload.take());
  work(220);
  assert.ok(overload.take());
});

/** Takes so much time of the processor. */
function work(ms: number): void {
  const began = process.threadCpuUsage();
  for (let used = 0; used < ms * 1_000; ) {
    const { user, system } = process.threadCpuUsage(began);
    used = user + system;
  }
}

function update(http: HttpFixture, id: string, name: string): Promise<Answer> {
  const fields = { ...bearer(http.tokens.developer), 'content-type': 'application/json' };
  return ask(http, `PATCH /developer/apps/v1/${id}`, fields, JSON.stringify({ name }));
}

function get(http: HttpFixture, id: string): Promise<Answer> {
  return ask(http, `GET /platform/apps/v1/${id}`, bearer(http.tokens.platform));
}

/** Over a connection of its own. */
async function ask(http: HttpFixture, target: string, given: Record<string, string> = {}, body = ''): Promise<Answer> {
  const fields = { ...given, host: 'localhost', connection: 'close', 'content-length': String(body.length) };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const [answer] = await http.exchange(`${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  assert.ok(answer);
  return answer;
}
