import { HttpProblem } from '../problem/problem.ts';

/** Fewer than half of the connections that the operator listener is sure to have. */
export const waitingMax = 50;
const retryAfterSeconds = 5;

/** Limits how many requests wait for events at one time. */
export function waitsAtOnce() {
  let waiting = 0;
  return async function admit<Result>(work: () => Promise<Result>): Promise<Result> {
    if (waiting >= waitingMax) throw tooMany();
    waiting += 1;
    try {
      return await work();
    } finally {
      waiting -= 1;
    }
  };
}

function tooMany(): HttpProblem {
  return new HttpProblem(
    'unavailable',
    'As many requests wait for events as this process allows at one time. Retry in a moment, or leave out "wait".',
    { 'retry-after': String(retryAfterSeconds) },
  );
}
