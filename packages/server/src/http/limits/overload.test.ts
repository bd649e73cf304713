import assert from 'node:assert/strict';
import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { HttpFixture } from '../../../test/http/http-fixture.ts';
import { findAppForUpdate } from '../../features/apps/app-queries.ts';
import { RequestContext } from '../listener/request-context.ts';
import { Overload } from './overload.ts';

onSqlite((engine) => {
  test('a request over the limit gets 503 at once, those in progress finish, and later ones are served', async () => {
    const http = await HttpFixture.open(engine, { requestsAtOnceMax: 2 });
    const { id } = await http.data.newApp();
    const { working, rejected } = await http.data.registry.storage.write(async (transaction) => {
      await findAppForUpdate(transaction, { id });
      // Both wait for the end of this transaction.
      const working: Promise<HttpResponse>[] = [];
      for (const name of ['One', 'Two']) {
        const arrived = once(http.listener.server, 'request');
        working.push(update(http, id, name));
        await arrived;
      }
      // At once: this transaction is still open.
      const rejected = [await update(http, id, 'Three'), await get(http, id), await send(http, 'GET /openapi.json')];
      return { working, rejected };
    });
    for (const response of rejected) {
      assert.equal(response.refusal, '503 unavailable');
      assert.equal(response.headers['retry-after'], '1');
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

  test('a client that disconnects frees capacity', async () => {
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
      const gone = closed(http);
      socket.destroy();
      await gone;
      assert.equal((await get(http, id)).status, 200);
    }
    await http.close();
  });

  test('a client that pipelines takes the capacity of one request, also when it disconnects', async () => {
    const http = await HttpFixture.open(engine, { requestsAtOnceMax: 3 });
    const { id } = await http.data.newApp();
    const lines = [`GET /platform/apps/v1/${id} HTTP/1.1`, 'Host: localhost'];
    const request = `${[...lines, `Authorization: Bearer ${http.tokens.platform}`].join('\r\n')}\r\n\r\n`;
    const responses = await http.exchange(
      `${request.repeat(20)}${request.replace('Host', 'Connection: close\r\nHost')}`,
    );
    assert.deepEqual(
      responses.map(({ status }) => status),
      Array.from({ length: 21 }, () => 200),
    );
    for (let round = 0; round < 3; round += 1) {
      const socket = connect(await http.port(), '127.0.0.1').on('error', () => {});
      const arrived = once(http.listener.server, 'request');
      socket.pause().write(request.repeat(20));
      await arrived;
      const gone = closed(http);
      socket.resetAndDestroy();
      await gone;
    }
    assert.equal((await get(http, id)).status, 200);
    await http.close();
  });
});

test('a slice starts no more requests than earlier slices served in a short time', async () => {
  const served = new Served(1_000);
  served.accept(64);
  assert.equal(served.count, 64);
  served.cpuMs += 400;
  await turn();
  served.accept(100);
  // 64 in 400 ms are 16 in 100 ms.
  assert.equal(served.count, 64 + 16);
  served.cpuMs += 49;
  await turn();
  // Twice as many, since the 16 took less than half of the time.
  assert.equal(served.count, 64 + 16 + 32);
  served.cpuMs += 50;
  await turn();
  // As many, since the 32 took half of it.
  assert.equal(served.count, 64 + 16 + 32 + 32);
  await settled();
  assert.equal(served.count, 164);
  assert.equal(served.rejected, 0);
});

test('a slice starts at least 16 requests, however long earlier ones took', async () => {
  const served = new Served(1_000);
  served.accept(64);
  served.cpuMs += 10_000;
  await turn();
  served.accept(100);
  assert.equal(served.count, 64 + 16);
  await settled();
});

test('a request that has waited too long is rejected, and a later one is served', async () => {
  const waiting = new Served(1_000);
  waiting.accept(80);
  waiting.cpuMs += 250;
  await settled();
  assert.deepEqual([waiting.count, waiting.rejected], [80, 0]);

  const served = await overrun();
  await settled();
  served.accept(500);
  await settled();
  assert.equal(served.count, 564);
  assert.equal(served.rejected, 16);
});

test('while requests wait too long, any that would wait as long is rejected at once, and none afterwards', async () => {
  const served = await overrun();
  served.accept(500);
  // A slice serves 25, and two and a half times as many wait: 62 are less than that, 63 are not.
  assert.equal(served.rejected, 16 + 500 - 25 - 63);
  await settled();
  const { rejected } = served;
  served.accept(500);
  await settled();
  assert.equal(served.rejected, rejected);
});

test('a request whose client disconnects while it waits is neither served nor rejected', async () => {
  const served = new Served(1_000);
  const contexts = served.accept(80);
  for (const { response } of contexts.slice(70)) response.destroy();
  await settled();
  assert.equal(served.count, 70);
  assert.equal(served.rejected, 0);
});

test('without a limit no request is rejected or waits', () => {
  const served = new Served(0);
  served.accept(2_000);
  assert.equal(served.count, 2_000);
});

class Served {
  /** What the thread has used. */
  cpuMs = 0;
  count = 0;
  rejected = 0;
  readonly #overload: Overload;

  constructor(requestsMax: number) {
    const serve = () => {
      this.count += 1;
    };
    const reject = () => {
      this.rejected += 1;
    };
    this.#overload = new Overload({ requestsMax, serve, reject, cpuMs: () => this.cpuMs });
  }

  accept(count: number): RequestContext[] {
    return Array.from({ length: count }, () => {
      const request = new IncomingMessage(new Socket());
      const context = new RequestContext(request, new ServerResponse(request));
      this.#overload.accept(context);
      return context;
    });
  }
}

/** 64 are served for so long that the 16 behind them have just been rejected. */
async function overrun(): Promise<Served> {
  const served = new Served(1_000);
  served.accept(80);
  assert.equal(served.count, 64);
  served.cpuMs += 251;
  await turn();
  assert.equal(served.rejected, 16);
  return served;
}

/** Waits until everything that arrived in this turn of the event loop is accepted. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function settled(): Promise<void> {
  for (let turns = 0; turns < 50; turns += 1) await turn();
}

/** Resolves once the server has closed every connection to its clients. */
async function closed({ listener: { server } }: HttpFixture): Promise<void> {
  const connections = promisify(server.getConnections.bind(server));
  while ((await connections()) > 0) await turn();
}

function update(http: HttpFixture, id: string, name: string): Promise<HttpResponse> {
  const fields = { ...bearer(http.tokens.developer), 'content-type': 'application/json' };
  return send(http, `PATCH /developer/apps/v1/${id}`, fields, JSON.stringify({ name }));
}

function get(http: HttpFixture, id: string): Promise<HttpResponse> {
  return send(http, `GET /platform/apps/v1/${id}`, bearer(http.tokens.platform));
}

/** On a connection of its own. */
async function send(
  http: HttpFixture,
  target: string,
  given: Record<string, string> = {},
  body = '',
): Promise<HttpResponse> {
  const fields = { ...given, host: 'localhost', connection: 'close', 'content-length': String(body.length) };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const [response] = await http.exchange(`${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  assert.ok(response);
  return response;
}
