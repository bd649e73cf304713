import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { LongList, moreThanBuffers } from '@appregistrar/testkit/http/long-list';
import type { StreamedResponse } from '@appregistrar/testkit/http/streamed-response';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from '../../registry/type-id.ts';
import { AppStreams } from './get-app-stream.ts';

/** PostgreSQL connections that one process reserves for lists. */
const connections = 10;

forEachEngine((engine) => {
  test('a long list beyond the limit returns 503, and everything else is served', async (context) => {
    const long = await LongList.open(engine, { count: moreThanBuffers, streamsAtOnceMax: 2 });
    context.after(() => long.close());
    const open = [await long.get(), await long.get()];
    const refused = await long.http.getApp(long.app.id);
    assert.equal(refused.refusal, '503 unavailable');
    assert.match(refused.headers['retry-after'] ?? '', /^[1-9]\d*$/);
    const { etag } = await long.head();
    assert.equal((await long.http.getApp(long.app.id, { 'if-none-match': etag })).status, 304);
    assert.equal((await long.http.getApp((await long.http.data.newApp()).id)).status, 200);
    for (const response of open) {
      response.destroy();
      (await long.getWithRoom()).destroy();
    }
    await long.assertReleased();
  });

  test('without a limit a list waits only for a connection, and everything else is served', async (context) => {
    const long = await LongList.open(engine, { count: moreThanBuffers, streamsAtOnceMax: 0 });
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
      assert.equal(engine.name, 'postgres');
      assert.equal(status, 503);
      assert.ok('retry-after' in headers);
    }
    assert.deepEqual(
      sent.slice(0, connections).map(({ status }) => status),
      Array.from({ length: connections }, () => 200),
    );
    for (const response of sent) response.destroy();
    await long.assertReleased();
  });

  test('an app that is deleted before its list is read does not occupy a stream slot', async (context) => {
    const data = await RegistryFixture.open(engine);
    context.after(() => data.close());
    const streams = new AppStreams(data.registry, 1);
    for (let count = 0; count < 2; count += 1) {
      await assert.rejects(streams.open(newId('app')), { code: 'app_not_found' });
    }
    const { text } = await streams.open((await data.newApp()).id);
    await text.toArray();
  });
});

/** Resolves once the request has arrived. */
async function sendRequest(long: LongList, signal?: AbortSignal): Promise<{ response: Promise<StreamedResponse> }> {
  await long.http.port();
  const arrived = once(long.http.listener.server, 'request');
  const response = long.get({}, signal);
  response.catch(() => {});
  await arrived;
  return { response };
}
