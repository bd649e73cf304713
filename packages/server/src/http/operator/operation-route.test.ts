import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import { OperatorFixture } from '../../../test/http/operator-fixture.ts';
import type { OperatorApp } from '../../features/apps/app-schemas.ts';
import { newId } from '../../kernel/ids.ts';

// How a request is handled before it reaches a rule is the same on every engine.
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

describe('an operation without a body', () => {
  const json = { 'content-type': 'application/json' };

  test('accepts no body, with or without a media type, and an empty object', async () => {
    for (const request of [{}, { headers: json }, { headers: json, body: '' }, { headers: json, body: '{}' }]) {
      assert.equal((await withdraw(request)).view.reviewStatus, 'DRAFT', JSON.stringify(request));
    }
  });

  test('refuses a field that it would ignore', async () => {
    const response = await withdraw({ headers: json, body: '{"reason":"Too early."}' });
    assert.deepEqual([response.status, response.validationErrors], [422, ['/reason unknown_field']]);
    assert.deepEqual((await withdraw({ headers: json, body: '[]' })).validationErrors, [' wrong_type']);
  });

  test('refuses a body that is malformed, of another media type or too large', async () => {
    assert.equal((await withdraw({ headers: json, body: '{' })).refusal, '400 invalid_json');
    const text = { headers: { 'content-type': 'text/plain' }, body: 'Too early.' };
    const asText = await withdraw(text);
    assert.deepEqual([asText.refusal, asText.headers.accept], ['415 unsupported_media_type', 'application/json']);
    assert.equal((await withdraw({ headers: json, body: '{}'.padEnd(65_537) })).refusal, '413 body_too_large');
  });
});

test('only an update can be a merge patch', async () => {
  const headers = { 'content-type': 'application/merge-patch+json' };
  const { id } = await operator.data.newApp();
  assert.equal((await operator.call(`PATCH /apps/${id}`, { headers, body: {} })).status, 200);
  for (const request of [`POST /apps/${id}/submit`, 'POST /developers', `DELETE /apps/${id}`]) {
    const { refusal, headers: received } = await operator.call(request, { headers, body: {} });
    assert.deepEqual([refusal, received.accept], ['415 unsupported_media_type', 'application/json'], request);
  }
  const asText = await operator.call(`PATCH /apps/${id}`, { headers: { 'content-type': 'text/plain' }, body: {} });
  assert.equal(asText.headers['accept-patch'], 'application/json, application/merge-patch+json');
});

test('a body that is no object has one error', async () => {
  const { id } = await operator.data.newApp();
  for (const request of [`PATCH /apps/${id}`, `POST /apps/${id}/revert`, `POST /apps/${id}/revoke`]) {
    for (const body of [null, [], 'x']) {
      assert.deepEqual((await operator.call(request, { body })).validationErrors, [' wrong_type'], request);
    }
  }
});

describe('an Idempotency-Key', () => {
  const headers = { 'idempotency-key': 'once' };
  const submit = (id: string, more: Record<string, string> = {}) =>
    operator.call<OperatorApp>(`POST /apps/${id}/submit`, { headers: { ...headers, ...more } });

  test('is read by what changes something, and ignored by a deletion and a read', async () => {
    const { id } = await operator.data.newApp();
    const refused = { headers: { 'idempotency-key': 'two words' } };
    for (const request of [`POST /apps/${id}/submit`, `PATCH /apps/${id}`, 'POST /developers']) {
      assert.equal((await operator.call(request, { ...refused, body: {} })).refusal, '400 malformed_request', request);
    }
    for (const request of [`GET /apps/${id}`, `DELETE /apps/${id}`]) {
      assert.equal((await operator.call(request, refused)).status, 200, request);
    }
  });

  test('gets the first response with its ETag, until it comes with another precondition or from another token', async () => {
    const { id, etag } = await operator.data.newApp();
    const first = await submit(id);
    const again = await submit(id);
    assert.deepEqual(
      [again.view, again.headers.etag, again.headers['idempotency-replayed']],
      [first.view, first.headers.etag, 'true'],
    );
    assert.equal((await submit(id, { 'if-match': etag })).refusal, '422 idempotency_key_reused');
    const byAnother = await operator.call(`POST /apps/${id}/submit`, { as: 'portal', headers });
    assert.equal(byAnother.refusal, '409 review_status_conflict');
  });

  test('has no effect on a dry run, before and after the request that it names', async () => {
    const { id: userId } = operator.data.developer;
    const suspend = (query = '') =>
      operator.call<{ dryRun?: true; suspendedAt?: string }>(`POST /developers/${userId}/suspend${query}`, {
        headers: { 'idempotency-key': 'tried' },
        body: { reason: 'Spam' },
      });
    for (const isReplayed of [false, true]) {
      const tried = await suspend('?dryRun=true');
      assert.deepEqual([tried.view.dryRun, tried.headers['idempotency-replayed']], [true, undefined]);
      const done = await suspend();
      assert.deepEqual(
        [done.view.dryRun, done.headers['idempotency-replayed']],
        [undefined, isReplayed ? 'true' : undefined],
      );
    }
  });
});

