import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** The network between the browser and the server. */
export class Network {
  readonly port: number;
  /** A port that was free. */
  readonly serverPort: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  static async start(): Promise<Network> {
    const [server, other] = [createServer(), createServer()];
    for (const one of [server, other]) await once(one.listen(0, '127.0.0.1'), 'listening');
    const serverPort = portOf(other);
    await once(other.close(), 'close');
    return new Network(server, serverPort);
  }

  private constructor(server: Server, serverPort: number) {
    this.#server = server.on('connection', (socket) => this.#accept(socket));
    this.port = portOf(server);
    this.serverPort = serverPort;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  restore(): void {
    this.#isCut = false;
  }

  async stop(): Promise<void> {
    this.cut();
    await once(this.#server.close(), 'close');
  }

  #accept(socket: Socket): void {
    if (this.#isCut) return void socket.destroy();
    const other = connect(this.serverPort, '127.0.0.1');
    for (const one of [socket, other]) {
      this.#sockets.add(one);
      // The end of one is that of the other.
      one
        .on('error', () => {})
        .on('close', () => {
          this.#sockets.delete(one);
          for (const both of [socket, other]) both.destroy();
        });
    }
    socket.pipe(other).pipe(socket);
  }
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
