import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppRegistryTimeoutError } from '../client/errors.ts';
import { json, ScriptedServer } from '../testing/scripted-server.ts';
import { OperatorClient } from './operator-client.ts';

const event = { id: 'event_1', type: 'app.created' };
const late = (nextCursor: string) => (response: Parameters<ReturnType<typeof json>>[0]) =>
  setTimeout(() => json(200, { items: [event], nextCursor, hasMore: false })(response), 300);

test('the time that a read waits for events is not part of its timeout', async (t) => {
  const { baseUrl } = await ScriptedServer.start(t, late('next'));
  const { events } = new OperatorClient({ baseUrl, token: 'x', timeoutMs: 100, maxRetries: 0 });
  assert.equal((await events.read({ wait: 60 })).nextCursor, 'next');
  await assert.rejects(events.read(), AppRegistryTimeoutError);
  assert.equal((await events.read({}, { timeoutMs: 0 })).nextCursor, 'next');
});

test('who follows from now on misses no event when the first connection that waits is lost', async (t) => {
  const server = await ScriptedServer.start(
    t,
    json(200, { items: [], nextCursor: 'now_1', hasMore: false }),
    (response) => response.destroy(),
    json(200, { items: [event], nextCursor: 'next', hasMore: false }),
  );
  const { events } = new OperatorClient({ baseUrl: server.baseUrl, token: 'x', maxRetries: 0 });
  for await (const { items } of events.follow({ after: 'now' })) {
    assert.deepEqual(items, [event]);
    break;
  }
  const sent = server.received.map(({ path }) => new URL(path ?? '', server.baseUrl).searchParams);
  assert.deepEqual(
    sent.map((query) => [query.get('after'), query.get('wait')]),
    [
      ['now', '0'],
      ['now_1', '30'],
      ['now_1', '30'],
    ],
  );
});
