import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { PostgresCluster } from 'app-registry-testkit/engines/postgres-cluster';
import { openStorage } from '../open-storage.ts';
import type { TimelineChange } from '../storage.ts';

test('a promoted standby is another timeline, which is reported once', async () => {
  const { primary, standby, address, end } = await failoverScene();
  const changes: TimelineChange[] = [];
  const storage = await openStorage(address.url, { create: true, onTimelineChanged: (change) => changes.push(change) });
  let counted = 0;
  storage.observe({ committed: () => {}, waited: () => {}, timelineChanged: () => (counted += 1) });
  await storage.ping();
  assert.deepEqual(changes, []);

  await standby.promote();
  for (const server of [standby, primary, standby]) {
    address.switchTo(server);
    await untilReady(storage.ping.bind(storage));
    assert.deepEqual([changes, counted], [[{ from: 1, to: 2 }], 1]);
  }
  await storage.close();
  await end();
});

/** A primary, a standby of it, and the address of the first. */
async function failoverScene() {
  const primary = await PostgresCluster.create();
  const standby = await PostgresCluster.standbyOf(primary, 'standby');
  const address = await Address.of(primary);
  const end = async () => {
    await address.close();
    await Promise.all([primary.remove(), standby.remove()]);
  };
  return { primary, standby, address, end };
}

async function untilReady(ping: () => Promise<void>): Promise<void> {
  while (
    !(await ping().then(
      () => true,
      () => false,
    ))
  );
}

/** An address that moves from one server to another, as that of a cluster does. */
class Address {
  readonly #sockets = new Set<Socket>();
  readonly #listener = createServer((client) => this.#join(client));
  #server: PostgresCluster;

  static async of(server: PostgresCluster): Promise<Address> {
    const address = new Address(server);
    await once(address.#listener.listen(0, '127.0.0.1'), 'listening');
    return address;
  }

  private constructor(server: PostgresCluster) {
    this.#server = server;
  }

  get url(): string {
    return this.#server.url((this.#listener.address() as AddressInfo).port);
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
