import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A constant address for a database that moves between servers. */
export class TcpProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #target: number;
  #isStalled = false;

  static async start(target: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((client) => this.#join(client));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Sends new connections to this port, and leaves those that are open. */
  sendTo(target: number): void {
    this.#target = target;
  }

  /** Resets every connection, and sends new ones to this port. */
  switchTo(target: number): void {
    this.#target = target;
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Passes nothing on from now on, and leaves every connection open, as a network does that loses all packets. */
  stall(): void {
    this.#isStalled = true;
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  /** Passes new connections on again, and resets those from before. */
  resume(): void {
    this.#isStalled = false;
    this.switchTo(this.#target);
  }

  async stop(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(client: Socket): void {
    if (this.#isStalled) {
      this.#hold(client);
      return;
    }
    const server = connect(this.#target, '127.0.0.1');
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  }

  #hold(client: Socket): void {
    this.#sockets.add(client);
    client.pause();
    client.on('error', () => {}).on('close', () => this.#sockets.delete(client));
  }
}
