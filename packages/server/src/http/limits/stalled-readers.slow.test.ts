import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { HttpFixture, type HttpFixtureSettings } from '@appregistrar/testkit/http/http-fixture';

test('an idle keep-alive connection is not reset', async () => {
  const stallMsMax = 1_000;
  await withAgent({ stallMsMax }, async (send) => {
    const { socket } = await send();
    await sleep(1.5 * stallMsMax);
    assert.equal((await send()).socket, socket);
  });
});

test('0 means no limit', async () => {
  for (const stallMsMax of [0, 1_234]) {
    await withAgent({ stallMsMax }, async (send) => {
      assert.equal((await send()).timeoutMs ?? 0, stallMsMax);
    });
  }
});

interface Sent {
  /** The client's. */
  socket: Socket;
  /** The timeout of the server's socket when the response starts. */
  timeoutMs: number | undefined;
}

async function withAgent(
  settings: HttpFixtureSettings,
  work: (send: () => Promise<Sent>) => Promise<void>,
): Promise<void> {
  const http = await HttpFixture.open(sqlite, settings);
  const port = await http.port();
  const agent = new Agent({ keepAlive: true });
  try {
    await work(async () => {
      let timeoutMs: number | undefined;
      // Prepended: the response can finish before the next listener gets the request.
      http.listener.server.prependOnceListener('request', (_request, response) => {
        response.once('prefinish', () => {
          timeoutMs = response.socket?.timeout;
        });
      });
      const sent = request({ port, path: '/openapi.json', agent }).end();
      const [response] = await once(sent, 'response');
      await response.toArray();
      assert.ok(sent.socket);
      return { socket: sent.socket, timeoutMs };
    });
  } finally {
    agent.destroy();
    await http.close();
  }
}
