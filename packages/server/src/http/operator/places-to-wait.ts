import { HttpProblem } from '../problem/problem.ts';

/** Waits and streams together: fewer than half of the connections that the operator listener is sure to have. */
export const waitingMax = 50;
const waitRetryAfterSeconds = 5;

/** Limits how many requests of a process wait for events at one time. Returns what takes a place, and with it what releases it. */
export function placesToWait(): () => () => void {
  let taken = 0;
  return function takePlace() {
    if (taken >= waitingMax) throw tooManyWaiting();
    taken += 1;
    return function release() {
      taken -= 1;
    };
  };
}

function tooManyWaiting(): HttpProblem {
  return new HttpProblem(
    'unavailable',
    'Too many requests are waiting for events. Retry in a moment, or read the feed without "wait".',
    { 'retry-after': String(waitRetryAfterSeconds) },
  );
}
