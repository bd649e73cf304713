import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Quota, RateLimit } from './rate-limit.ts';

test('a token has its quota again a minute after its first request, and no earlier', () => {
  const { limit, later } = limitOfTwo();
  assert.deepEqual(outcomes(limit, 3), ['taken', 'taken', 'rejected']);
  later(59_999);
  assert.deepEqual(outcomes(limit, 1), ['rejected']);
  later(1);
  assert.deepEqual(outcomes(limit, 3), ['taken', 'taken', 'rejected']);
});

test('a rejected request uses no quota of the next minute', () => {
  const { limit, later } = limitOfTwo();
  outcomes(limit, 100);
  later(60_000);
  assert.deepEqual(outcomes(limit, 3), ['taken', 'taken', 'rejected']);
});

test('each token has a quota of its own', () => {
  const { limit } = limitOfTwo();
  outcomes(limit, 3, 'one');
  assert.deepEqual(outcomes(limit, 3, 'other'), ['taken', 'taken', 'rejected']);
});

test('released quota can be taken again', () => {
  const { limit } = limitOfTwo();
  for (let round = 0; round < 10; round += 1) limit.take('token').release();
  assert.deepEqual(outcomes(limit, 3), ['taken', 'taken', 'rejected']);
});

test('the fields contain what is left and for how long, and a problem when to retry', () => {
  const { limit, later } = limitOfTwo();
  const policy = '"updates";q=2;w=60';
  assert.deepEqual(limit.take('token').headers, {
    'ratelimit-policy': policy,
    ratelimit: '"updates";r=1;t=60',
  });
  later(20_500);
  assert.equal(limit.take('token').headers.ratelimit, '"updates";r=0;t=40');
  const { headers, problem } = limit.take('token');
  assert.equal(headers.ratelimit, '"updates";r=0;t=40');
  assert.deepEqual(problem?.headers, { ...headers, 'retry-after': '40' });
});

test('0 means no limit, and no fields', () => {
  const limit = new RateLimit('updates', 0);
  for (let round = 0; round < 1000; round += 1) {
    const { headers, problem, release } = limit.take('token');
    assert.deepEqual([headers, problem, release()], [{}, null, {}]);
  }
});

test('a token can have a limit of its own, also none', () => {
  const limit = new RateLimit('updates', 2);
  assert.equal(limit.take('own', 5).release()['ratelimit-policy'], '"updates";q=5;w=60');
  for (let left = 5; left > 0; left -= 1) assert.equal(limit.take('own', 5).problem, null);
  assert.match(limit.take('own', 5).problem?.message ?? '', /^This token may make 5 updates a minute\./);
  assert.deepEqual(limit.take('free', 0).headers, {});
  assert.deepEqual(outcomes(limit, 3), ['taken', 'taken', 'rejected']);
});

test('quota released after its window has ended adds nothing to the next one', () => {
  const { limit, later } = limitOfTwo();
  const earlier = [limit.take('token'), limit.take('token')];
  later(60_000);
  limit.take('token');
  for (const quota of earlier) assert.equal(quota.release().ratelimit, '"updates";r=1;t=60');
  assert.deepEqual(outcomes(limit, 2), ['taken', 'rejected']);
});

test('the fields of a late release are those of a full quota', () => {
  const { limit, later } = limitOfTwo();
  const quota = limit.take('token');
  later(200_000);
  assert.equal(quota.release().ratelimit, '"updates";r=2;t=60');
});

test('a second release, or that of a rejected request, adds nothing', () => {
  const { limit } = limitOfTwo();
  const [first, , rejected] = [limit.take('token'), limit.take('token'), limit.take('token')];
  rejected.release();
  assert.deepEqual(outcomes(limit, 1), ['rejected']);
  first.release();
  first.release();
  assert.deepEqual(outcomes(limit, 2), ['taken', 'rejected']);
});

test('a wrong wall clock changes nothing', ({ mock }) => {
  const limit = new RateLimit('updates', 1);
  limit.take('token');
  mock.timers.enable({ apis: ['Date'] });
  for (const now of [0, 4_000_000_000_000]) {
    mock.timers.setTime(now);
    const seconds = Number(limit.take('token').problem?.headers['retry-after']);
    assert.ok(seconds >= 1 && seconds <= 60, `Retry-After ${seconds} at ${now}`);
  }
});

type Step = { do: 'take' | 'release'; token: string; index: number } | { do: 'wait'; ms: number };
const anyToken = fc.constantFrom('one', 'other');
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('take'), token: anyToken, index: fc.constant(0) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('release'), token: anyToken, index: fc.nat(20) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait'), ms: fc.constantFrom(1, 20_000, 59_999, 60_000, 130_000) }),
  },
);

test('any order of requests, releases and window ends admits what a simple model admits', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(anyStep, { maxLength: 80 }), (perMinute, steps) => {
      let nowMs = 0;
      const limit = new RateLimit('updates', perMinute, () => nowMs);
      const models = { one: new TokenModel(perMinute), other: new TokenModel(perMinute) };
      for (const step of steps) {
        if (step.do === 'wait') nowMs += step.ms;
        else if (step.do === 'take') models[nameOf(step.token)].take(limit.take(step.token), nowMs);
        else models[nameOf(step.token)].release(step.index, nowMs);
      }
    }),
    { numRuns: 2_000 },
  );
});

function nameOf(token: string): 'one' | 'other' {
  return token === 'one' ? 'one' : 'other';
}

/** Every request of one token with its window; nothing is counted, and nothing forgotten. */
class TokenModel {
  readonly #perMinute: number;
  readonly #taken: { quota: Quota; windowMs: number; isReleased: boolean }[] = [];
  #windowMs = Number.NEGATIVE_INFINITY;

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  take(quota: Quota, nowMs: number): void {
    if (nowMs - this.#windowMs >= 60_000) this.#windowMs = nowMs;
    const isAdmitted = this.#used(this.#windowMs) < this.#perMinute;
    assert.equal(quota.problem === null, isAdmitted);
    this.#taken.push({ quota, windowMs: this.#windowMs, isReleased: !isAdmitted });
    assert.equal(quota.headers.ratelimit, this.#field(nowMs));
    if (quota.problem) assert.equal(quota.problem.headers['retry-after'], this.#field(nowMs).split('t=')[1]);
  }

  release(index: number, nowMs: number): void {
    const taken = this.#taken[index % Math.max(1, this.#taken.length)];
    if (!taken) return;
    taken.isReleased = true;
    assert.equal(taken.quota.release().ratelimit, this.#field(nowMs));
  }

  #used(windowMs: number): number {
    return this.#taken.filter((taken) => taken.windowMs === windowMs && !taken.isReleased).length;
  }

  #field(nowMs: number): string {
    const hasEnded = nowMs - this.#windowMs >= 60_000;
    const left = this.#perMinute - (hasEnded ? 0 : this.#used(this.#windowMs));
    return `"updates";r=${left};t=${hasEnded ? 60 : Math.ceil((this.#windowMs + 60_000 - nowMs) / 1_000)}`;
  }
}

function limitOfTwo(): { limit: RateLimit; later: (ms: number) => void } {
  let nowMs = 1_000;
  const later = (ms: number) => {
    nowMs += ms;
  };
  return { limit: new RateLimit('updates', 2, () => nowMs), later };
}

function outcomes(limit: RateLimit, times: number, tokenId = 'token'): string[] {
  return Array.from({ length: times }, () => (limit.take(tokenId).problem ? 'rejected' : 'taken'));
}
