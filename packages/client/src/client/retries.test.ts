import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { fixRandom } from '../testing/fix-random.ts';
import {
  json,
  problem,
  type Reply,
  reply,
  reset,
  ScriptedServer,
  silence,
  stalled,
  truncated,
} from '../testing/scripted-server.ts';
import type { ProblemCode } from '../types/problem.ts';
import { AppRegistryClient } from './app-registry-client.ts';
import {
  AppRegistryConnectionError,
  AppRegistryError,
  AppRegistryTimeoutError,
  ConflictError,
  ResponseError,
  TooManyRequestsError,
} from './errors.ts';
import type { ClientSettings, Retry } from './options.ts';

const app = { id: 'app_x', name: 'Invoice Sync' };
const done = json(200, app, { etag: '"1"' });
const html = '<html><body><h1>502 Bad Gateway</h1></body></html>';

/** A server with these replies, and the two operations of a client. There is no delay between attempts. */
async function serving(t: TestContext, replies: Reply[], settings: Partial<ClientSettings> = {}) {
  fixRandom(t, 0);
  const server = await ScriptedServer.start(t, ...replies);
  const client = new AppRegistryClient({ token: 'x', baseUrl: server.baseUrl, timeoutMs: 5_000, ...settings });
  return {
    server,
    client,
    read: () => client.platform.apps.get('app_x'),
    update: () => client.developer.apps.update('app_x', { name: 'Invoice Sync' }),
  };
}

const passing: Record<string, Reply> = {
  408: problem(408, 'request_timeout'),
  429: problem(429, 'too_many_requests', { 'retry-after': '0' }),
  500: problem(500, 'internal_error'),
  '502 of a proxy': reply(502, html, { 'content-type': 'text/html' }),
  503: problem(503, 'unavailable', { 'retry-after': '0' }),
  504: reply(504, '', {}),
  'a reset': reset,
  'a truncated response': truncated('{"id": "app_x", "name'),
};
for (const [name, reply] of Object.entries(passing)) {
  test(`a read and an update are retried after ${name}`, async (t) => {
    for (const operation of ['read', 'update'] as const) {
      const client = await serving(t, [reply, reply, done]);
      assert.deepEqual(await client[operation](), app);
      assert.equal(client.server.received.length, 3);
      t.mock.restoreAll();
    }
  });
}

test('an unresponsive server and a stalled body time out, and are retried', async (t) => {
  for (const reply of [silence, stalled('{"id": "app_x"'), stalled('')]) {
    const retried: unknown[] = [];
    const onRetry = ({ error }: Retry) => retried.push(error);
    const { read } = await serving(t, [reply], { timeoutMs: 20, maxRetries: 1, onRetry });
    const late = await read().catch((caught) => caught);
    for (const error of [...retried, late]) {
      assert.ok(error instanceof AppRegistryTimeoutError && !(error instanceof ResponseError));
      assert.match(error.message, /did not respond within 20 ms/);
    }
    assert.equal(retried.length, 1);
    t.mock.restoreAll();
  }
});

test('a refused token whose response breaks off is retried', async (t) => {
  const { server, read } = await serving(t, [truncated('{', { status: 401 }), done], { token: () => 'x' });
  assert.deepEqual(await read(), app);
  assert.equal(server.received.length, 2);
});

test('a tag that a compressing proxy has changed is sent as the registry made it', async (t) => {
  const given = ['W/"1.a"', '"1.a-gzip"', 'W/"1.a-br"', '"1.a"', '*', 'W/"1.a", "2.b-gzip"', '"1.a-b"'];
  const { server, client } = await serving(
    t,
    given.map(() => done),
  );
  for (const ifMatch of given) await client.developer.apps.update('app_x', { name: 'New' }, { ifMatch });
  const sent = ['"1.a"', '"1.a"', '"1.a"', '"1.a"', '*', '"1.a", "2.b"', '"1.a-b"'];
  assert.deepEqual(
    server.received.map(({ headers }) => headers['if-match']),
    sent,
  );
});

