import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sqlite } from 'app-registry-testkit/engines/engines';
import { HttpFixture, type HttpFixtureSettings } from 'app-registry-testkit/http/http-fixture';

test('a kept connection on which nothing is asked for longer is not cut', async () => {
  const stallMsMax = 100;
  await withAgent({ stallMsMax }, async (ask) => {
    const { socket } = await ask();
    await sleep(5 * stallMsMax);
    assert.equal((await ask()).socket, socket);
  });
});

test('0 means no limit', async () => {
  for (const stallMsMax of [0, 1_234]) {
    await withAgent({ stallMsMax }, async (ask) => {
      assert.equal((await ask()).timeoutMs ?? 0, stallMsMax);
    });
  }
});

interface Asked {
  /** Of the client. */
  socket: Socket;
  /** Of the server's side, when the answer begins. */
  timeoutMs: number | undefined;
}

async function withAgent(
  settings: HttpFixtureSettings,
  work: (ask: () => Promise<Asked>) => Promise<void>,
): Promise<void> {
  const http = await HttpFixture.open(sqlite, settings);
  const port = await http.port();
  const agent = new Agent({ keepAlive: true });
  try {
    await work(async () => {
      let timeoutMs: number | undefined;
      // First: an answer may be finished before the next listener hears of the request.
      http.listener.server.prependOnceListener('request', (_request, response) => {
        response.once('prefinish', () => {
          timeoutMs = response.socket?.timeout;
        });
      });
      const asking = request({ port, path: '/openapi.json', agent }).end();
      const [answer] = await once(asking, 'response');
      await answer.toArray();
      return { socket: asking.socket as Socket, timeoutMs };
    });
  } finally {
    agent.destroy();
    await http.close();
  }
}
