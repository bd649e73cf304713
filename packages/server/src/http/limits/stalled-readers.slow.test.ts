import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { HttpFixture } from '../../../test/http/http-fixture.ts';

test('an idle keep-alive connection is not reset', async (t) => {
  const stallMsMax = 1_000;
  const http = await HttpFixture.open(sqlite, { stallMsMax });
  const port = await http.port();
  const agent = new Agent({ keepAlive: true });
  t.after(async () => {
    agent.destroy();
    await http.close();
  });
  const send = async () => {
    const sent = request({ port, path: '/openapi.json', agent }).end();
    const [response] = await once(sent, 'response');
    await response.toArray();
    return sent.socket;
  };
  const socket = await send();
  await sleep(1.5 * stallMsMax);
  assert.equal(await send(), socket);
});
