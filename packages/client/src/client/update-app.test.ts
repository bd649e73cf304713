import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ServedRegistry } from '../testing/served-registry.ts';
import { AppRegistryClient } from './app-registry-client.ts';
import {
  type AppRegistryError,
  ConflictError,
  ForbiddenError,
  NotFoundError,
  PreconditionFailedError,
  ResponseError,
  UnauthorizedError,
  UnprocessableContentError,
} from './errors.ts';
import type { AppRegistryResponse } from './response.ts';

let registry: ServedRegistry;
before(async () => {
  registry = await ServedRegistry.start();
});
after(async () => {
  await registry.stop();
  assert.doesNotMatch(registry.log.text, /appreg_|@example\.com/);
});

test('reading the current app changes nothing, and does not count as an update', async () => {
  const { apps } = registry.client().developer;
  const { id, updatedAt } = await registry.data.newApp();
  const { data, response } = await apps.current(id).withResponse();
  assert.deepEqual([data.id, data.updatedAt], [id, updatedAt]);
  assert.equal(response.status, 200);
  assert.equal(response.etag, response.headers.get('etag'));
  assert.equal(response.requestId, response.headers.get('x-request-id'));
  const again = await apps.current(id).withResponse();
  assert.equal(quotaLeft(again.response), quotaLeft(response));
});

test('a promise resolves to the data, and withResponse to the same data without another request', async () => {
  const { apps } = registry.client().developer;
  const { id } = await registry.data.newApp();
  const requests = registry.log.requests().size;
  const current = apps.current(id);
  const { data } = await current.withResponse();
  assert.equal(await current, data);
  assert.deepEqual(await Promise.all([current, current.finally(() => {})]), [data, data]);
  assert.equal(registry.log.requests().size, requests + 1);
});

test('a refusal caught at withResponse is not an unhandled rejection', async () => {
  const unhandled: unknown[] = [];
  const listener = (reason: unknown) => void unhandled.push(reason);
  process.on('unhandledRejection', listener);
  const current = registry.client().developer.apps.current('app_unknown');
  await assert.rejects(current.withResponse(), NotFoundError);
  assert.equal(await current.catch(({ code }: AppRegistryError) => code), 'app_not_found');
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', listener);
  assert.deepEqual(unhandled, []);
});

test('all validation errors of an update are reported at once, in the message too', async () => {
  const { id } = await registry.data.newApp();
  const update = { name: '', listingInfo: { backgroundColor: 'red' } };
  const error = await registry
    .client()
    .developer.apps.update(id, update)
    .catch((caught) => caught);
  assert.ok(error instanceof UnprocessableContentError);
  assert.deepEqual(
    error.errors.map(({ pointer, code }) => [pointer, code]),
    [
      ['/name', 'too_short'],
      ['/listingInfo/backgroundColor', 'invalid_format'],
    ],
  );
  for (const { pointer, detail } of error.errors) assert.ok(error.message.includes(`\n${pointer}: ${detail}`));
});

