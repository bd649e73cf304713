import assert from 'node:assert/strict';
import { test } from 'node:test';
import { figure, withLimit } from '../harness/rounds.ts';
import { type Change, compareRuns } from './compare.ts';
import { chanceOfLower } from './rank-test.ts';
import type { Run } from './run.ts';

const steady = [1, 1.02, 0.98, 1.01, 0.99];
const noisy = [1, 0.6, 1.3, 0.75, 1.2];

test('a throughput that is a fifth lower in every round has dropped', () => {
  const change = compared({ before: steady, now: times(0.8, steady) });
  assert.equal(change.verdict, 'drop');
  assert.ok(Math.abs(change.change + 0.2) < 0.001);
  assert.ok(Math.abs((change.chance ?? 1) - 1 / 252) < 1e-9, 'one of the 252 ways to choose 5 of 10 rounds');
});

test('a drop is found beside a limit that was faster meanwhile, and would hide it', () => {
  const now = { limit: 1.25, now: times(1, steady) };
  assert.equal(compared({ before: steady, ...now }).verdict, 'drop');
});

test('an hour that slows the limit as much as the registry is not a drop', () => {
  assert.equal(compared({ before: steady, now: times(0.6, steady), limit: 0.6 }).verdict, 'same');
});

test('a lower median among rounds that overlap is noise', () => {
  const change = compared({ before: noisy, now: [0.7, 0.65, 1.25, 0.8, 1.1] });
  assert.equal(change.verdict, 'noise');
});

test('a small drop is ignored, however steady the rounds are', () => {
  assert.equal(compared({ before: steady, now: times(0.92, steady) }).verdict, 'same');
});

test('no improvement is a drop, of any size and unit', () => {
  for (const factor of [1.001, 1.05, 1.2, 2, 50]) {
    const more = compared({ before: steady, now: times(factor, steady) });
    const less = compared({ before: steady, now: times(1 / factor, steady), unit: 'ms' });
    const smaller = compared({ before: steady, now: times(1 / factor, steady), unit: 'MiB' });
    for (const { verdict } of [more, less, smaller])
      assert.equal(verdict, factor > 1.12 ? 'gain' : 'same', `${factor}`);
  }
  assert.equal(compared({ before: [0, 0, 0, 0, 0], now: steady }).verdict, 'gain');
});

test('a time has dropped when it is longer, by itself and beside the limit', () => {
  assert.equal(compared({ before: steady, now: times(1.3, steady), unit: 'ms' }).verdict, 'drop');
  assert.equal(compared({ before: steady, now: times(1.3, steady), unit: 'ms', limit: 1 / 1.3 }).verdict, 'noise');
  assert.equal(compared({ before: steady, now: steady, unit: 'ms', limit: 1.5 }).verdict, 'noise');
});

test('of unchanged figures with much noise, about one in a hundred is reported', () => {
  const random = randomNumbers();
  const rounds = () => Array.from({ length: 5 }, () => 1 + random());
  const verdicts = Array.from({ length: 2_000 }, () => compared({ before: rounds(), now: rounds() }).verdict);
  const drops = verdicts.filter((verdict) => verdict === 'drop').length;
  assert.ok(drops > 0 && drops <= 40, `${drops} of 2,000`);
});

test('neither the limit nor another contestant is compared', () => {
  for (const of of [
    'bare node:http',
    'SQLite: bare node:http, echo',
    'hand-written, SQLite',
    'pgbench, the same transaction',
  ]) {
    assert.equal(compared({ before: steady, now: times(0.5, steady), of }).verdict, 'not compared', of);
  }
  assert.equal(compared({ before: [3], now: [1] }).verdict, 'not compared');
});

test('a run of another pace, with too few rounds or without a case cannot be compared', () => {
  const run = runOf({ rounds: steady });
  const slower = { ...run, pace: { ...run.pace, seconds: 8 } };
  assert.throws(() => compareRuns(slower, run), /another pace: seconds was 8, and is 1 now/);
  const fewer = { ...run, pace: { ...run.pace, rounds: 3 } };
  assert.throws(() => compareRuns(fewer, run), /3 rounds before and 5 now are too few/);
  assert.throws(() => compareRuns({ ...run, results: [] }, run), /does not have the cases some-case/);
});

test('the chance of equal values is that of no difference, and values that share ranks count as equal', () => {
  assert.equal(chanceOfLower([1, 1], [1, 1]), 1);
  assert.equal(chanceOfLower([1, 2], [2, 3]), 2 / 6);
  assert.equal(chanceOfLower([1, 2, 3], [4, 5, 6]), 1 / 20);
});

interface Compared {
  before: number[];
  now: number[];
  /** The limit of the later run, of that of the earlier one. */
  limit?: number;
  unit?: string;
  of?: string;
}

/** The change of the only figure of two runs. */
function compared({ before, now, limit = 1, ...figure }: Compared): Change {
  const changes = compareRuns(runOf({ rounds: before, ...figure }), runOf({ rounds: now, limit, ...figure }));
  return changes.at(-1) as Change;
}

function runOf({
  rounds,
  limit = 1,
  unit = 'requests/s',
  of = 'app-registry, SQLite',
}: {
  rounds: number[];
  limit?: number;
  unit?: string;
  of?: string;
}): Run {
  const limits = figure(
    'bare node:http',
    times(
      limit,
      rounds.map(() => 1),
    ),
    'requests/s',
  );
  const figures = withLimit(limits, [figure(of, rounds, unit)]);
  const result = { name: 'some-case', title: 'Some case', about: '', seconds: 1, figures, targets: [] };
  return {
    at: '2026-11-23T00:00:00.000Z',
    machine: { cpu: 'a', cores: 2, memoryGib: 8, system: 'linux', node: 'v26', pinned: true },
    pace: { isQuick: false, rounds: 5, seconds: 1, warmUpSeconds: 2, connections: 64 },
    results: [result],
  };
}

function times(factor: number, values: number[]): number[] {
  return values.map((value) => value * factor);
}

/** The same numbers below 1 on every run (a linear congruential generator). */
function randomNumbers(): () => number {
  let state = 1;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