test('a retried update has the same key, body and condition', async (t) => {
  const { server, client } = await serving(t, [reset, problem(500, 'internal_error'), done]);
  await client.developer.apps.update('app_x', { name: 'New', logoId: undefined }, { ifMatch: '"1"' });
  await client.developer.apps.update('app_x', { name: 'New' }, { ifMatch: '"1"' });
  const sent = server.received.map(({ method, path, headers, body }) => ({
    method,
    path,
    body,
    ifMatch: headers['if-match'],
    type: headers['content-type'],
    key: headers['idempotency-key'],
  }));
  const [first] = sent;
  assert.deepEqual(
    { ...first, key: undefined },
    {
      method: 'PATCH',
      path: '/developer/apps/v1/app_x',
      body: '{"name":"New"}',
      ifMatch: '"1"',
      type: 'application/json',
      key: undefined,
    },
  );
  assert.deepEqual(sent.slice(0, 3), [first, first, first]);
  assert.match(String(first?.key), /^[\d-]{7,50}$/);
  assert.notEqual(sent[3]?.key, first?.key);
});

test('after a lost response the error leaves the outcome open, unless the rules refuse the retry', async (t) => {
  const unavailable = problem(503, 'unavailable');
  const cases: [guarantee: string, replies: Reply[], mayHaveTakenEffect: boolean][] = [
    ['nothing was lost', [unavailable, unavailable, unavailable], false],
    ['the registry fails', [problem(500, 'internal_error')], true],
    ['a proxy cannot reach the registry', [reply(503, html, { 'content-type': 'text/html' })], true],
    ['the registry is unavailable', [reset, unavailable, unavailable], true],
    ['the first attempt is in progress', [reset, problem(409, 'request_in_progress')], true],
    ['the token has expired', [reset, problem(401, 'token_invalid')], true],
    ['a proxy responds', [reset, reply(404, html, { 'content-type': 'text/html' })], true],
    ['the update is refused', [reset, problem(409, 'name_taken')], false],
    ['the update is refused at last', [reset, unavailable, problem(422, 'invalid_content')], false],
  ];
  for (const [guarantee, replies, mayHaveTakenEffect] of cases) {
    const { update } = await serving(t, replies);
    const error = await update().catch((caught) => caught);
    assert.ok(error instanceof ResponseError);
    assert.equal(error.mayHaveTakenEffect, mayHaveTakenEffect, guarantee);
    t.mock.restoreAll();
  }
});

test('a read never says that a change may have taken effect', async (t) => {
  for (const reply of [reset, silence, problem(500, 'internal_error'), passing['502 of a proxy'] as Reply]) {
    const { client, read } = await serving(t, [reply], { timeoutMs: 20, maxRetries: 1 });
    const failureOf = (reading: PromiseLike<unknown>) =>
      Promise.resolve(reading).then(
        () => assert.fail(),
        (error) => error,
      );
    // Each is handled before either of them fails.
    for (const error of await Promise.all([read(), client.developer.apps.current('app_x')].map(failureOf))) {
      assert.equal(error.mayHaveTakenEffect, false);
      assert.doesNotMatch(error.message, /taken effect/);
    }
    t.mock.restoreAll();
  }
});

test('an update that is still in progress is retried', async (t) => {
  const { server, update } = await serving(t, [problem(409, 'request_in_progress'), done]);
  assert.deepEqual(await update(), app);
  assert.equal(server.received.length, 2);
});

