import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, test } from 'node:test';
import { type Engine, forEachEngine } from '@appregistrar/testkit/engines/engines';
import { parseResponses } from '@appregistrar/testkit/http/exchange';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import type { Address } from '../../config/address.ts';
import { readConfig } from '../../config/config.ts';
import type { EventFeedPage } from '../../contract/event-query.ts';
import type { Problem } from '../../contract/problem.ts';
import { commandLine } from '../../registry/registry.ts';
import { revokeToken } from '../../registry/tokens/revoke-token.ts';
import { type Server, startServer } from '../../serve.ts';
import { findNewestEventId } from '../../storage/queries/events.ts';
import { waitingMax } from './waits-at-once.ts';

/** Longer than the limit of a test: it ends only by what the test promises. */
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

  test('a request that waits with a filter goes on waiting while other events come', async () => {
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

  test('without an event the response comes when the time is over, and leads on', async () => {
    const nextCursor = await scene.cursorAtEnd();
    const page = await scene.read({ after: nextCursor, wait: 1 });
    assert.deepEqual(page, { items: [], nextCursor, hasMore: false });
  });

  test('a shutdown ends all waits at once with a response that leads on', async () => {
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

  test('no more requests wait than a process allows, and one whose client leaves makes room', async () => {
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

/** Two processes, as the database sees them, on one registry. */
class FeedScene {
  readonly fixture: RegistryFixture;
  readonly token: string;
  readonly servers: (Server | undefined)[] = [];
  #created = 0;

  static async start(engine: Engine): Promise<FeedScene> {
    const fixture = await RegistryFixture.open(engine);
    const { token } = await fixture.newToken('operator');
    const scene = new FeedScene(fixture, token);
    for (let server = 0; server < 2; server += 1)
      scene.servers.push(await startServer(scene.#config, new CapturedLog().logger));
    return scene;
  }

  private constructor(fixture: RegistryFixture, token: string) {
    this.fixture = fixture;
    this.token = token;
  }

  get #config() {
    const anyPort = { PUBLIC_ADDRESS: '127.0.0.1:0', OPERATOR_ADDRESS: '127.0.0.1:0' };
    return readConfig({ ...anyPort, DATABASE_URL: this.fixture.databaseUrl });
  }

  send(query: Record<string, string | number>, token = this.token, signal?: AbortSignal): Promise<Response> {
    const given = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    return fetch(this.#url(this.servers[0], `/events/feed?${given}`), {
      headers: { authorization: `Bearer ${token}` },
      ...(signal && { signal }),
    });
  }

  async read(query: Record<string, string | number>): Promise<EventFeedPage> {
    const response = await this.send(query);
    assert.equal(response.status, 200);
    return (await response.json()) as EventFeedPage;
  }

  /** After all that is stored: unfinished transactions of other tests may hold some of it back for a while. */
  async cursorAtEnd(): Promise<string> {
    const newest = await findNewestEventId(this.fixture.registry.storage.reader, {});
    for (let after = 'start'; ; ) {
      const { items, nextCursor } = await this.read({ after, wait: 1, limit: 100 });
      if (items.some(({ id }) => id === newest?.id)) return nextCursor;
      after = nextCursor;
    }
  }

  async create(server: Server | undefined, path: string, body: object): Promise<{ id: string; userId: string }> {
    const response = await fetch(this.#url(server, path), {
      method: 'POST',
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.equal(response.status, 201);
    return (await response.json()) as { id: string; userId: string };
  }

  async createDeveloper(server: Server | undefined): Promise<string> {
    this.#created += 1;
    return (await this.create(server, '/developers', { email: `${this.#created}@example.org` })).userId;
  }

  /** Until so many requests of the first server wait, by its metrics. */
  async untilWaiting(count: number): Promise<void> {
    for (;;) {
      const { host, port } = this.servers[0]?.operatorAddress ?? assert.fail();
      const metrics = await (await fetch(`http://${host}:${port}/metrics`)).text();
      if (new RegExp(`^event_feed_waiting ${count}$`, 'm').test(metrics)) return;
    }
  }

  async stop(index: number): Promise<void> {
    const server = this.servers[index];
    this.servers[index] = undefined;
    await server?.stop();
  }

  async close(): Promise<void> {
    for (const index of this.servers.keys()) await this.stop(index);
    await this.fixture.close();
  }

  #url(server: Server | undefined, path: string): string {
    const { host, port }: Address = server?.operatorAddress ?? assert.fail();
    return `http://${host}:${port}/operator/v1${path}`;
  }
}
