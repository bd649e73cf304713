import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { on, postgres } from '@appregistrar/testkit/engines/engines';
import { LongList, moreThanBuffers } from '../../../test/http/long-list.ts';
import type { StreamedResponse } from '../../../test/http/streamed-response.ts';

/** PostgreSQL connections that one process reserves for lists. */
const connections = 10;

// SQLite has a connection for each list.
test(
  'without a limit a list waits only for a connection, and everything else is served',
  on(postgres),
  async (context) => {
    const long = await LongList.open(postgres, { count: moreThanBuffers, streamsAtOnceMax: 0 });
    context.after(() => long.close());
    const sent: StreamedResponse[] = [];
    for (let count = 0; count < connections; count += 1) sent.push(await long.get());

    const controller = new AbortController();
    await sendRequest(long, controller.signal);
    controller.abort();
    const [next, last] = [await sendRequest(long), await sendRequest(long)];
    const other = await long.http.data.newApp();
    assert.equal((await long.http.getApp(other.id)).status, 200);
    assert.equal((await long.http.updateApp(other.id, { name: 'Renamed' })).status, 200);

    sent[0]?.destroy();
    sent.push(await next.response, await last.response);
    // Whether a connection is free in time depends on the machine: a 503 says when to retry.
    for (const { status, headers } of sent.slice(connections)) {
      if (status === 200) continue;
      assert.equal(status, 503);
      assert.ok('retry-after' in headers);
    }
    assert.deepEqual(
      sent.slice(0, connections).map(({ status }) => status),
      Array.from({ length: connections }, () => 200),
    );
    for (const response of sent) response.destroy();
    await long.assertReleased();
  },
);

/** Resolves once the request has arrived. */
async function sendRequest(long: LongList, signal?: AbortSignal): Promise<{ response: Promise<StreamedResponse> }> {
  await long.http.port();
  const arrived = once(long.http.listener.server, 'request');
  const response = long.get({}, signal);
  response.catch(() => {});
  await arrived;
  return { response };
}
