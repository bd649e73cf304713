import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { AppRegistryClient } from '../client/app-registry-client.ts';
import { OperatorClient } from '../operator/operator-client.ts';
import { fixRandom } from '../testing/fix-random.ts';
import { json, problem, reset, ScriptedServer } from '../testing/scripted-server.ts';
import { logTo } from './log-to.ts';

const token = 'token_secret_1';
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** A log that keeps its lines with their level. */
function memoryLog() {
  const lines: string[] = [];
  const level = (name: string) => (line: string) => lines.push(`${name} ${line}`);
  return { lines, log: { debug: level('debug'), warn: level('warn'), error: level('error') } };
}

async function serving(
  t: TestContext,
  ...replies: Parameters<typeof ScriptedServer.start> extends [unknown, ...infer Replies] ? Replies : never
) {
  fixRandom(t, 0);
  const server = await ScriptedServer.start(t, ...replies);
  return { ...memoryLog(), server };
}

const requestId = '01957a3c-6f0e-7cc2-9b1d-2f4f0f6d3a11';

test('each request, response and retry has a line, and so has the failure in the end', async (t) => {
  const unavailable = problem(503, 'unavailable', { 'retry-after': '0', 'x-request-id': requestId });
  const { server, lines, log } = await serving(t, unavailable, reset, problem(404, 'app_not_found'));
  const client = new AppRegistryClient({ token, baseUrl: server.baseUrl, ...logTo(log) });
  await assert.rejects(async () => client.platform.apps.get('app_x'));
  assert.deepEqual(lines, [
    'debug GET /platform/apps/v1/app_x',
    `debug GET /platform/apps/v1/app_x 503 (request ${requestId})`,
    `warn retry 1 in 0 ms after ResponseError (503, unavailable, request ${requestId})`,
    'debug GET /platform/apps/v1/app_x',
    'warn retry 2 in 0 ms after AppRegistryConnectionError',
    'debug GET /platform/apps/v1/app_x',
    'debug GET /platform/apps/v1/app_x 404',
    `error failed with NotFoundError (404, app_not_found, request ${requestId})`,
  ]);
});

test('no line has a token, a secret, a query or what a body contains', async (t) => {
  const refused = json(422, { code: 'invalid_content', detail: `${secret} is too long`, requestId, title: secret });
  const { server, lines, log } = await serving(t, json(200, { secret }), refused);
  const baseUrl = server.baseUrl.replace('://', '://user:password@');
  const options = { token, baseUrl: server.baseUrl, headers: { cookie: secret }, ...logTo(log) };
  const operator = new OperatorClient(options);
  await operator.webhooks.create({ url: `https://hooks.example.com/${secret}` });
  await assert.rejects(async () => operator.request('POST', '/new', { query: { secret }, body: { secret } }));
  logTo(log).onRequest({ method: 'GET', url: `${baseUrl}/new?${secret}` });
  assert.equal(lines.length, 6);
  for (const line of lines) assert.doesNotMatch(line, /token_secret|whsec_|MfKQ9r8G|password/);
});

test('the reason of an aborted request is not written', async () => {
  const { lines, log } = memoryLog();
  const signal = AbortSignal.abort(secret);
  const client = new AppRegistryClient({ token, baseUrl: 'https://apps.example.com', ...logTo(log) });
  await assert.rejects(async () => client.platform.apps.get('app_x', { signal }));
  assert.deepEqual(lines, ['error failed with a reason of the caller']);
});
