import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A proxy in front of a listener that alters the JSON of its responses. */
export class AlteringProxy {
  readonly #server = createServer((from, to) => void this.#forward(from, to));
  readonly #target: string;
  alter: (body: unknown) => unknown;
  /** The number of requests so far. */
  requests = 0;

  static async open(target: string, alter: (body: unknown) => unknown): Promise<AlteringProxy> {
    const proxy = new AlteringProxy(target, alter);
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  private constructor(target: string, alter: (body: unknown) => unknown) {
    this.#target = target;
    this.alter = alter;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #forward(from: IncomingMessage, to: ServerResponse): Promise<void> {
    this.requests += 1;
    const { host: _, connection: _connection, ...headers } = from.headers as Record<string, string>;
    const { method = 'GET', url = '' } = from;
    const body = method === 'GET' ? null : await buffer(from);
    const response = await fetch(this.#target + url, { method, headers, body });
    const json = JSON.stringify(this.alter(await response.json()));
    to.writeHead(response.status, { 'content-type': response.headers.get('content-type') ?? '' }).end(json);
  }
}
