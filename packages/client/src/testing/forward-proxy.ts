import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TestContext } from 'node:test';

/** An HTTP proxy for requests in absolute form and for tunnels. It sends all of them to one registry. */
export class ForwardProxy {
  readonly #registry: URL;
  readonly #server = createServer((from, to) => this.#forward(from, to)).on('connect', ({ url = '' }, socket) =>
    this.#tunnel(url, socket),
  );
  /** The host of each request and tunnel. */
  readonly hosts: string[] = [];
  /** The `traceparent` of each request. */
  readonly traceparents: unknown[] = [];
  /** How many requests it still refuses. */
  refusals = 0;

  static async open(t: TestContext, registry: string): Promise<ForwardProxy> {
    const proxy = new ForwardProxy(registry);
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening');
    t.after(() => {
      proxy.#server.close();
      proxy.#server.closeAllConnections();
    });
    return proxy;
  }

  private constructor(registry: string) {
    this.#registry = new URL(registry);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #forward(from: IncomingMessage, to: ServerResponse): void {
    const { pathname, host } = new URL(from.url ?? '', this.url);
    this.hosts.push(host);
    this.traceparents.push(from.headers.traceparent);
    if (this.refusals > 0) {
      this.refusals -= 1;
      to.writeHead(503).end();
      return;
    }
    const forwarded = request(new URL(pathname, this.#registry), { method: from.method, headers: from.headers });
    forwarded.on('response', (response) => {
      to.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(to);
    });
    from.pipe(forwarded);
  }

  #tunnel(target: string, client: Duplex): void {
    this.hosts.push(target.replace(/:80$/, ''));
    const registry = connect(Number(this.#registry.port), this.#registry.hostname);
    client.on('error', () => registry.destroy()).on('close', () => registry.destroy());
    registry.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    registry.pipe(client).pipe(registry);
  }
}
