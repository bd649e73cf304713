import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { PostgresCluster } from './postgres-cluster.ts';

/** An address that moves from one server to another, as that of a cluster does. */
export class MovingAddress {
  readonly #sockets = new Set<Socket>();
  readonly #listener = createServer((client) => this.#join(client));
  #server: PostgresCluster;

  static async of(server: PostgresCluster): Promise<MovingAddress> {
    const address = new MovingAddress(server);
    await once(address.#listener.listen(0, '127.0.0.1'), 'listening');
    return address;
  }

  private constructor(server: PostgresCluster) {
    this.#server = server;
  }

  get port(): number {
    return (this.#listener.address() as AddressInfo).port;
  }

  get url(): string {
    return this.#server.url(this.port);
  }

  switchTo(server: PostgresCluster): void {
    this.#server = server;
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.switchTo(this.#server);
    this.#listener.close();
    await once(this.#listener, 'close');
  }

  #join(client: Socket): void {
    const server = connect(this.#server.port, '127.0.0.1');
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from);
      from.on('error', () => {}).on('close', () => this.#sockets.delete(from) && to.destroy());
      from.pipe(to);
    }
  }
}
