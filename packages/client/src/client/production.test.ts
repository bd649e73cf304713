import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { fixRandom } from '../testing/fix-random.ts';
import { json, problem, type Reply, ScriptedServer } from '../testing/scripted-server.ts';
import { AppRegistryClient } from './app-registry-client.ts';
import type { ClientSettings } from './options.ts';
import { VERSION } from './version.ts';

const done = json(200, { id: 'app_x' });

async function serving(t: TestContext, replies: Reply[], settings: Partial<ClientSettings> = {}) {
  fixRandom(t, 0);
  const server = await ScriptedServer.start(t, ...replies);
  const client = new AppRegistryClient({ token: 'secret', baseUrl: server.baseUrl, ...settings });
  return { server, read: () => client.platform.apps.get('app_x').then() };
}

test('the version is that of the package, and each request names it', async (t) => {
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  assert.equal(VERSION, version);
  const { server, read } = await serving(t, [done]);
  await read();
  assert.equal(server.received[0]?.headers['user-agent'], `app-registry-client/${version}`);
});

test('a page or a worker of a browser, which may not set the User-Agent, names the version in its own field', async (t) => {
  const { server, read } = await serving(t, [done]);
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  t.mock.getter(Object.getPrototypeOf(navigator), 'userAgent', () => firefox);
  await read();
  const { headers } = server.received[0] ?? {};
  assert.equal(headers?.['x-app-registry-client'], `app-registry-client/${VERSION}`);
  assert.doesNotMatch(headers?.['user-agent'] ?? '', /app-registry-client/);
});

test('the hooks see each request, response and retry, and no token', async (t) => {
  const seen: unknown[] = [];
  const { server, read } = await serving(t, [problem(503, 'unavailable'), done], {
    onRequest: (request) => seen.push(request),
    onResponse: ({ response, ...request }) => seen.push({ ...request, status: response.status }),
    onRetry: ({ error, ...retry }) => seen.push({ ...retry, code: error.code }),
  });
  await read();
  const request = { method: 'GET', url: `${server.baseUrl}/platform/apps/v1/app_x` };
  assert.deepEqual(seen, [
    request,
    { ...request, status: 503 },
    { retry: 1, delayMs: 0, code: 'unavailable' },
    request,
    { ...request, status: 200 },
  ]);
  assert.doesNotMatch(JSON.stringify(seen), /secret/);
});

test('headers may be a Headers', async (t) => {
  const { server, read } = await serving(t, [done], { headers: new Headers({ Traceparent: '00-a-b-01' }) });
  await read();
  assert.equal(server.received[0]?.headers.traceparent, '00-a-b-01');
});

test('a token function is called once more after a 401, and a string token is not sent again', async (t) => {
  const tokens = ['expired', 'renewed', 'again'];
  const refused = problem(401, 'token_invalid');
  const renewed = await serving(t, [refused, done], { token: () => tokens.shift() ?? '' });
  await renewed.read();
  assert.deepEqual(
    renewed.server.received.map(({ headers }) => headers.authorization),
    ['Bearer expired', 'Bearer renewed'],
  );
  t.mock.restoreAll();
  const always = await serving(t, [refused], { token: () => 'wrong' });
  await assert.rejects(always.read(), { name: 'UnauthorizedError' });
  assert.equal(always.server.received.length, 2);
  t.mock.restoreAll();
  const fixed = await serving(t, [refused]);
  await assert.rejects(fixed.read(), { name: 'UnauthorizedError' });
  assert.equal(fixed.server.received.length, 1);
});
