import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ServedRegistry } from '../testing/served-registry.ts';
import type { AppUpdate } from '../types/app-update.ts';
import { AppRegistryClient } from './app-registry-client.ts';
import {
  AppRegistryError,
  ConflictError,
  ForbiddenError,
  NotFoundError,
  PreconditionFailedError,
  TooManyRequestsError,
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

test('an update changes what it gives, removes by null, and leaves alone what is absent or undefined', async () => {
  const { apps } = registry.client().developer;
  const { id, name } = await registry.data.newApp();
  await apps.update(id, {
    listingInfo: { shortDescription: 'Short', longDescription: 'Long', backgroundColor: '#000' },
    oauthInfo: { loginUrl: 'https://one.example/' },
  });
  const app = await apps.update(id, {
    name: undefined,
    logoId: undefined,
    listingInfo: { shortDescription: undefined, longDescription: null, backgroundColor: '#fff' },
    oauthInfo: undefined,
  });
  assert.deepEqual(
    { name: app.name, listingInfo: app.listingInfo, oauthInfo: app.oauthInfo },
    {
      name,
      listingInfo: { shortDescription: 'Short', backgroundColor: '#fff' },
      oauthInfo: { loginUrl: 'https://one.example/' },
    },
  );
});

test('each field takes null exactly where the contract lets something be removed', async () => {
  const { apps } = registry.client().developer;
  const { id } = await registry.data.newApp();
  const clearable: AppUpdate = {
    logoId: null,
    listingInfo: { shortDescription: null, longDescription: null },
    oauthInfo: { loginUrl: null, callbackUrl: null },
  };
  await apps.update(id, clearable);
  const refused = [
    // @ts-expect-error: an app has a name
    () => apps.update(id, { name: null }),
    // @ts-expect-error: an app has a listing
    () => apps.update(id, { listingInfo: null }),
    // @ts-expect-error: a listing has a background
    () => apps.update(id, { listingInfo: { backgroundColor: null } }),
    // @ts-expect-error: what it holds is removed one by one
    () => apps.update(id, { oauthInfo: null }),
    // @ts-expect-error: no update sets it
    () => apps.update(id, { reviewStatus: 'APPROVED' }),
  ];
  for (const update of refused) await assert.rejects(update(), UnprocessableContentError);
});

test('the current app is read without changing it, and counts as no update', async () => {
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

test('a promise answers the data, and withResponse the same data without another request', async () => {
  const { apps } = registry.client().developer;
  const { id } = await registry.data.newApp();
  const requests = registry.log.requests().size;
  const current = apps.current(id);
  const { data } = await current.withResponse();
  assert.equal(await current, data);
  assert.deepEqual(await Promise.all([current, current.finally(() => {})]), [data, data]);
  assert.equal(registry.log.requests().size, requests + 1);
});

test('a refusal that is caught at withResponse is no unhandled rejection', async () => {
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

test('all faults of an update are told at once, in the message too', async () => {
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

test('each refusal is an error of its own, with code, problem, request id and a message to act on', async () => {
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
    [apps().update(id, { name: 'x'.repeat(70_000) }), AppRegistryError, 413, 'body_too_large'],
    [apps().update(id, { name: '' }), UnprocessableContentError, 422, 'invalid_content'],
  ] as const;
  // They come in any order, and each is looked at in its turn.
  for (const [promise] of refusals) promise.catch(() => {});
  for (const [promise, Class, statusCode, code] of refusals) {
    const error: AppRegistryError = await promise.then(
      () => assert.fail(code),
      (caught) => caught,
    );
    assert.equal(error.constructor, Class, code);
    assert.ok(error instanceof AppRegistryError && error instanceof Error);
    assert.deepEqual([error.name, error.statusCode, error.code], [Class.name, statusCode, code]);
    assert.equal(error.requestId, error.response.headers.get('x-request-id'));
    assert.deepEqual([error.problem?.status, error.problem?.requestId], [statusCode, error.requestId]);
    assert.ok(error.message.startsWith(`${error.problem?.detail} (${statusCode} ${code}, request ${error.requestId})`));
    assert.doesNotMatch(error.message, /appreg_/);
  }
});

test('beyond its quota a token is told when to come back', async () => {
  const { token } = await registry.data.newToken('developer', { updatesPerMinute: 1 });
  const { id } = await registry.data.newApp();
  const { apps } = registry.client({ token, maxRetries: 0 }).developer;
  await apps.update(id, { name: 'First' });
  const error = await apps.update(id, { name: 'Second' }).catch((caught) => caught);
  assert.ok(error instanceof TooManyRequestsError);
  assert.ok(error.retryAfterMs !== undefined && error.retryAfterMs > 0 && error.retryAfterMs <= 60_000);
});

test('a token may come from a function, which is asked before each request', async () => {
  const { id } = await registry.data.newApp();
  let asked = 0;
  const token = async () => {
    asked += 1;
    return `${registry.tokens.developer}\n`;
  };
  const { apps } = registry.client({ token }).developer;
  await apps.current(id);
  await apps.current(id);
  assert.equal(asked, 2);
  const fault = new Error('no secret store');
  const failing = registry.client({ token: () => Promise.reject(fault) });
  await assert.rejects(failing.developer.apps.current(id), (error) => error === fault);
});

test('a token that is none is told before anything is sent, and not in the message', async () => {
  for (const token of ['', ' \n', 'two words', 'line\nbreak', 'Zürich']) {
    await assert.rejects(registry.client({ token }).developer.apps.current('app_x'), (error: Error) => {
      assert.ok(error instanceof TypeError);
      assert.match(error.message, /^The token is empty or malformed\./);
      return true;
    });
  }
});

test('an id that would lead to another address is told, and others are taken as they are', async () => {
  const { apps } = registry.client().developer;
  for (const id of ['', '.', '..', undefined as never, null as never]) {
    await assert.rejects(apps.current(id), { name: 'TypeError', message: /^Give the id of an app/ });
  }
  for (const id of ['../../platform/apps/v1/x', 'app_x?y=z', 'app_x#', 'app x', 'ä']) {
    await assert.rejects(apps.current(id), { name: 'NotFoundError', code: 'app_not_found' });
  }
});

test('a base address may have a path and a slash at its end, and one that is none is told', async () => {
  const { id } = await registry.data.newApp();
  for (const baseUrl of [`${registry.baseUrl}/`, `${registry.baseUrl}//`]) {
    assert.equal((await registry.client({ baseUrl }).developer.apps.current(id)).id, id);
  }
  const { baseUrl } = registry;
  const inEnvironment = new AppRegistryClient({ token: registry.tokens.developer, environment: { baseUrl } });
  assert.equal((await inEnvironment.developer.apps.current(id)).id, id);
  // @ts-expect-error: one of the two says where the registry is
  assert.throws(() => new AppRegistryClient({ token: 'x' }), { name: 'TypeError' });
  // @ts-expect-error: and only one
  new AppRegistryClient({ token: 'x', baseUrl, environment: { baseUrl } });
  const malformed = ['', 'apps.example.com', 'ftp://x', 'https://', 'https://u:p@x', 'https://x?y', undefined as never];
  for (const baseUrl of malformed) {
    assert.throws(() => registry.client({ baseUrl }), { name: 'TypeError', message: /base address/ });
  }
});

function quotaLeft({ headers }: AppRegistryResponse): string | undefined {
  return /"updates";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1];
}
