import assert from 'node:assert/strict';
import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { forEachEngine } from 'app-registry-testkit/engines/engines';
import { HttpFixture } from 'app-registry-testkit/http/http-fixture';
import { bearer } from 'app-registry-testkit/http/http-request';
import type { HttpResponse } from 'app-registry-testkit/http/http-response';
import { findAppForUpdate } from '../../storage/queries/apps.ts';
import { Exchange } from '../listener/exchange.ts';
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

  test('who pipelines takes the room of one, also when it goes away', async () => {
    const http = await HttpFixture.open(engine, { requestsAtOnceMax: 3 });
    const { id } = await http.data.newApp();
    const lines = [`GET /platform/apps/v1/${id} HTTP/1.1`, 'Host: localhost'];
    const request = `${[...lines, `Authorization: Bearer ${http.tokens.platform}`].join('\r\n')}\r\n\r\n`;
    const answers = await http.exchange(`${request.repeat(20)}${request.replace('Host', 'Connection: close\r\nHost')}`);
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array.from({ length: 21 }, () => 200),
    );
    for (let round = 0; round < 3; round += 1) {
      const socket = connect(await http.port(), '127.0.0.1').on('error', () => {});
      const arrived = once(http.listener.server, 'request');
      socket.pause().write(request.repeat(20));
      await arrived;
      socket.resetAndDestroy();
      await sleep(50);
    }
    assert.equal((await get(http, id)).status, 200);
    await http.close();
  });
});

test('a turn starts no more than those before have shown to be served in a short time', async () => {
  const served = new Served(1_000);
  served.take(64);
  assert.equal(served.count, 64);
  work(395);
  await turn();
  served.take(100);
  // 64 in 395 ms are 16 in 100 ms.
  assert.equal(served.count, 64 + 16);
  work(30);
  await turn();
  // Twice as many, as these took less than half of the time.
  assert.equal(served.count, 64 + 16 + 32);
  await settled();
  assert.equal(served.count, 164);
});

test('who has waited too long is refused, and who comes after is served', async () => {
  const served = await overrun();
  await settled();
  served.take(500);
  await settled();
  assert.equal(served.count, 564);
  assert.equal(served.refused, 16);
});

test('while some wait too long, who would wait as long is refused at once, and no more after that', async () => {
  const served = await overrun();
  served.take(500);
  // 24 are served in a turn, and two and a half times as many wait for as long as one may.
  assert.ok(served.refused > 16 + 400 && served.refused < 16 + 500 - 24);
  await settled();
  const { refused } = served;
  served.take(500);
  await settled();
  assert.equal(served.refused, refused);
});

test('who waits for a slow disk or another program is not refused', async () => {
  const served = new Served(1_000);
  served.take(200);
  await sleep(600);
  await settled();
  assert.equal(served.count, 200);
});

test('who has gone while waiting is neither served nor refused', async () => {
  const served = new Served(1_000);
  const exchanges = served.take(80);
  for (const { response } of exchanges.slice(70)) response.destroy();
  await settled();
  assert.equal(served.count, 70);
  assert.equal(served.refused, 0);
});

test('without a limit nothing is too many, and nothing waits', () => {
  const served = new Served(0);
  served.take(2_000);
  assert.equal(served.count, 2_000);
});

class Served {
  count = 0;
  refused = 0;
  readonly #overload: Overload;

  constructor(requestsMax: number) {
    const serve = () => {
      this.count += 1;
    };
    const refuse = () => {
      this.refused += 1;
    };
    this.#overload = new Overload({ requestsMax, serve, refuse });
  }

  take(count: number): Exchange[] {
    return Array.from({ length: count }, () => {
      const request = new IncomingMessage(new Socket());
      const exchange = new Exchange(request, new ServerResponse(request));
      this.#overload.take(exchange);
      return exchange;
    });
  }
}

/** 64 are being served, for so long that the 16 behind them have just been refused. */
async function overrun(): Promise<Served> {
  const served = new Served(1_000);
  served.take(80);
  assert.equal(served.count, 64);
  work(260);
  await turn();
  assert.equal(served.refused, 16);
  return served;
}

/** What this turn of the event loop has brought is taken. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function settled(): Promise<void> {
  for (let turns = 0; turns < 50; turns += 1) await turn();
}

/** Takes so much time of the processor. */
function work(ms: number): void {
  const began = process.threadCpuUsage();
  for (let used = 0; used < ms * 1_000; ) {
    const { user, system } = process.threadCpuUsage(began);
    used = user + system;
  }
}

function update(http: HttpFixture, id: string, name: string): Promise<HttpResponse> {
  const fields = { ...bearer(http.tokens.developer), 'content-type': 'application/json' };
  return ask(http, `PATCH /developer/apps/v1/${id}`, fields, JSON.stringify({ name }));
}

function get(http: HttpFixture, id: string): Promise<HttpResponse> {
  return ask(http, `GET /platform/apps/v1/${id}`, bearer(http.tokens.platform));
}

/** Over a connection of its own. */
async function ask(
  http: HttpFixture,
  target: string,
  given: Record<string, string> = {},
  body = '',
): Promise<HttpResponse> {
  const fields = { ...given, host: 'localhost', connection: 'close', 'content-length': String(body.length) };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const [answer] = await http.exchange(`${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  assert.ok(answer);
  return answer;
}
