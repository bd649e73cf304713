import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import type { EventSummary } from '../../contract/event.ts';
import type { Problem } from '../../contract/problem.ts';
import { commandLine } from '../../registry/registry.ts';
import { revokeToken } from '../../registry/tokens/revoke-token.ts';
import { waitingMax } from './places-to-wait.ts';
import { FeedScene } from './testing/feed-scene.ts';

interface Message {
  id: string;
  event: EventSummary | undefined;
}

forEachEngine((engine) => {
  let scene: FeedScene;
  beforeEach(async () => {
    scene = await FeedScene.start(engine);
  });
  afterEach(() => scene.close());

  test('a stream sends each change of any process as it happens, with the name of who made it and without its values', async () => {
    const { token, id: actor } = await scene.fixture.newToken('operator', { name: 'Rui' });
    const stream = await scene.stream({ after: await scene.cursorAtEnd() });
    assert.equal(stream.headers.get('content-type'), 'text/event-stream');
    assert.equal(stream.headers.get('cache-control'), 'no-store');
    const messages = messagesOf(stream);
    const created: string[] = [];
    for (const server of scene.servers) {
      created.push(await scene.createDeveloper(server, token));
      const { event } = await nextEvent(messages);
      const { id, timestamp, requestId, ...rest } = event;
      assert.ok(id && timestamp && requestId);
      const subjectId = created.at(-1);
      assert.deepEqual(rest, { type: 'developer.created', actor, actorName: 'Rui', subjectId });
    }
    await messages.return();
  });

  test('a broken stream resumes after its last message without a gap or a duplicate, even in the middle of a page', async () => {
    const after = await scene.cursorAtEnd();
    const created: string[] = [];
    for (let count = 0; count < 5; count += 1) created.push(await scene.createDeveloper(scene.servers[count % 2]));
    const first = messagesOf(await scene.stream({ after }));
    const read = [await nextEvent(first), await nextEvent(first)];
    await first.return();
    created.push(await scene.createDeveloper(scene.servers[0]));
    // A browser sends the first URL again.
    const lastEventId = read.at(-1)?.id ?? '';
    const second = messagesOf(await scene.stream({ after }, { headers: { 'last-event-id': lastEventId } }));
    while (read.length < created.length) read.push(await nextEvent(second));
    assert.deepEqual(
      read.map(({ event }) => event.subjectId),
      created,
    );
    await second.return();
  });

  test('a stream sends its cursor before the first event', async () => {
    const { value: first } = await messagesOf(await scene.stream({})).next();
    assert.ok(first?.id && first.event === undefined);
    const developerId = await scene.createDeveloper(scene.servers[0]);
    const messages = messagesOf(await scene.stream({}, { headers: { 'last-event-id': first.id } }));
    const seen: string[] = [];
    // Earlier events may come first: an unfinished transaction of another test can hold them back.
    while (seen.at(-1) !== developerId) seen.push((await nextEvent(messages)).event.subjectId);
    await messages.return();
  });

  test('an invalid cursor, and one of another registry, are refused before the stream begins', async () => {
    const foreign = Buffer.from(JSON.stringify(['00000000', 0, 'event_01jq3w4m2je6vs9a1w7p3n0d5e']));
    for (const [after, status, code] of [
      ['yesterday', 422, 'invalid_content'],
      [foreign.toString('base64url'), 410, 'cursor_expired'],
    ] as const) {
      const refused = await scene.stream({}, { headers: { 'last-event-id': after } });
      assert.deepEqual([refused.status, ((await refused.json()) as Problem).code], [status, code]);
    }
    await scene.untilStreaming(0);
  });

  test('a stream ends with its token, and sends nothing that happened after the revocation', async () => {
    const { id, token } = await scene.fixture.newToken('operator', { scopes: ['read'] });
    const after = await scene.cursorAtEnd();
    const messages = messagesOf(await scene.stream({ after }, { headers: { authorization: `Bearer ${token}` } }));
    await messages.next();
    await revokeToken(scene.fixture.registry, commandLine, id);
    await scene.createDeveloper(scene.servers[0]);
    assert.deepEqual(await messages.next(), { value: undefined, done: true });
    await scene.untilStreaming(0);
  });

  test('a stream of a session ends when the user signs out, and sends nothing that happened after it', async () => {
    const { host, port } = scene.servers[0]?.operatorAddress ?? assert.fail();
    const address = `http://${host}:${port}`;
    const session = (method: string, headers: Record<string, string>, body: string | null = null) =>
      fetch(`${address}/session`, { method, headers: { 'sec-fetch-site': 'same-origin', ...headers }, body });
    const json = { 'content-type': 'application/json' };
    const signedIn = await session('POST', json, JSON.stringify({ token: scene.token }));
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? assert.fail();
    const after = await scene.cursorAtEnd();
    const messages = messagesOf(
      await fetch(`${address}/operator/v1/events/stream?after=${after}`, { headers: { cookie } }),
    );
    await messages.next();
    assert.equal((await session('DELETE', { cookie })).status, 204);
    await scene.createDeveloper(scene.servers[0]);
    assert.deepEqual(await messages.next(), { value: undefined, done: true });
    await scene.untilStreaming(0);
  });

  test('a shutdown ends all streams at once', async () => {
    const streams = await Promise.all([1, 2, 3].map(() => scene.stream({})));
    await scene.untilStreaming(3);
    const ended = Promise.all(streams.map((stream) => stream.text()));
    await scene.stop(0);
    for (const text of await ended) assert.match(text, /^retry: \d+\nid: [\w-]+\n\n$/);
  });

  test('a process limits its open streams and waits, and one whose client disconnects frees its place', async () => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const after = await scene.cursorAtEnd();
    const waiting = scene.send({ after, wait: 60 }, scene.token, signal).catch(() => {});
    await scene.untilWaiting(1);
    const streams: Response[] = [];
    while (streams.length < waitingMax - 1) streams.push(await scene.stream({}, { signal }));
    await scene.untilStreaming(waitingMax - 1);
    const refused = await scene.stream({});
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '5']);
    await refused.text();
    leaving.abort();
    await Promise.all([waiting, ...streams.map((stream) => stream.text().catch(() => {}))]);
    await scene.untilStreaming(0);
    assert.equal((await scene.stream({}, { method: 'HEAD' })).status, 200);
  });

  test('HEAD gets the header of a stream and occupies no place', async () => {
    const head = await scene.stream({}, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'text/event-stream']);
    await scene.untilStreaming(0);
  });
});

/** The messages of a stream, without heartbeats. Returning from it ends the stream. */
async function* messagesOf(stream: Response): AsyncGenerator<Message, void, void> {
  assert.equal(stream.status, 200);
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream.body ?? assert.fail()) {
    const messages = (text + decoder.decode(chunk, { stream: true })).split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages.filter((one) => !one.startsWith(':'))) {
      const data = /^data: (.*)$/m.exec(message)?.[1];
      yield { id: /^id: (.*)$/m.exec(message)?.[1] ?? '', event: data === undefined ? undefined : JSON.parse(data) };
    }
  }
}

async function nextEvent(messages: AsyncGenerator<Message, void, void>): Promise<{ id: string; event: EventSummary }> {
  for (;;) {
    const { value } = await messages.next();
    assert.ok(value, 'the stream has ended');
    if (value.event) return { id: value.id, event: value.event };
  }
}
