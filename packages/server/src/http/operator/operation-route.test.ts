import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sqlite } from 'app-registry-testkit/engines/engines';
import { bearer } from 'app-registry-testkit/http/http-request';
import { OperatorFixture } from 'app-registry-testkit/http/operator-fixture';
import type { OperatorApp } from '../../contract/operator-app.ts';
import { newId } from '../../registry/type-id.ts';

// What a door does with a request before a rule is asked is the same on every engine.
let operator: OperatorFixture;
before(async () => {
  operator = await OperatorFixture.open(sqlite);
});
after(() => operator.close());

const withdraw = async ({ headers = {}, body }: { headers?: Record<string, string>; body?: string }) => {
  const { id } = await operator.data.newApp({ status: 'AWAITING_REVIEW' });
  return operator.send<OperatorApp>({
    method: 'POST',
    path: `/operator/v1/apps/${id}/withdraw`,
    headers: { ...bearer(operator.tokens.portal.token), ...headers },
    ...(body !== undefined && { body }),
  });
};

describe('an operation that takes no body', () => {
  const json = { 'content-type': 'application/json' };

  test('is content with none, with the media type of none, and with an empty object', async () => {
    for (const request of [{}, { headers: json }, { headers: json, body: '' }, { headers: json, body: '{}' }]) {
      assert.equal((await withdraw(request)).view.reviewStatus, 'DRAFT', JSON.stringify(request));
    }
  });

  test('tells what it would not heed', async () => {
    const answer = await withdraw({ headers: json, body: '{"reason":"Too early."}' });
    assert.deepEqual([answer.status, answer.validationErrors], [422, ['/reason unknown_member']]);
    assert.deepEqual((await withdraw({ headers: json, body: '[]' })).validationErrors, [' wrong_type']);
  });

  test('refuses a body that is none, or that is none of its kind', async () => {
    assert.equal((await withdraw({ headers: json, body: '{' })).refusal, '400 invalid_json');
    const text = { headers: { 'content-type': 'text/plain' }, body: 'Too early.' };
    assert.equal((await withdraw(text)).refusal, '415 unsupported_media_type');
    assert.equal((await withdraw({ headers: json, body: '{}'.padEnd(65_537) })).refusal, '413 body_too_large');
  });
});

test('only creating heeds an Idempotency-Key', async () => {
  const headers = { 'idempotency-key': 'two words' };
  assert.equal((await withdraw({ headers })).status, 200);
  const body = { email: 'joan@example.com' };
  assert.equal((await operator.call('POST /developers', { headers, body })).refusal, '400 malformed_request');
});

describe('a query', () => {
  const faultsOf = async (query: string) => (await operator.call(`GET /apps?${query}`)).validationErrors;

  test('is refused with all its faults: unknown or doubled parameters, values of another type or out of bounds', async () => {
    assert.deepEqual(await faultsOf('limit=ten&status=DONE&changedSinceApproval=1&strange=1&constructor=1'), [
      '/strange unknown_member',
      '/constructor unknown_member',
      '/status not_allowed',
      '/changedSinceApproval wrong_type',
      '/limit wrong_type',
    ]);
    assert.deepEqual(await faultsOf('limit=1&limit=2'), ['/limit wrong_type']);
    for (const limit of ['', '-1', '1.5', '1e1', '0x10', ' 1', 'true', '9'.repeat(16)]) {
      assert.deepEqual(await faultsOf(`limit=${encodeURIComponent(limit)}`), ['/limit wrong_type'], limit);
    }
    for (const limit of ['0', '101', '9'.repeat(15)]) {
      assert.deepEqual(await faultsOf(`limit=${limit}`), ['/limit not_allowed'], limit);
    }
    assert.deepEqual(await faultsOf('__proto__=1'), ['/__proto__ unknown_member']);
  });

  test('is refused where none is taken', async () => {
    const { id } = await operator.data.newApp();
    const answer = await operator.call(`GET /apps/${id}?view=full`);
    assert.deepEqual([answer.status, answer.validationErrors], [422, ['/view unknown_member']]);
  });
});

test('a path that nothing is at is not known, and below /operator/v1/ only a token is told so', async () => {
  const { id } = await operator.data.newApp();
  const outside = ['/operator', '/operator/v1', `/operator/v2/apps/${id}`, `//operator/v1/apps/${id}`];
  const below = ['', 'nothing', `apps/${id}/`, `apps/${id}/publish`, `Apps/${id}`, '%61pps%2F'];
  for (const path of [...outside, ...below.map((rest) => `/operator/v1/${rest}`)]) {
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'PROPFIND']) {
      const answer = await operator.send({ method, path, headers: bearer(operator.tokens.read.token) });
      assert.equal(answer.status, 404, `${method} ${path}`);
      const { status, headers } = await operator.send({ method, path });
      assert.equal(status, outside.includes(path) ? 404 : 401, `${method} ${path} without a token`);
      assert.equal(headers['www-authenticate'] !== undefined, status === 401);
    }
  }
  const { refusal } = await operator.send({ method: 'GET', path: '/operator/v1/nothing', headers: bearer('nonsense') });
  assert.equal(refusal, '401 token_invalid');
});

test('no answer is kept by a cache, but for the files of the console and logos: not of a route, of a method it does not take, or of no route', async () => {
  const headers = bearer(operator.tokens.admin.token);
  const nothing = { method: 'GET', path: '/nothing', cacheable: false };
  for (const { method, path, cacheable = false } of [...operator.routes, nothing]) {
    const target = path.replaceAll(/:\w+/g, newId('app'));
    for (const request of [
      { method, path: target },
      { method, path: target, headers },
      { method: 'PUT', path: target },
    ]) {
      const { status, headers: answered } = await operator.send(request);
      const isKept = cacheable && status === 200;
      assert.equal(answered['cache-control'] === 'no-store', !isKept, `${request.method} ${path}`);
    }
  }
});

test('what is measured names a request by its route, whatever its path was', async () => {
  const secret = 'installation_of_somebody';
  for (const { method, path } of operator.routes) {
    await operator.send({ method, path: path.replaceAll(/:\w+/g, secret) });
    await operator.send({ method, path: path.replaceAll(/:\w+/g, secret), headers: { host: 'evil.example' } });
  }
  const metrics = (await operator.send({ method: 'GET', path: '/metrics' })).text;
  const labels = new Set([...metrics.matchAll(/_count\{route="([^"]*)"/g)].map(([, route]) => route));
  await operator.send({ method: 'GET', path: `/operator/v1/${secret}` });
  await operator.send({ method: 'GET', path: `/${secret}` });
  const known = new Set([...operator.routes.map(({ path }) => path), '/operator/v1/*', '*', 'none']);
  assert.deepEqual([...labels].toSorted(), [...known].toSorted());
  assert.ok(!metrics.includes(secret));
});
