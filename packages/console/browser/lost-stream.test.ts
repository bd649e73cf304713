import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { ConsoleFixture, untilLoaded } from './console-fixture.ts';

let network: Network;
let fixture: ConsoleFixture;
before(async () => {
  network = await Network.start();
  fixture = await ConsoleFixture.open(sqlite, {
    OPERATOR_ADDRESS: `127.0.0.1:${network.serverPort}`,
    OPERATOR_BASE_URL: `http://127.0.0.1:${network.port}`,
  });
});
after(async () => {
  await fixture.close();
  await network.stop();
});

test('a stream that is lost goes on where it was, and the page shows what happened meanwhile', async () => {
  const page = await fixture.signedIn('#/review');
  const streams: URL[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/events/stream')) streams.push(new URL(request.url()));
  });
  await fixture.data.newApp({ name: 'Before', status: 'AWAITING_REVIEW' });
  await page.getByText('1 to review').waitFor();
  await untilLoaded(page);
  network.cut();
  const { id } = await fixture.data.newApp({ name: 'Meanwhile', status: 'AWAITING_REVIEW' });
  await page.waitForRequest((request) => request.url().includes('/events/stream'));
  network.restore();
  await page.getByText('2 to review').waitFor();
  const after = streams.at(-1)?.searchParams.get('after') ?? '';
  assert.match(
    Buffer.from(after, 'base64url').toString(),
    /^\[.*"event_\w+"\]$/,
    'after the last event, not from a time',
  );

  await fixture.data.review(id, 'approve');
  await page.getByText('1 to review').waitFor();
  fixture.takeErrors();
});

/** The network between the browser and the server. */
class Network {
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