test('a permanent failure is not retried', async (t) => {
  const final: Reply[] = [
    ...[400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 431].map((status) => problem(status, 'name_taken')),
    reply(200, '{"id": "app_x"', { 'content-type': 'application/json' }),
    reply(200, html, { 'content-type': 'text/html' }),
    reply(301, '', { location: '/elsewhere' }),
    reply(304, ''),
    json(200, 'app_x'),
    json(200, null),
  ];
  for (const reply of final) {
    const { server, read } = await serving(t, [reply]);
    await assert.rejects(read(), AppRegistryError);
    assert.equal(server.received.length, 1);
    t.mock.restoreAll();
  }
});

test('there are two retries, unless the client or the call sets another number', async (t) => {
  const attempts = async (settings: Partial<ClientSettings>, options: object) => {
    const { server, client } = await serving(t, [passing['503'] as Reply], settings);
    await assert.rejects(client.platform.apps.get('app_x', options), { statusCode: 503 });
    t.mock.restoreAll();
    return server.received.length;
  };
  assert.equal(await attempts({}, {}), 3);
  assert.equal(await attempts({ maxRetries: 0 }, {}), 1);
  assert.equal(await attempts({ maxRetries: 1 }, { maxRetries: 4 }), 5);
  assert.equal(await attempts({ maxRetries: undefined }, { maxRetries: undefined }), 3);
});

test('delays grow exponentially to at most eight seconds, with full jitter', async (t) => {
  const delays = await delaysOf(t, { jitter: 0.5, maxRetries: 6 }, () => new Response('', { status: 500 }));
  assert.deepEqual(delays, [250, 500, 1_000, 2_000, 4_000, 4_000]);
});

test('Retry-After is honoured in seconds, and as a date relative to the clock of the registry', async (t) => {
  const now = Date.now() - 86_400_000;
  const date = { date: new Date(now).toUTCString(), 'retry-after': new Date(now + 1_000).toUTCString() };
  for (const [headers, delayMs] of [
    [{ 'retry-after': '1' }, 1_000],
    [{ 'retry-after': '60' }, 60_000],
    [date, 1_000],
    [{ 'retry-after': new Date(now).toUTCString() }, 0],
    [{ 'retry-after': 'soon' }, 0],
  ] as const) {
    const refuse = () => new Response('', { status: 429, headers });
    assert.deepEqual(await delaysOf(t, { jitter: 0, maxRetries: 1 }, refuse), [delayMs], JSON.stringify(headers));
    // At least that long.
    const [spread] = await delaysOf(t, { jitter: 1, maxRetries: 1 }, refuse);
    assert.equal(spread, delayMs + 500);
  }
});

/** How long a client waits before each retry of a request that always fails. */
async function delaysOf(
  t: TestContext,
  { jitter, maxRetries }: { jitter: number; maxRetries: number },
  respond: () => Response,
): Promise<number[]> {
  const delays: number[] = [];
  const ofTest = { fetch: async () => respond(), sleep: async (ms: number) => void delays.push(ms) };
  const client = new AppRegistryClient({ token: 'x', baseUrl: 'https://apps.example.com', ...ofTest });
  const random = t.mock.method(Math, 'random', () => jitter);
  await assert.rejects(client.platform.apps.get('app_x', { maxRetries }), ResponseError);
  random.mock.restore();
  return delays;
}

test('a Retry-After above one minute is not waited for, but reported in the error', async (t) => {
  const { server, update } = await serving(t, [problem(429, 'too_many_requests', { 'retry-after': '61' }), done]);
  const error = await update().catch((caught) => caught);
  assert.ok(error instanceof TooManyRequestsError);
  assert.deepEqual([error.retryAfterMs, server.received.length], [61_000, 1]);
  assert.equal(error.requestId, '01957a3c-6f0e-7cc2-9b1d-2f4f0f6d3a11');
});

test('a lost connection has its own error class, with its cause', async (t) => {
  const lost = await serving(t, [truncated('{"id"')], { maxRetries: 0 });
  const error = await lost.read().catch((caught) => caught);
  assert.ok(error instanceof AppRegistryConnectionError && !(error instanceof ResponseError));
  assert.ok(error.cause instanceof Error);
});

