import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

interface ProxyOptions {
  /** Where each name leads, or that it gets no response; others are refused. A real proxy queries a name server. */
  hosts: Record<string, { host: string; port: number } | 'silence'>;
  /** `user:password` as in a URL, if it wants them. */
  credentials?: string;
}

/** An HTTP proxy that makes tunnels (RFC 9110, 9.3.6), on a real socket. */
export class ConnectProxy {
  /** The target of every request. */
  readonly targets: string[] = [];
  readonly #server = createServer();
  readonly #options: ProxyOptions;
  readonly #open = new Set<Socket>();

  static async start(options: ProxyOptions): Promise<ConnectProxy> {
    const proxy = new ConnectProxy(options);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  private constructor(options: ProxyOptions) {
    this.#options = options;
    this.#server.on('connect', (request, client) => this.#tunnel(request, client as Socket));
  }

  get url(): URL {
    const { credentials } = this.#options;
    const { port } = this.#server.address() as AddressInfo;
    return new URL(`http://${credentials ? `${credentials}@` : ''}127.0.0.1:${port}`);
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  #tunnel({ url = '', headers }: IncomingMessage, client: Socket): void {
    this.targets.push(url);
    this.#track(client);
    const { credentials, hosts } = this.#options;
    const expected = credentials && `Basic ${Buffer.from(decodeURIComponent(credentials)).toString('base64')}`;
    if (expected && headers['proxy-authorization'] !== expected)
      return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const target = hosts[url.replace(/:\d+$/, '')];
    if (!target) return void client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    if (target === 'silence') return;
    const server = connect(target, () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      client.pipe(server).pipe(client);
    });
    this.#track(server);
    server.on('close', () => client.destroy());
    client.on('close', () => server.destroy());
  }

  #track(socket: Socket): void {
    this.#open.add(socket);
    socket.on('error', () => {}).on('close', () => this.#open.delete(socket));
  }
}
