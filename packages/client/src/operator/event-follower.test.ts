import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ObservedTimers } from '../testing/observed-timers.ts';
import { json, ScriptedServer, truncated } from '../testing/scripted-server.ts';
import type { StreamedEvent } from './event-stream.ts';
import { OperatorClient } from './operator-client.ts';

const event = { id: 'event_1', type: 'app.created' };
const timeoutMs = 54_321;

test('the time that a read waits for events is added to its timeout', async (t) => {
  const feed = { items: [event], nextCursor: 'next' };
  const fetch = async () => Response.json(feed);
  const { events } = new OperatorClient({ baseUrl: 'https://ops.example.com', token: 'x', timeoutMs, fetch });
  const [waiting, atOnce] = [new ObservedTimers(t, timeoutMs + 60_000), new ObservedTimers(t, timeoutMs)];
  assert.deepEqual(await events.readFeed({ wait: 60 }), feed);
  assert.deepEqual([waiting.started, atOnce.started], [1, 0]);
  await events.readFeed();
  await events.readFeed({ wait: 60 }, { timeoutMs: 0 });
  assert.deepEqual([waiting.started, atOnce.started], [1, 1]);
  assert.deepEqual([waiting.running.size, atOnce.running.size], [0, 0]);
});

test('following from now misses no event if the first waiting connection is lost', async (t) => {
  const server = await ScriptedServer.start(
    t,
    json(200, { items: [], nextCursor: 'now_1' }),
    (response) => response.destroy(),
    json(200, { items: [event], nextCursor: 'next' }),
  );
  const { events } = new OperatorClient({ baseUrl: server.baseUrl, token: 'x', maxRetries: 0 });
  for await (const { items } of events.follow({ since: 'now' })) {
    assert.deepEqual(items, [event]);
    break;
  }
  const sent = server.received.map(({ path }) => new URL(path ?? '', server.baseUrl).searchParams);
  assert.deepEqual(
    sent.map((query) => [query.get('cursor') ?? query.get('since'), query.get('wait')]),
    [
      ['now', '0'],
      ['now_1', '30'],
      ['now_1', '30'],
    ],
  );
});

const header = { 'content-type': 'text/event-stream' };

test('a stream yields each event with its cursor, however its bytes arrive, and ends when the registry ends it', async (t) => {
  const named = { ...event, actorName: 'Zoë' };
  const text = `retry: 3000\nid: c0\n\n: still here\n\nid: c1\ndata: ${JSON.stringify(named)}\n\nid: c2\ndata: ${JSON.stringify(event)}\n\n`;
  const { baseUrl, received } = await ScriptedServer.start(t, async (response) => {
    response.writeHead(200, header);
    for (const byte of Buffer.from(text)) {
      response.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    response.end();
  });
  const { events } = new OperatorClient({ baseUrl, token: 'x' });
  const read: StreamedEvent[] = [];
  for await (const streamed of events.stream({ cursor: 'c0' })) read.push(streamed);
  assert.deepEqual(read, [
    { event: named, cursor: 'c1' },
    { event, cursor: 'c2' },
  ]);
  assert.equal(received[0]?.path, '/operator/v1/events/stream?cursor=c0');
});

test('a lost or silent stream, or another response, is an error, and leaving the loop closes the stream', async (t) => {
  const message = `id: c1\ndata: ${JSON.stringify(event)}\n\n`;
  const closed = Promise.withResolvers<void>();
  const { baseUrl } = await ScriptedServer.start(
    t,
    truncated(message, { type: 'text/event-stream' }),
    (response) => response.writeHead(200, header).write(message),
    json(200, {}),
    (response) =>
      response
        .on('close', () => closed.resolve())
        .writeHead(200, header)
        .write(message),
  );
  const { events } = new OperatorClient({ baseUrl, token: 'x', maxRetries: 0, timeoutMs });
  const timers = new ObservedTimers(t, timeoutMs);
  const readAll = async (isSilent = false) => {
    for await (const { cursor } of events.stream()) {
      assert.equal(cursor, 'c1');
      timers.fires = isSilent;
    }
  };
  await assert.rejects(readAll(), { name: 'AppRegistryConnectionError' });
  await assert.rejects(readAll(true), { name: 'AppRegistryTimeoutError' });
  timers.fires = false;
  await assert.rejects(readAll(), { name: 'ResponseError' });
  for await (const _ of events.stream()) break;
  await closed.promise;
});