test('a refused connection is reported with its cause', async (t) => {
  const { server, read } = await serving(t, [done], { maxRetries: 0 });
  await server.stop();
  await assert.rejects(read(), {
    name: 'AppRegistryConnectionError',
    message: /^http:\/\/127\.0\.0\.1:\d+ could not be reached, .*ECONNREFUSED.*Check the URL/,
  });
});

test('a page of a proxy is reported as not from a registry', async (t) => {
  for (const [response, statusCode] of [
    [reply(404, html, { 'content-type': 'text/html' }), 404],
    [reply(200, html, { 'content-type': 'text/html' }), 200],
    [reply(301, '', { 'content-type': 'text/html', location: 'https://elsewhere.example/' }), 301],
  ] as const) {
    const { read } = await serving(t, [response], { maxRetries: 0 });
    const error = await read().then(
      () => assert.fail(),
      (caught) => caught,
    );
    assert.ok(error instanceof AppRegistryError);
    assert.deepEqual([error.statusCode, error.code, error.problem], [statusCode, undefined, undefined]);
    assert.match(error.message, new RegExp(`^The response \\(${statusCode}, text/html\\) is not from a registry`));
    t.mock.restoreAll();
  }
});

test('a 502, 503 or 504 without problem details is reported as that of a proxy', async (t) => {
  for (const status of [502, 503, 504]) {
    const { read } = await serving(t, [reply(status, html, { 'content-type': 'text/html' })], { maxRetries: 0 });
    const error = await read().catch((caught) => caught);
    assert.ok(error instanceof ResponseError && error.isRetryable);
    assert.match(
      error.message,
      new RegExp(`^The response \\(${status}, text/html\\) is from a proxy that could not reach`),
    );
    t.mock.restoreAll();
  }
});

test('a code that is newer than the client is passed on, and the class of the error follows the status', async (t) => {
  const newer: ProblemCode = 'app_archived';
  const { read } = await serving(t, [problem(409, newer)]);
  const error = await read().then(
    () => assert.fail(),
    (caught) => caught,
  );
  assert.ok(error instanceof ConflictError);
  assert.equal(error.code, newer);
});

test('JSON from another server is not taken for problem details', async (t) => {
  for (const body of [null, [], { code: 'x' }, { code: 'x', detail: 'x', requestId: 'x', errors: {} }, { code: 5 }]) {
    const { read } = await serving(t, [json(403, body)]);
    await assert.rejects(read(), { name: 'ForbiddenError', code: undefined, problem: undefined });
    t.mock.restoreAll();
  }
});

test('a token does not follow a redirect', async (t) => {
  const elsewhere = await ScriptedServer.start(t, done);
  const { read } = await serving(t, [reply(307, '', { location: `${elsewhere.baseUrl}/platform/apps/v1/app_x` })]);
  await assert.rejects(read(), { statusCode: 307 });
  assert.equal(elsewhere.received.length, 0);
});

test('the token function is called for each attempt', async (t) => {
  let calls = 0;
  const token = () => `token-${++calls}`;
  const { server, read } = await serving(t, [reset, passing['503'] as Reply, done], { token });
  await read();
  const sent = server.received.map(({ headers }) => headers.authorization);
  assert.deepEqual(sent, ['Bearer token-1', 'Bearer token-2', 'Bearer token-3']);
});

test('headers of the call override those of the client, and undefined ones are not sent', async (t) => {
  const headers = { 'x-client': 'client', 'x-both': 'client', 'x-none': undefined };
  const { server, client } = await serving(t, [done], { headers });
  await client.platform.apps.get('app_x', { headers: { 'X-Both': 'call', 'x-client': undefined } });
  const [sent] = server.received;
  assert.deepEqual(
    ['x-client', 'x-both', 'x-none', 'authorization'].map((name) => sent?.headers[name]),
    ['client', 'call', undefined, 'Bearer x'],
  );
});
