import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { RequestContext } from '../listener/request-context.ts';
import { HttpProblem } from '../problem/problem.ts';
import { UploadsAtOnce } from './concurrent-requests.ts';

describe('an upload counts', () => {
  test('until its response is closed', async () => {
    const uploads = new UploadsAtOnce(1);
    const first = upload();
    uploads.acquire(first);
    assert.throws(() => uploads.acquire(upload()), HttpProblem);
    first.raw.context.response.emit('close');
    await turn();
    uploads.acquire(upload());
  });

  test('until its work is done, even if its client has disconnected', async () => {
    const uploads = new UploadsAtOnce(1);
    const first = upload();
    uploads.acquire(first);
    const work = Promise.withResolvers<void>();
    const result = uploads.run(first, () => work.promise);
    first.raw.context.response.emit('close');
    await turn();
    assert.throws(() => uploads.acquire(upload()), HttpProblem);
    work.reject(new Error('it failed'));
    await assert.rejects(result);
    await turn();
    uploads.acquire(upload());
  });
});

test('with 0 there is no limit', () => {
  const uploads = new UploadsAtOnce(0);
  for (let count = 0; count < 100; count += 1) uploads.acquire(upload());
});

function upload() {
  const raw = new IncomingMessage(new Socket());
  raw.context = new RequestContext(raw, new ServerResponse(raw));
  return { raw };
}