test('each refusal has its error class, code, problem, request id and an actionable message', async () => {
  const { data, tokens } = registry;
  const frozen = await data.newApp({ status: 'AWAITING_REVIEW' });
  const taken = await data.newApp({ name: 'Taken' });
  const { id } = await data.newApp();
  const apps = (token = tokens.developer) => registry.client({ token }).developer.apps;
  const refusals = [
    [apps('appreg_unknown').current(id), UnauthorizedError, 401, 'token_invalid'],
    [apps(tokens.platform).current(id), ForbiddenError, 403, 'insufficient_scope'],
    [apps().current('app_unknown'), NotFoundError, 404, 'app_not_found'],
    [apps().update(frozen.id, { name: 'New' }), ConflictError, 409, 'app_under_review'],
    [apps().update(id, { name: taken.name }), ConflictError, 409, 'name_taken'],
    [apps().update(id, { name: 'New' }, { ifMatch: '"other"' }), PreconditionFailedError, 412, 'precondition_failed'],
    [apps().update(id, { name: 'x'.repeat(70_000) }), ResponseError, 413, 'body_too_large'],
    [apps().update(id, { name: '' }), UnprocessableContentError, 422, 'invalid_content'],
  ] as const;
  // They settle in any order; each is checked.
  for (const [promise] of refusals) promise.catch(() => {});
  for (const [promise, Class, statusCode, code] of refusals) {
    const error: ResponseError = await promise.then(
      () => assert.fail(code),
      (caught) => caught,
    );
    assert.equal(error.constructor, Class, code);
    assert.ok(error instanceof ResponseError && error instanceof Error);
    assert.deepEqual([error.name, error.statusCode, error.code], [Class.name, statusCode, code]);
    assert.equal(error.requestId, error.response.headers.get('x-request-id'));
    assert.deepEqual([error.problem?.status, error.problem?.requestId], [statusCode, error.requestId]);
    assert.ok(error.message.startsWith(`${error.problem?.detail} (${statusCode} ${code}, request ${error.requestId})`));
    assert.doesNotMatch(error.message, /appreg_/);
  }
});

test('a token may come from a function, which is called for each request', async () => {
  const { id } = await registry.data.newApp();
  let calls = 0;
  const token = async () => {
    calls += 1;
    return `${registry.tokens.developer}\n`;
  };
  const { apps } = registry.client({ token }).developer;
  await apps.current(id);
  await apps.current(id);
  assert.equal(calls, 2);
  const failure = new Error('no secret store');
  const failing = registry.client({ token: () => Promise.reject(failure) });
  await assert.rejects(failing.developer.apps.current(id), (error) => error === failure);
});

test('a malformed token is rejected before anything is sent, and is not in the message', async () => {
  for (const token of ['', ' \n', 'two words', 'line\nbreak', 'Zürich']) {
    await assert.rejects(registry.client({ token }).developer.apps.current('app_x'), (error: Error) => {
      assert.ok(error instanceof TypeError);
      assert.match(error.message, /^The token is empty or malformed\./);
      return true;
    });
  }
});

test('an id that would change the path is rejected, and others are encoded', async () => {
  const { apps } = registry.client().developer;
  for (const id of ['', '.', '..', undefined as never, null as never]) {
    await assert.rejects(apps.current(id), { name: 'TypeError', message: /^An id is missing/ });
  }
  for (const id of ['../../platform/apps/v1/x', 'app_x?y=z', 'app_x#', 'app x', 'ä']) {
    await assert.rejects(apps.current(id), { name: 'NotFoundError', code: 'app_not_found' });
  }
});

test('a base URL may have a path and a trailing slash, and a malformed one is rejected', async () => {
  const { id } = await registry.data.newApp();
  for (const baseUrl of [`${registry.baseUrl}/`, `${registry.baseUrl}//`]) {
    assert.equal((await registry.client({ baseUrl }).developer.apps.current(id)).id, id);
  }
  const { baseUrl } = registry;
  const inEnvironment = new AppRegistryClient({ token: registry.tokens.developer, environment: { baseUrl } });
  assert.equal((await inEnvironment.developer.apps.current(id)).id, id);
  // @ts-expect-error: one of the two is required
  assert.throws(() => new AppRegistryClient({ token: 'x' }), { name: 'TypeError' });
  // @ts-expect-error: and only one
  new AppRegistryClient({ token: 'x', baseUrl, environment: { baseUrl } });
  const malformed = ['', 'apps.example.com', 'ftp://x', 'https://', 'https://u:p@x', 'https://x?y', undefined as never];
  for (const baseUrl of malformed) {
    assert.throws(() => registry.client({ baseUrl }), { name: 'TypeError', message: /base URL/ });
  }
});

function quotaLeft({ headers }: AppRegistryResponse): string | undefined {
  return /"updates";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1];
}
