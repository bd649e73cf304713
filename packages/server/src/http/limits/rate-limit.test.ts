import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Quota, RateLimit, StoredBytes } from './rate-limit.ts';

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
      const limit = new RateLimit('updates', perMinute, { nowMs: () => nowMs });
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
  return { limit: new RateLimit('updates', 2, { nowMs: () => nowMs }), later };
}

const dayMs = 86_400_000;

test('the bytes of a developer are back a day after their first update, and those released at once', () => {
  let nowMs = 0;
  const storedBytes = new StoredBytes(100, () => nowMs);
  storedBytes.take('one', 60);
  const release = storedBytes.take('one', 40);
  assert.throws(() => storedBytes.take('one', 1), /of which 0 are left\. This update has 1\. .* Retry in 86400 s\.$/);
  release();
  nowMs = dayMs - 1;
  assert.throws(() => storedBytes.take('one', 41), { headers: byteLimits({ left: 40, seconds: 1 }) });
  nowMs = dayMs;
  storedBytes.take('one', 100);
});

test('bytes that are released after the day they were taken on add nothing to the next one', () => {
  let nowMs = 0;
  const storedBytes = new StoredBytes(100, () => nowMs);
  const release = storedBytes.take('one', 100);
  nowMs = dayMs;
  storedBytes.take('one', 10);
  release();
  assert.throws(() => storedBytes.take('one', 91), /of which 90 are left/);
});

test('0 bytes mean no limit', () => {
  const storedBytes = new StoredBytes(0);
  for (let round = 0; round < 3; round += 1) storedBytes.take('one', Number.MAX_SAFE_INTEGER)();
});

function byteLimits({ left, seconds }: { left: number; seconds: number }): Record<string, string> {
  return {
    'ratelimit-policy': '"stored-bytes";q=100;qu="content-bytes";w=86400',
    ratelimit: `"stored-bytes";r=${left};t=${seconds}`,
    'retry-after': String(seconds),
  };
}
