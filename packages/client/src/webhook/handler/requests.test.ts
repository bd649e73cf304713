import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as startRequest } from 'node:http';
import { test } from 'node:test';
import express from 'express';
import { webhookEvent } from '../signing/webhook-event.ts';
import { BodyError } from './read-body.ts';
import { listen, onExpress, secret, signed } from './testing/receivers.ts';
import { type WebhookHandlerOptions, webhookHandler } from './webhook-handler.ts';

const event = webhookEvent('installation.created', {
  data: { after: { workspaceId: 'Zürich 🚋', userId: 'user_1', enabled: true } },
});

function recorded(options: Partial<WebhookHandlerOptions> = {}) {
  const handled: string[] = [];
  const errors: unknown[] = [];
  const on = { 'installation.created': ({ data }: typeof event) => void handled.push(data.after.workspaceId) };
  const reported = Promise.withResolvers<void>();
  const onError = (error: unknown) => {
    errors.push(error);
    reported.resolve();
  };
  const handler = webhookHandler({ secret, on, onError, ...options });
  return { handler, handled, errors, reported: reported.promise };
}

/** A request that is sent by hand. */
function start(url: string, headers: Record<string, string>) {
  const request = startRequest(url, { method: 'POST', headers });
  const response = once(request, 'response').then(([response]: IncomingMessage[]) => response as IncomingMessage);
  return { request, response };
}

const write = (request: ClientRequest, chunk: Uint8Array) =>
  new Promise<void>((resolve, reject) => request.write(chunk, (error) => (error ? reject(error) : resolve())));

test('a body that arrives byte by byte is verified', async (t) => {
  const { handler, handled } = recorded();
  const { body, headers } = signed(event);
  const { request, response } = start(await listen(t, handler), headers);
  for (const byte of Buffer.from(body)) await write(request, Uint8Array.of(byte));
  request.end();
  assert.equal((await response).statusCode, 204);
  assert.deepEqual(handled, ['Zürich 🚋']);
});

test('a body that stalls gets 408, and its connection is closed', async (t) => {
  const { handler, errors } = recorded({ bodyTimeoutMs: 50 });
  const { request, response } = start(await listen(t, handler), signed(event).headers);
  await write(request, Buffer.from('{"type":'));
  const { statusCode, headers } = await response;
  assert.deepEqual([statusCode, headers.connection], [408, 'close']);
  if (!request.closed) await once(request, 'close');
  assert.ok(errors[0] instanceof BodyError && /within 50 ms/.test(errors[0].message));
});

test('a time limit of 0, or one beyond the range of timers, means no limit', async (t) => {
  const { mock } = t.mock.method(globalThis, 'setTimeout');
  for (const bodyTimeoutMs of [0, Infinity]) {
    const { handler } = recorded({ bodyTimeoutMs });
    const { body, headers } = signed(event);
    const { request, response } = start(await listen(t, handler), headers);
    await write(request, Buffer.from(body.slice(0, 10)));
    request.end(body.slice(10));
    assert.equal((await response).statusCode, 204);
    // A timer out of range fires after a millisecond.
    assert.ok(!mock.calls.some(({ arguments: [, ms] }) => ms === bodyTimeoutMs), `a timer of ${bodyTimeoutMs} ms`);
  }
});

test('a body without an end gets 413 as soon as it is over the limit, and its connection is closed', async (t) => {
  const { handler } = recorded({ bodyBytesMax: 100_000 });
  const { request, response } = start(await listen(t, handler), signed(event).headers);
  for (const size of [60_000, 40_000, 1]) await write(request, Buffer.alloc(size, ' '));
  const { statusCode, headers } = await response;
  assert.deepEqual([statusCode, headers.connection], [413, 'close']);
  if (!request.closed) await once(request, 'close');
});

test('a sender that disconnects in the middle of a body is reported, and others are served', async (t) => {
  const { handler, handled, errors, reported } = recorded();
  const url = await listen(t, handler);
  const { request, response } = start(url, signed(event).headers);
  response.catch(() => {});
  await write(request, Buffer.from('{"type":'));
  request.on('error', () => {}).destroy();
  await reported;
  assert.equal((errors[0] as NodeJS.ErrnoException).code, 'ECONNRESET');
  assert.equal((await fetch(url, signed(event))).status, 204);
  assert.equal(handled.length, 1);
});

test('a response that was already sent is left alone', async (t) => {
  const { handler, handled } = recorded();
  const url = await listen(t, async (request, response) => {
    response.writeHead(503).end();
    await handler(request, response);
  });
  const response = await fetch(url, signed(event));
  assert.equal(response.status, 503);
  while (handled.length === 0) await new Promise(setImmediate);
});

test('Express: behind a parser that has parsed the body, the hook gets a TypeError and the sender only a 500', async (t) => {
  for (const parser of [express.json(), express.urlencoded({ type: '*/*' })]) {
    const { handler, handled, errors } = recorded();
    const response = await (await onExpress(t, handler, parser))(signed(event));
    assert.deepEqual([response.status, await response.text()], [500, '']);
    assert.ok(errors[0] instanceof TypeError && /already read or parsed.*express\.raw/.test(errors[0].message));
    assert.deepEqual(handled, []);
  }
});

test('Express: a parser that ignores the request, has the text, or retains the raw body does not matter', async (t) => {
  const retaining = express.json({ verify: (request, _, raw) => void Object.assign(request, { rawBody: raw }) });
  const ofExpress4: express.RequestHandler = (request, _, next) => {
    request.body = {};
    next();
  };
  for (const parser of [express.raw(), express.text({ type: '*/*' }), retaining, ofExpress4]) {
    const { handler, handled, errors } = recorded();
    const send = await onExpress(t, handler, parser);
    assert.equal((await send(signed(event))).status, 204);
    assert.deepEqual([handled, errors], [['Zürich 🚋'], []]);
  }
});

test('Express: a raw body over the limit of the handler gets 413', async (t) => {
  const { handler } = recorded({ bodyBytesMax: 10 });
  assert.equal((await (await onExpress(t, handler, express.raw({ type: '*/*' })))(signed(event))).status, 413);
});
