import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { RateLimit } from './rate-limit.ts';

test('a token has its quota again a minute after its first request, and no earlier', async (t) => {
  const { limit, later } = limitOfTwo(t);
  assert.deepEqual(await outcomes(limit, 3), ['taken', 'taken', 'rejected']);
  later(59_999);
  assert.deepEqual(await outcomes(limit, 1), ['rejected']);
  later(1);
  assert.deepEqual(await outcomes(limit, 3), ['taken', 'taken', 'rejected']);
});

test('a rejected request uses no quota of the next minute', async (t) => {
  const { limit, later } = limitOfTwo(t);
  await outcomes(limit, 100);
  later(60_000);
  assert.deepEqual(await outcomes(limit, 3), ['taken', 'taken', 'rejected']);
});

test('each token has a quota of its own', async (t) => {
  const { limit } = limitOfTwo(t);
  await outcomes(limit, 3, 'one');
  assert.deepEqual(await outcomes(limit, 3, 'other'), ['taken', 'taken', 'rejected']);
});

test('released quota can be taken again', async (t) => {
  const { limit } = limitOfTwo(t);
  for (let round = 0; round < 10; round += 1) {
    assert.deepEqual(await outcomes(limit, 1), ['taken']);
    await limit.release('token');
  }
  assert.deepEqual(await outcomes(limit, 3), ['taken', 'taken', 'rejected']);
});

test('the fields contain what is left and for how long, and a problem when to retry', async (t) => {
  const { limit, later } = limitOfTwo(t);
  const policy = '"updates";q=2;w=60';
  assert.deepEqual((await limit.take('token')).headers, {
    'ratelimit-policy': policy,
    ratelimit: '"updates";r=1;t=60',
  });
  later(20_500);
  assert.equal((await limit.take('token')).headers.ratelimit, '"updates";r=0;t=40');
  const { headers, problem } = await limit.take('token');
  assert.equal(headers.ratelimit, '"updates";r=0;t=40');
  assert.deepEqual(problem?.headers, { ...headers, 'retry-after': '40' });
});

test('0 means no limit, and no fields', async () => {
  const limit = new RateLimit('updates', 0);
  for (let round = 0; round < 1000; round += 1) {
    assert.deepEqual(await limit.take('token'), { headers: {}, problem: null });
  }
  assert.deepEqual(await limit.release('token'), {});
});

test('a token can have a limit of its own, also none', async () => {
  const limit = new RateLimit('updates', 2);
  const own = await limit.take('own', 5);
  assert.equal(own.headers['ratelimit-policy'], '"updates";q=5;w=60');
  await limit.release('own', 5);
  for (let left = 5; left > 0; left -= 1) assert.equal((await limit.take('own', 5)).problem, null);
  assert.match((await limit.take('own', 5)).problem?.message ?? '', /^This token may make 5 updates a minute\./);
  assert.deepEqual(await limit.take('free', 0), { headers: {}, problem: null });
  assert.deepEqual(await outcomes(limit, 3), ['taken', 'taken', 'rejected']);
});

function limitOfTwo({ mock }: TestContext): { limit: RateLimit; later: (ms: number) => void } {
  mock.timers.enable({ apis: ['Date', 'setTimeout'] });
  return { limit: new RateLimit('updates', 2), later: (ms) => mock.timers.tick(ms) };
}

async function outcomes(limit: RateLimit, times: number, tokenId = 'token'): Promise<string[]> {
  const taken: string[] = [];
  for (let time = 0; time < times; time += 1) {
    taken.push((await limit.take(tokenId)).problem ? 'rejected' : 'taken');
  }
  return taken;
}
