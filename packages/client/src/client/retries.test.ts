import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  answer,
  cut,
  FaultyServer,
  json,
  problem,
  reset,
  silence,
  stalled,
  type ValidationError,
} from '../testing/faulty-server.ts';
import { AppRegistryClient } from './app-registry-client.ts';
import {
  AppRegistryConnectionError,
  AppRegistryError,
  AppRegistryTimeoutError,
  TooManyRequestsError,
} from './errors.ts';
import type { ClientSettings } from './options.ts';

const app = { id: 'app_x', name: 'Invoice Sync' };
const done = json(200, app, { etag: '"1"' });
const html = '<html><body><h1>502 Bad Gateway</h1></body></html>';

/** A server with these faults, and the two operations as a client asks for them. Nothing waits between two tries. */
async function faulty(t: TestContext, faults: ValidationError[], settings: Partial<ClientSettings> = {}) {
  t.mock.method(Math, 'random', () => 0);
  const server = await FaultyServer.start(t, ...faults);
  const client = new AppRegistryClient({ token: 'x', baseUrl: server.baseUrl, timeoutMs: 5_000, ...settings });
  return {
    server,
    client,
    read: () => client.platform.apps.get('app_x'),
    update: () => client.developer.apps.update('app_x', { name: 'Invoice Sync' }),
  };
}

const passing: Record<string, ValidationError> = {
  408: problem(408, 'request_timeout'),
  429: problem(429, 'too_many_requests', { 'retry-after': '0' }),
  500: problem(500, 'internal_error'),
  '502 of a proxy': answer(502, html, { 'content-type': 'text/html' }),
  503: problem(503, 'unavailable', { 'retry-after': '0' }),
  504: answer(504, '', {}),
  'a reset': reset,
  'an answer that breaks off': cut('{"id": "app_x", "name'),
};
for (const [name, fault] of Object.entries(passing)) {
  test(`after ${name} a read and an update are repeated`, async (t) => {
    for (const operation of ['read', 'update'] as const) {
      const given = await faulty(t, [fault, fault, done]);
      assert.deepEqual(await given[operation](), app);
      assert.equal(given.server.received.length, 3);
      t.mock.restoreAll();
    }
  });
}

test('a silent server and a body that stalls are given up in time, and repeated', async (t) => {
  for (const fault of [silence, stalled('{"id": "app_x"'), stalled('')]) {
    const { server, read } = await faulty(t, [fault, done], { timeoutMs: 200 });
    assert.deepEqual(await read(), app);
    assert.equal(server.received.length, 2);
    t.mock.restoreAll();
  }
});

