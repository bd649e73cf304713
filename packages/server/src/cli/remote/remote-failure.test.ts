import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { localServer } from '@appregistrar/testkit/http/local-server';
import { OperatorClient } from '../../../../client/src/operator/index.ts';
import { asRemoteFailure, ServerUnreachable, UnknownRemoteOutcome } from './remote-failure.ts';

test('a request that cannot be sent has changed nothing', async () => {
  for (const isRead of [true, false]) {
    const failure = await failureOf(isRead, null);
    assert.ok(failure instanceof ServerUnreachable);
    assert.match(failure.message, /^Cannot connect to http:\/\/127\.0\.0\.1:\d+ \(ECONNREFUSED\)\. Check the URL/);
  }
});

test('a change whose response is lost, or is that of a proxy, may have been stored; a read changes nothing', async () => {
  for (const respond of [
    (response: ServerResponse) => response.destroy(),
    (response: ServerResponse) => response.writeHead(502).end('<h1>Bad gateway</h1>'),
  ]) {
    assert.ok((await failureOf(true, respond)) instanceof ServerUnreachable);
    assert.ok((await failureOf(false, respond)) instanceof UnknownRemoteOutcome);
  }
});

/** What a request fails with on a server that responds like this, or on none. */
async function failureOf(isRead: boolean, respond: ((response: ServerResponse) => unknown) | null): Promise<unknown> {
  const { url, close } = await localServer((_request, response) => respond?.(response));
  if (!respond) await close();
  const client = new OperatorClient({ baseUrl: url, token: 'x', maxRetries: 0 });
  const error = await client.request(isRead ? 'GET' : 'PATCH', '/settings', {}).catch((reason: unknown) => reason);
  if (respond) await close();
  return asRemoteFailure(error, { url, isRead });
}