describe('a query', () => {
  const errorsOf = async (query: string) => (await operator.call(`GET /apps?${query}`)).validationErrors;

  test('is refused with every error: unknown and duplicate parameters, values of the wrong type or out of range', async () => {
    assert.deepEqual(await errorsOf('limit=ten&status=DONE&changedSinceApproval=1&strange=1&constructor=1'), [
      'strange unknown_field',
      'constructor unknown_field',
      'status not_allowed',
      'changedSinceApproval wrong_type',
      'limit wrong_type',
    ]);
    for (const [query, name] of [
      ['limit=1&limit=2', 'limit'],
      ['view=full&view=summary', 'view'],
      ['deleted=true&deleted=true', 'deleted'],
    ]) {
      const { problem } = await operator.call(`GET /apps?${query}`);
      assert.deepEqual(problem.errors, [{ parameter: name, code: 'wrong_type', detail: 'Give the parameter once.' }]);
    }
    assert.deepEqual(await errorsOf('status=DRAFT&status=DRAFT'), ['status not_allowed']);
    for (const limit of ['', '05', '-1', '1.5', '1e1', '0x10', ' 1', 'true', '9'.repeat(16)]) {
      assert.deepEqual(await errorsOf(`limit=${encodeURIComponent(limit)}`), ['limit wrong_type'], limit);
    }
    for (const limit of ['0', '101', '9'.repeat(15)]) {
      assert.deepEqual(await errorsOf(`limit=${limit}`), ['limit not_allowed'], limit);
    }
    assert.deepEqual(await errorsOf('__proto__=1'), ['__proto__ unknown_field']);
  });

  test('is refused if it is not percent-encoded UTF-8', async () => {
    for (const query of ['name=%ff', 'name=%', '%zz=1', 'name=100%&limit=1']) {
      assert.equal((await operator.call(`GET /apps?${query}`)).refusal, '400 malformed_request', query);
    }
    assert.equal((await operator.call('GET /apps?name=%C3%A9+%25')).status, 200);
  });

  test('is refused with errors that speak of parameters', async () => {
    for (const query of ['strange=1', 'id=1']) {
      const { problem } = await operator.call(`GET /apps?${query}`);
      const [parameter] = query.split('=');
      const detail = 'The parameter is unknown. Check its spelling.';
      assert.deepEqual(problem.errors, [{ parameter, code: 'unknown_field', detail }]);
    }
    const { problem } = await operator.call('GET /search');
    assert.deepEqual(problem.errors, [{ parameter: 'q', code: 'required', detail: 'The parameter is required.' }]);
  });

  test('is refused by an operation without parameters', async () => {
    const { id } = await operator.data.newApp();
    const response = await operator.call(`GET /apps/${id}?view=full`);
    assert.deepEqual([response.status, response.validationErrors], [422, ['view unknown_field']]);
  });
});

test('an unknown path returns 404, and below /operator/v1/ only to a request with a token', async () => {
  const { id } = await operator.data.newApp();
  const outside = ['/operator', '/operator/v1', `/operator/v2/apps/${id}`, `//operator/v1/apps/${id}`];
  const below = ['', 'nothing', `apps/${id}/`, `apps/${id}/publish`, `Apps/${id}`, '%61pps%2F'];
  for (const path of [...outside, ...below.map((rest) => `/operator/v1/${rest}`)]) {
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
      const response = await operator.send({ method, path, headers: bearer(operator.tokens.read.token) });
      assert.equal(response.status, 404, `${method} ${path}`);
      const { status, headers } = await operator.send({ method, path });
      assert.equal(status, outside.includes(path) ? 404 : 401, `${method} ${path} without a token`);
      assert.equal(headers['www-authenticate'] !== undefined, status === 401);
    }
  }
  const { refusal } = await operator.send({ method: 'GET', path: '/operator/v1/nothing', headers: bearer('nonsense') });
  assert.equal(refusal, '401 token_invalid');
});

test('no response of any route, method or status is cacheable, except console files and logos', async () => {
  const headers = bearer(operator.tokens.admin.token);
  const nothing = { method: 'GET', path: '/nothing', cacheable: false };
  for (const { method, path, cacheable = false } of [...operator.routes, nothing]) {
    const target = path.replaceAll(/:\w+/g, newId('app'));
    for (const request of [
      { method, path: target },
      { method, path: target, headers },
      { method: 'PUT', path: target },
    ]) {
      const { status, headers: received } = await operator.send(request);
      const isCacheable = cacheable && status === 200;
      assert.equal(received['cache-control'] === 'no-store', !isCacheable, `${request.method} ${path}`);
    }
  }
});

test('metrics label a request with its route and never with its path', async () => {
  const secret = 'installation_of_another';
  for (const { method, path } of operator.routes) {
    await operator.send({ method, path: path.replaceAll(/:\w+/g, secret) });
    await operator.send({ method, path: path.replaceAll(/:\w+/g, secret), headers: { host: 'evil.example' } });
  }
  const metrics = (await operator.send({ method: 'GET', path: '/metrics' })).text;
  const labels = new Set([...metrics.matchAll(/_count\{route="([^"]*)"/g)].map(([, route]) => route));
  await operator.send({ method: 'GET', path: `/operator/v1/${secret}` });
  await operator.send({ method: 'GET', path: `/${secret}` });
  const known = new Set([...operator.routes.map(({ path }) => path), '/operator/v1/*', 'none']);
  assert.deepEqual([...labels].toSorted(), [...known].toSorted());
  assert.ok(!metrics.includes(secret));
});

test('no log line shows the secret or the address of a webhook', async () => {
  const body = { url: 'https://hooks.example.com/apps?key=hush' };
  const { id } = (await operator.call<{ id: string }>('POST /webhooks', { body })).view;
  assert.match((await operator.call(`POST /webhooks/${id}/rotate-secret`)).text, /whsec_/);
  assert.doesNotMatch(operator.log.text, /whsec_|hush/);
});
