import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { revokeToken } from '@appregistrar/testkit/calls/access';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { parseResponses } from '../../../test/http/exchange.ts';
import { FeedScene } from '../../../test/http/feed-scene.ts';
import type { EventSummary } from '../../features/events/event.ts';
import type { Problem } from '../../kernel/problem-details.ts';
import { commandLine } from '../../kernel/registry.ts';
import { waitingMax } from '../limits/concurrent-requests.ts';

/** Ends only by what a test checks. */
const forever = 60;

interface Message {
  id: string;
  event: EventSummary | undefined;
}

onSqlite((engine) => {
  let scene: FeedScene;
  before(async () => {
    scene = await FeedScene.start(engine);
  });
  after(() => scene.close());

  test('a stream sends each change as it happens, with the name of who made it and without its values', async () => {
    const { token, id: actor } = await scene.fixture.newToken('operator', { name: 'Rui' });
    const stream = await scene.stream({ cursor: await scene.cursorAtEnd() });
    assert.equal(stream.headers.get('content-type'), 'text/event-stream');
    assert.equal(stream.headers.get('cache-control'), 'no-store');
    const messages = messagesOf(stream);
    for (let created = 0; created < 2; created += 1) {
      const subjectId = await scene.createDeveloper(token);
      const { id, timestamp, requestId, ...rest } = (await nextEvent(messages)).event;
      assert.ok(id && timestamp && requestId);
      assert.deepEqual(rest, { type: 'developer.created', actor, actorName: 'Rui', subjectId });
    }
    await messages.return();
  });

  test('a broken stream resumes after its last message without a gap or a duplicate, even in the middle of a page', async () => {
    const cursor = await scene.cursorAtEnd();
    const created: string[] = [];
    for (let count = 0; count < 5; count += 1) created.push(await scene.createDeveloper());
    const first = messagesOf(await scene.stream({ cursor }));
    const read = [await nextEvent(first), await nextEvent(first)];
    await first.return();
    created.push(await scene.createDeveloper());
    // A browser sends the first URL again.
    const lastEventId = read.at(-1)?.id ?? '';
    const second = messagesOf(await scene.stream({ cursor }, { headers: { 'last-event-id': lastEventId } }));
    while (read.length < created.length) read.push(await nextEvent(second));
    assert.deepEqual(
      read.map(({ event }) => event.subjectId),
      created,
    );
    await second.return();
  });

  test('a stream sends its cursor before the first event', async () => {
    const beginning = messagesOf(await scene.stream({}));
    const { value: first } = await beginning.next();
    assert.ok(first?.id && first.event === undefined);
    await beginning.return();
    const developerId = await scene.createDeveloper();
    const messages = messagesOf(await scene.stream({}, { headers: { 'last-event-id': first.id } }));
    assert.equal((await nextEvent(messages)).event.subjectId, developerId);
    await messages.return();
  });

  test('an invalid cursor, and one of another registry, are refused before the stream begins', async () => {
    const foreign = Buffer.from(JSON.stringify([1, '00000000', 0, 'event_01jq3w4m2je6vs9a1w7p3n0d5e']));
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
    const cursor = await scene.cursorAtEnd();
    const messages = messagesOf(await scene.stream({ cursor }, { headers: { authorization: `Bearer ${token}` } }));
    await messages.next();
    await revokeToken(scene.fixture.registry, commandLine, id);
    await scene.createDeveloper();
    assert.deepEqual(await messages.next(), { value: undefined, done: true });
    await scene.untilStreaming(0);
  });

  test('a stream of a session ends when the user signs out, and sends nothing that happened after it', async () => {
    const { address } = scene;
    const session = (method: string, headers: Record<string, string>, body: string | null = null) =>
      fetch(`${address}/session`, { method, headers: { 'sec-fetch-site': 'same-origin', ...headers }, body });
    const json = { 'content-type': 'application/json' };
    const signedIn = await session('POST', json, JSON.stringify({ token: scene.token }));
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? assert.fail();
    const cursor = await scene.cursorAtEnd();
    const messages = messagesOf(
      await fetch(`${address}/operator/v1/events/stream?cursor=${cursor}`, { headers: { cookie } }),
    );
    await messages.next();
    assert.equal((await session('DELETE', { cookie })).status, 204);
    await scene.createDeveloper();
    assert.deepEqual(await messages.next(), { value: undefined, done: true });
    await scene.untilStreaming(0);
  });

  test('a process limits its open streams and waits, and one whose client disconnects frees its place', async () => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const cursor = await scene.cursorAtEnd();
    const waiting = scene.send({ cursor, wait: forever }, scene.token, signal).catch(() => {});
    await scene.untilWaiting(1);
    const opening = Array.from({ length: waitingMax - 1 }, () => scene.stream({}, { signal }));
    const streams = await Promise.all(opening);
    for (const refused of [await scene.stream({}), await scene.send({ cursor, wait: forever })]) {
      assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '5']);
      await refused.text();
    }
    assert.deepEqual((await scene.read({ cursor })).items, [], 'one that does not wait is served');
    leaving.abort();
    await Promise.all([waiting, ...streams.map((stream) => stream.text().catch(() => {}))]);
    await scene.untilStreaming(0);
    await scene.untilWaiting(0);
    const next = await scene.stream({});
    assert.equal(next.status, 200);
    await next.body?.cancel();
    await scene.untilStreaming(0);
  });

  test('HEAD gets the header of a stream and occupies no place', async () => {
    const head = await scene.stream({}, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'text/event-stream']);
    await scene.untilStreaming(0);
  });

  test('a request that waits with a filter keeps waiting while other events arrive', async () => {
    const nextCursor = await scene.cursorAtEnd();
    const waiting = scene.read({ cursor: nextCursor, wait: forever, type: 'app.created' });
    await scene.untilWaiting(1);
    const developerId = await scene.createDeveloper();
    const { id } = await scene.create('/apps', { developerId, name: 'Wanted' });
    assert.deepEqual(
      (await waiting).items.map(({ subjectId }) => subjectId),
      [id],
    );
  });

  test('a token that is revoked while its request waits receives nothing', async () => {
    const { id, token } = await scene.fixture.newToken('operator', { scopes: ['read'] });
    const nextCursor = await scene.cursorAtEnd();
    const waiting = scene.send({ cursor: nextCursor, wait: forever }, token);
    await scene.untilWaiting(1);
    // By a request to the same process, which notices its event without polling.
    const headers = { authorization: `Bearer ${scene.token}` };
    await fetch(`${scene.address}/operator/v1/tokens/${id}/revoke`, { method: 'POST', headers });
    const response = await waiting;
    assert.equal(response.status, 401);
    assert.equal(((await response.json()) as Problem).code, 'token_invalid');
  });

  test('a client that half-closes its connection gets its response at once', async () => {
    const nextCursor = await scene.cursorAtEnd();
    const { hostname: host, port } = new URL(scene.address);
    const socket = connect({ host, port: Number(port), allowHalfOpen: true });
    const path = `/operator/v1/events/feed?cursor=${nextCursor}&wait=${forever}`;
    const header = `host: ${host}:${port}\r\nauthorization: Bearer ${scene.token}\r\nconnection: close`;
    socket.end(`GET ${path} HTTP/1.1\r\n${header}\r\n\r\n`);
    const [response] = parseResponses(Buffer.from(await text(socket)));
    assert.equal(response?.status, 200);
  });

  test('a shutdown ends all waits and streams, with a cursor to continue', async () => {
    const cursor = await scene.cursorAtEnd();
    const waiting = [1, 2].map(() => scene.read({ cursor, wait: forever }));
    const streams = await Promise.all([1, 2].map(() => scene.stream({})));
    await scene.untilWaiting(2);
    await scene.untilStreaming(2);
    const ended = Promise.all(streams.map((stream) => stream.text()));
    await scene.stop();
    for (const page of await Promise.all(waiting)) {
      assert.deepEqual(page, { items: [], nextCursor: cursor });
    }
    for (const text of await ended) assert.match(text, /^retry: \d+\nid: [\w-]+\n\n$/);
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
