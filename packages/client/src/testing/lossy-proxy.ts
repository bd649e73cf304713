import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';

/** A proxy in front of a registry that can drop responses. */
export class LossyProxy {
  readonly #server: Server;
  readonly #port: number;
  #lossesLeft = 0;
  #onLoss: (() => Promise<unknown>) | undefined;
  /** The number of requests that have reached the registry. */
  forwarded = 0;

  static async start(t: TestContext, port: number): Promise<LossyProxy> {
    const proxy = new LossyProxy(port);
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening');
    t.after(() => {
      proxy.#server.closeAllConnections();
      proxy.#server.close();
    });
    return proxy;
  }

  private constructor(port: number) {
    this.#port = port;
    this.#server = createServer((from, to) => this.#forward(from, to));
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Drops the next responses after the registry has processed the requests. Calls `onLoss` for each. */
  loseResponses(count: number, onLoss?: () => Promise<unknown>): void {
    this.#lossesLeft = count;
    this.#onLoss = onLoss;
  }

  async #forward(from: IncomingMessage, to: ServerResponse): Promise<void> {
    const { method = 'GET', url: path } = from;
    const headers = { ...from.headers, host: `127.0.0.1:${this.#port}` };
    const outgoing = request({ host: '127.0.0.1', port: this.#port, method, path, headers, agent: false });
    outgoing.end(await buffer(from));
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    const body = await buffer(incoming);
    this.forwarded += 1;
    if (this.#lossesLeft === 0) {
      to.writeHead(incoming.statusCode ?? 502, incoming.rawHeaders).end(body);
      return;
    }
    this.#lossesLeft -= 1;
    await this.#onLoss?.();
    to.socket?.resetAndDestroy();
  }
}
