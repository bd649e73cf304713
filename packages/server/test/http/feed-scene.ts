import assert from 'node:assert/strict';
import type { Engine } from '@appregistrar/testkit/engines/engines';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import type { EventFeedPage } from '../../src/features/events/event-query.ts';
import { type ServedHere, serveHere } from '../programs/serve-here.ts';

/** A served registry whose event feed is read. */
export class FeedScene {
  readonly fixture: RegistryFixture;
  readonly token: string;
  readonly #server: ServedHere;
  #created = 0;
  #stopped: Promise<void> | undefined;

  static async start(engine: Engine): Promise<FeedScene> {
    const fixture = await RegistryFixture.open(engine);
    const { token } = await fixture.newToken('operator');
    return new FeedScene(fixture, { token, server: await serveHere(fixture.databaseUrl) });
  }

  private constructor(fixture: RegistryFixture, { token, server }: { token: string; server: ServedHere }) {
    this.fixture = fixture;
    this.token = token;
    this.#server = server;
  }

  get address(): string {
    return this.#server.operatorUrl;
  }

  send(query: Record<string, string | number>, token = this.token, signal?: AbortSignal): Promise<Response> {
    const given = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    return fetch(`${this.address}/operator/v1/events/feed?${given}`, {
      headers: { authorization: `Bearer ${token}` },
      ...(signal && { signal }),
    });
  }

  async read(query: Record<string, string | number>): Promise<EventFeedPage> {
    const response = await this.send(query);
    assert.equal(response.status, 200);
    return (await response.json()) as EventFeedPage;
  }

  /** After all that is stored. */
  async cursorAtEnd(): Promise<string> {
    return (await this.read({ since: 'now' })).nextCursor;
  }

  async create(path: string, body: object, token = this.token): Promise<{ id: string; userId: string }> {
    const response = await fetch(`${this.address}/operator/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.equal(response.status, 201);
    return (await response.json()) as { id: string; userId: string };
  }

  async createDeveloper(token = this.token): Promise<string> {
    this.#created += 1;
    return (await this.create('/developers', { email: `${this.#created}@example.org` }, token)).id;
  }

  /** A stream; its response has begun. */
  stream(
    query: Record<string, string>,
    init: RequestInit & { headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const headers = { authorization: `Bearer ${this.token}`, ...init.headers };
    return fetch(`${this.address}/operator/v1/events/stream?${new URLSearchParams(query)}`, { ...init, headers });
  }

  /** Until so many requests wait, by the metrics. */
  untilWaiting(count: number): Promise<void> {
    return this.#untilMetric('event_feed_waiting', count);
  }

  /** Until so many streams are open, by the metrics. */
  untilStreaming(count: number): Promise<void> {
    return this.#untilMetric('event_streams_open', count);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#server.stop();
    return this.#stopped;
  }

  async close(): Promise<void> {
    await this.stop();
    await this.fixture.close();
  }

  async #untilMetric(name: string, value: number): Promise<void> {
    const isReached = new RegExp(`^${name} ${value}$`, 'm');
    while (!isReached.test(await (await fetch(`${this.address}/metrics`)).text())) {}
  }
}
