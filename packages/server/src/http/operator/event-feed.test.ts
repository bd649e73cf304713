import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { parseResponses } from '@appregistrar/testkit/http/exchange';
import type { Problem } from '../../contract/problem.ts';
import { commandLine } from '../../registry/registry.ts';
import { revokeToken } from '../../registry/tokens/revoke-token.ts';
import { waitingMax } from './places-to-wait.ts';
import { FeedScene } from './testing/feed-scene.ts';

/** Longer than the limit of a test: it ends only by what the test checks. */
const forever = 60;

forEachEngine((engine) => {
  let scene: FeedScene;
  beforeEach(async () => {
    scene = await FeedScene.start(engine);
  });
  afterEach(() => scene.close());

  test('a request that waits gets an event of its own process, and one of another process', async () => {
    const nextCursor = await scene.cursorAtEnd();
    const waiting = scene.read({ after: nextCursor, wait: forever });
    await scene.untilWaiting(1);
    const first = await scene.createDeveloper(scene.servers[0]);
    const page = await waiting;
    assert.deepEqual(
      page.items.map(({ subjectId }) => subjectId),
      [first],
    );

    const next = scene.read({ after: page.nextCursor, wait: forever });
    await scene.untilWaiting(1);
    const second = await scene.createDeveloper(scene.servers[1]);
    assert.deepEqual(
      (await next).items.map(({ subjectId }) => subjectId),
      [second],
    );
  });

  test('a request that waits with a filter keeps waiting while other events arrive', async () => {
    const nextCursor = await scene.cursorAtEnd();
    const waiting = scene.read({ after: nextCursor, wait: forever, types: 'app.created' });
    await scene.untilWaiting(1);
    const developerId = await scene.createDeveloper(scene.servers[1]);
    await scene.createDeveloper(scene.servers[0]);
    const { id } = await scene.create(scene.servers[1], '/apps', { developerId, name: 'Wanted' });
    assert.deepEqual(
      (await waiting).items.map(({ subjectId }) => subjectId),
      [id],
    );
  });

  test('without an event, the response comes after the wait and has a cursor to continue', async () => {
    const nextCursor = await scene.cursorAtEnd();
    const page = await scene.read({ after: nextCursor, wait: 1 });
    assert.deepEqual(page, { items: [], nextCursor, hasMore: false });
  });

  test('a shutdown ends all waits at once with a response that has a cursor to continue', async () => {
    const nextCursor = await scene.cursorAtEnd();
    const waiting = [1, 2, 3].map(() => scene.read({ after: nextCursor, wait: forever }));
    await scene.untilWaiting(3);
    await scene.stop(0);
    for (const page of await Promise.all(waiting)) assert.deepEqual(page, { items: [], nextCursor, hasMore: false });
  });

  test('a token that is revoked while its request waits receives nothing', async () => {
    const { id, token } = await scene.fixture.newToken('operator', { scopes: ['read'] });
    const nextCursor = await scene.cursorAtEnd();
    const waiting = scene.send({ after: nextCursor, wait: forever }, token);
    await scene.untilWaiting(1);
    await revokeToken(scene.fixture.registry, commandLine, id);
    const response = await waiting;
    assert.equal(response.status, 401);
    assert.equal(((await response.json()) as Problem).code, 'token_invalid');
  });

  test('a process limits its waiting requests, and one whose client disconnects frees its place', async () => {
    const nextCursor = await scene.cursorAtEnd();
    const leaving = new AbortController();
    const waiting = Array.from({ length: waitingMax }, () =>
      scene.send({ after: nextCursor, wait: forever }, scene.token, leaving.signal).catch(() => {}),
    );
    await scene.untilWaiting(waitingMax);
    const refused = await scene.send({ after: nextCursor, wait: forever });
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '5']);
    await refused.text();
    assert.deepEqual((await scene.read({ after: nextCursor })).items, [], 'one that does not wait is served');
    leaving.abort();
    await Promise.all(waiting);
    await scene.untilWaiting(0);
    assert.deepEqual((await scene.read({ after: nextCursor, wait: 1 })).items, []);
  });

  test('a client that half-closes its connection gets its response at once', async () => {
    const nextCursor = await scene.cursorAtEnd();
    const { host, port } = scene.servers[0]?.operatorAddress ?? assert.fail();
    const socket = connect({ host, port, allowHalfOpen: true });
    const path = `/operator/v1/events/feed?after=${nextCursor}&wait=${forever}`;
    const header = `host: ${host}:${port}\r\nauthorization: Bearer ${scene.token}\r\nconnection: close`;
    socket.end(`GET ${path} HTTP/1.1\r\n${header}\r\n\r\n`);
    const [response] = parseResponses(Buffer.from(await text(socket)));
    assert.equal(response?.status, 200);
  });
});
