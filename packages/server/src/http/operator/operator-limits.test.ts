import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { bearer } from '@appregistrar/testkit/http/http-request';
import type { HttpResponse } from '@appregistrar/testkit/http/http-response';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { OperatorFixture } from '../../../test/http/operator-fixture.ts';

let operator: OperatorFixture;
/** Of a token that no other test uses. */
let token: { id: string; token: string };
before(async () => {
  operator = await OperatorFixture.open(sqlite, { operatorRequestsPerMinute: 3 });
});
beforeEach(async () => {
  token = await operator.data.newToken('operator', { scopes: ['read'] });
});
after(() => operator.close());

const get = (path: string, headers: Record<string, string> = bearer(token.token)) =>
  operator.send({ method: 'GET', path: `/operator/v1${path}`, headers });
const leftAfter = ({ headers }: HttpResponse) => /^"requests";r=(\d+);t=\d+$/.exec(headers.ratelimit ?? '')?.[1];

test('a token has a quota of requests a minute, of which a 429 uses nothing, and each token its own', async () => {
  for (const left of ['2', '1', '0']) assert.equal(leftAfter(await get('/apps?limit=1')), left);
  for (let round = 0; round < 2; round += 1) {
    const { refusal, headers, problem } = await get('/apps?limit=1');
    assert.equal(refusal, '429 too_many_requests');
    assert.equal(headers['ratelimit-policy'], '"requests";q=3;w=60');
    assert.match(headers.ratelimit ?? '', /^"requests";r=0;t=\d+$/);
    const seconds = headers['retry-after'];
    assert.equal(problem.detail, `This token may make 3 requests a minute. Retry in ${seconds} s.`);
  }
  const other = await operator.data.newToken('operator', { scopes: ['read'] });
  assert.equal(leftAfter(await get('/apps', bearer(other.token))), '2');
});

test('a request counts regardless of its response, and the quota precedes the scope and the path', async () => {
  const [unknown, refused] = [await get('/nothing'), await get('/tokens')];
  assert.deepEqual([unknown.refusal, leftAfter(unknown)], ['404 path_not_found', '2']);
  assert.deepEqual([refused.refusal, leftAfter(refused)], ['403 insufficient_scope', '1']);
  assert.equal(leftAfter(await get('/apps?strange=1')), '0');
  for (const path of ['/nothing', '/tokens']) assert.equal((await get(path)).refusal, '429 too_many_requests');
});

test('what needs no token does not count, nor does a request without a valid one', async () => {
  for (const path of ['/livez', '/readyz', '/docs', '/openapi.json', '/session']) {
    const { status, headers } = await operator.send({ method: 'GET', path, headers: bearer(token.token) });
    assert.deepEqual([status, headers.ratelimit], [200, undefined], path);
  }
  assert.equal((await get('/apps', bearer('appreg_operator_none'))).headers.ratelimit, undefined);
  assert.equal(leftAfter(await get('/apps')), '2');
});

test('a request that waits for events, and whose token is checked again then, counts once', async () => {
  assert.equal(leftAfter(await get('/events/feed?since=now&wait=1')), '2');
  assert.equal(leftAfter(await get('/events/stream')), '1');
  assert.equal(leftAfter(await get('/apps')), '0');
});

test('a token can have a limit of its own, also none', async () => {
  const own = await operator.data.newToken('operator', { scopes: ['read'], requestsPerMinute: 1 });
  assert.equal((await get('/apps', bearer(own.token))).headers['ratelimit-policy'], '"requests";q=1;w=60');
  assert.equal((await get('/apps', bearer(own.token))).status, 429);
  const free = await operator.data.newToken('operator', { scopes: ['read'], requestsPerMinute: 0 });
  for (let round = 0; round < 5; round += 1) {
    const { status, headers } = await get('/apps?limit=1', bearer(free.token));
    assert.deepEqual([status, headers.ratelimit], [200, undefined]);
  }
});

const signIn = () => {
  const body = JSON.stringify({ token: token.token });
  const headers = { 'content-type': 'application/json', origin: 'http://127.0.0.1:8081' };
  return operator.send({ method: 'POST', path: '/session', headers, body });
};

test('a session counts by its person, apart from tokens, and never has fewer than the console needs', async () => {
  const signedIn = async () => ({ cookie: (await signIn()).headers['set-cookie']?.split(';')[0] ?? assert.fail() });
  const [one, other] = [await signedIn(), await signedIn()];
  assert.equal((await get('/apps', one)).headers['ratelimit-policy'], '"requests";q=600;w=60');
  assert.equal(leftAfter(await get('/apps', other)), '596');
  assert.equal(leftAfter(await get('/apps')), '2');
});

test('a sign-in counts as a request of its person, and beyond the quota opens no session', async () => {
  for (let left = 599; left >= 0; left -= 1) assert.equal(leftAfter(await signIn()), String(left));
  const sessions = await rowsOf(operator.data.registry.storage, 'sessions');
  assert.equal((await signIn()).refusal, '429 too_many_requests');
  assert.deepEqual(await rowsOf(operator.data.registry.storage, 'sessions'), sessions);
});
