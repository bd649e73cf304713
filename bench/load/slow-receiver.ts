import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** Receives the events of a webhook, and takes a while for each request. */
export class SlowReceiver {
  readonly #server: Server;
  readonly #taskMs: number;
  readonly #seen = new Set<string>();
  #expected = 0;
  #done = Promise.withResolvers<void>();
  #firstAt = 0;
  #lastAt = 0;

  static async start(taskMs: number): Promise<SlowReceiver> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new SlowReceiver(server, taskMs);
  }

  private constructor(server: Server, taskMs: number) {
    this.#server = server;
    this.#taskMs = taskMs;
    server.on('request', (request, response) => void this.#take(request, response));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** From now on counts until this many events have been handled. */
  expect(events: number): void {
    this.#seen.clear();
    this.#expected = events;
    this.#done = Promise.withResolvers();
    this.#firstAt = 0;
  }

  /** Resolves once the expected events have been handled, with how many were in each second since the first arrived. */
  async perSecond(): Promise<number> {
    await this.#done.promise;
    return this.#expected / ((this.#lastAt - this.#firstAt) / 1_000);
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#firstAt ||= performance.now();
    const body = await text(request);
    await sleep(this.#taskMs);
    response.end();
    const events: { id: string }[] = [JSON.parse(body)].flat();
    for (const { id } of events) this.#seen.add(id);
    this.#lastAt = performance.now();
    if (this.#seen.size === this.#expected) this.#done.resolve();
  }
}
