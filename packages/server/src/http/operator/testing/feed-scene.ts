import assert from 'node:assert/strict';
import type { Engine } from '@appregistrar/testkit/engines/engines';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import type { Address } from '../../../config/address.ts';
import { readConfig } from '../../../config/config.ts';
import type { EventFeedPage } from '../../../contract/event-query.ts';
import { type Server, startServer } from '../../../serve.ts';
import { findNewestEventId } from '../../../storage/queries/events.ts';

/** Two processes, as the database sees them, on one registry. */
export class FeedScene {
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

  async create(
    server: Server | undefined,
    path: string,
    body: object,
    token = this.token,
  ): Promise<{ id: string; userId: string }> {
    const response = await fetch(this.#url(server, path), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.equal(response.status, 201);
    return (await response.json()) as { id: string; userId: string };
  }

  async createDeveloper(server: Server | undefined, token = this.token): Promise<string> {
    this.#created += 1;
    return (await this.create(server, '/developers', { email: `${this.#created}@example.org` }, token)).userId;
  }

  /** Until so many requests of the first server wait, by its metrics. */
  untilWaiting(count: number): Promise<void> {
    return this.#untilMetric('event_feed_waiting', count);
  }

  /** Until so many streams of the first server are open, by its metrics. */
  untilStreaming(count: number): Promise<void> {
    return this.#untilMetric('event_streams_open', count);
  }

  /** A stream of the first server; its response has begun. */
  stream(
    query: Record<string, string>,
    init: RequestInit & { headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const headers = { authorization: `Bearer ${this.token}`, ...init.headers };
    return fetch(this.#url(this.servers[0], `/events/stream?${new URLSearchParams(query)}`), { ...init, headers });
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

  async #untilMetric(name: string, value: number): Promise<void> {
    for (;;) {
      const { host, port } = this.servers[0]?.operatorAddress ?? assert.fail();
      const metrics = await (await fetch(`http://${host}:${port}/metrics`)).text();
      if (new RegExp(`^${name} ${value}$`, 'm').test(metrics)) return;
    }
  }

  #url(server: Server | undefined, path: string): string {
    const { host, port }: Address = server?.operatorAddress ?? assert.fail();
    return `http://${host}:${port}/operator/v1${path}`;
  }
}