test('a repeated update is the same update: the same key, body and condition', async (t) => {
  const { server, client } = await faulty(t, [reset, problem(500, 'internal_error'), done]);
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

test('an update that is still at work is asked for again', async (t) => {
  const { server, update } = await faulty(t, [problem(409, 'request_in_progress'), done]);
  assert.deepEqual(await update(), app);
  assert.equal(server.received.length, 2);
});

test('what another try would not change is not tried again', async (t) => {
  const final: ValidationError[] = [
    ...[400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 431].map((status) => problem(status, 'name_taken')),
    answer(200, '{"id": "app_x"', { 'content-type': 'application/json' }),
    answer(200, html, { 'content-type': 'text/html' }),
    answer(301, '', { location: '/elsewhere' }),
    answer(304, ''),
    json(200, 'app_x'),
    json(200, null),
  ];
  for (const fault of final) {
    const { server, read } = await faulty(t, [fault]);
    await assert.rejects(read(), AppRegistryError);
    assert.equal(server.received.length, 1);
    t.mock.restoreAll();
  }
});

test('two repeats by default, as many as the client or the call says otherwise', async (t) => {
  const tries = async (settings: Partial<ClientSettings>, options: object) => {
    const { server, client } = await faulty(t, [passing['503'] as ValidationError], settings);
    await assert.rejects(client.platform.apps.get('app_x', options), { statusCode: 503 });
    t.mock.restoreAll();
    return server.received.length;
  };
  assert.equal(await tries({}, {}), 3);
  assert.equal(await tries({ maxRetries: 0 }, {}), 1);
  assert.equal(await tries({ maxRetries: 1 }, { maxRetries: 4 }), 5);
  assert.equal(await tries({ maxRetries: undefined }, { maxRetries: undefined }), 3);
});

test('the registry says when: in seconds, or by a date on its own clock', async (t) => {
  const now = Date.now() - 86_400_000;
  const date = { date: new Date(now).toUTCString(), 'retry-after': new Date(now + 1_000).toUTCString() };
  const past = { 'retry-after': new Date(now).toUTCString() };
  for (const [headers, waitMs] of [
    [{ 'retry-after': '1' }, 1_000],
    [date, 1_000],
    [past, 0],
    [{ 'retry-after': 'soon' }, 0],
  ] as const) {
    const { server, update } = await faulty(t, [problem(429, 'too_many_requests', headers), done]);
    await update();
    const [first, second] = server.received.map(({ at }) => at);
    const waited = Number(second) - Number(first);
    assert.ok(waited > waitMs - 20, `${waited} ms after ${JSON.stringify(headers)}`);
    if (waitMs === 0) assert.ok(waited < 1_000, `${waited} ms after ${JSON.stringify(headers)}`);
    t.mock.restoreAll();
  }
});

test('nobody waits for longer than a minute: the error says how long it would be', async (t) => {
  const { server, update } = await faulty(t, [problem(429, 'too_many_requests', { 'retry-after': '61' }), done]);
  const error = await update().catch((caught) => caught);
  assert.ok(error instanceof TooManyRequestsError);
  assert.deepEqual([error.retryAfterMs, server.received.length], [61_000, 1]);
  assert.equal(error.requestId, '01957a3c-6f0e-7cc2-9b1d-2f4f0f6d3a11');
});

test('a timeout and a lost connection are errors of their own', async (t) => {
  const { read } = await faulty(t, [stalled('{')], { timeoutMs: 100, maxRetries: 0 });
  const late = await read().catch((caught) => caught);
  assert.ok(late instanceof AppRegistryTimeoutError && !(late instanceof AppRegistryError));
  assert.match(late.message, /not answered within 100 ms/);
  const lost = await faulty(t, [cut('{"id"')], { maxRetries: 0 });
  const error = await lost.read().catch((caught) => caught);
  assert.ok(error instanceof AppRegistryConnectionError && !(error instanceof AppRegistryError));
  assert.ok(error.cause instanceof Error);
});

test('an address where nobody listens is told with its reason', async (t) => {
  const { server, read } = await faulty(t, [done], { maxRetries: 0 });
  await server.stop();
  await assert.rejects(read(), {
    name: 'AppRegistryConnectionError',
    message: /^http:\/\/127\.0\.0\.1:\d+ could not be reached, .*ECONNREFUSED.*Check the address/,
  });
});

test('a page of a proxy and JSON that is malformed are told as what they are', async (t) => {
  for (const [fault, statusCode] of [
    [answer(502, html, { 'content-type': 'text/html' }), 502],
    [answer(404, html, { 'content-type': 'text/html' }), 404],
    [answer(200, html, { 'content-type': 'text/html' }), 200],
    [answer(301, '', { 'content-type': 'text/html', location: 'https://elsewhere.example/' }), 301],
  ] as const) {
    const { read } = await faulty(t, [fault], { maxRetries: 0 });
    const error = await read().then(
      () => assert.fail(),
      (caught) => caught,
    );
    assert.ok(error instanceof AppRegistryError);
    assert.deepEqual([error.statusCode, error.code, error.problem], [statusCode, undefined, undefined]);
    assert.match(error.message, new RegExp(`^The answer \\(${statusCode}, text/html\\) is not what a registry sends`));
    t.mock.restoreAll();
  }
});

test('the JSON of something else is no problem of a registry', async (t) => {
  for (const body of [null, [], { code: 'x' }, { code: 'x', detail: 'x', requestId: 'x', errors: {} }, { code: 5 }]) {
    const { read } = await faulty(t, [json(403, body)]);
    await assert.rejects(read(), { name: 'ForbiddenError', code: undefined, problem: undefined });
    t.mock.restoreAll();
  }
});

test('a token does not follow a redirect', async (t) => {
  const elsewhere = await FaultyServer.start(t, done);
  const { read } = await faulty(t, [answer(307, '', { location: `${elsewhere.baseUrl}/platform/apps/v1/app_x` })]);
  await assert.rejects(read(), { statusCode: 307 });
  assert.equal(elsewhere.received.length, 0);
});

test('each try asks for the token', async (t) => {
  let asked = 0;
  const token = () => `token-${++asked}`;
  const { server, read } = await faulty(t, [reset, passing['503'] as ValidationError, done], { token });
  await read();
  const sent = server.received.map(({ headers }) => headers.authorization);
  assert.deepEqual(sent, ['Bearer token-1', 'Bearer token-2', 'Bearer token-3']);
});

test('header fields of the client and of the call are sent, the latter before the former, and undefined never', async (t) => {
  const headers = { 'x-client': 'client', 'x-both': 'client', 'x-none': undefined };
  const { server, client } = await faulty(t, [done], { headers });
  await client.platform.apps.get('app_x', { headers: { 'X-Both': 'call', 'x-client': undefined } });
  const [sent] = server.received;
  assert.deepEqual(
    ['x-client', 'x-both', 'x-none', 'authorization'].map((name) => sent?.headers[name]),
    ['client', 'call', undefined, 'Bearer x'],
  );
});
