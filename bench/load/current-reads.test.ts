import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import { closedLoad } from './closed-load.ts';
import { CurrentReads } from './current-reads.ts';

/** Fewer apps than connections, so that all may have a pending update. */
const apps = Array.from({ length: 5 }, (_, number) => `app_${number}`);

test('a server that shows every acknowledged update is current', async () => {
  const checked = await load({ staleForMs: 0 });
  assert.deepEqual(checked.stale, []);
  assert.ok(checked.readsAfterUpdate > 0, `${checked.readsAfterUpdate} reads could have shown it`);
});

test('a server that shows an update late is stale', async () => {
  const checked = await load({ staleForMs: 5 });
  assert.ok(checked.stale.length > 0);
});

/** Loads a server whose reads show an update after a delay. */
async function load({ staleForMs }: { staleForMs: number }): Promise<CurrentReads> {
  const names = new Map<string, string>();
  const server = createServer(async (request, response) => {
    const id = request.url?.split('/').at(-1) ?? '';
    if (request.method === 'GET') {
      response.end(JSON.stringify({ name: names.get(id) ?? id }));
      return;
    }
    const { name } = (await json(request)) as { name: string };
    if (staleForMs > 0) setTimeout(() => names.set(id, name), staleForMs);
    else names.set(id, name);
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const checked = new CurrentReads(apps, { developer: 'd', platform: 'p' });
  try {
    await closedLoad({ ports: [port], connections: 8, seconds: 1, warmUpSeconds: 0, next: checked.next });
    return checked;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
