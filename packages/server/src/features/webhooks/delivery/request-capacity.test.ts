import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestCapacity } from './webhook-worker.ts';

/** Begins as many requests as a webhook may; none of them ends. */
function fill(capacity: RequestCapacity, { limit = 100, bytes = 1 } = {}): number {
  let underWay = 0;
  while (underWay < limit && capacity.leftFor(underWay) > 0) {
    capacity.begin(bytes);
    underWay += 1;
  }
  return underWay;
}

test('webhooks whose receivers do not respond leave room for others and never exceed the limit together', () => {
  const capacity = new RequestCapacity({ requestsMax: 256, bytesMax: 1_000_000 });
  const unresponsive = Array.from({ length: 5 }, () => fill(capacity));
  assert.equal(unresponsive[0], 100);
  const left = capacity.leftFor(0);
  assert.ok(left >= 1, `${unresponsive} and ${left}`);
  assert.ok(unresponsive.reduce((sum, count) => sum + count, left) <= 256);
});

test('when bodies fill the memory, each webhook may have one request until they are sent', () => {
  const capacity = new RequestCapacity({ requestsMax: 256, bytesMax: 1_000 });
  assert.equal(fill(capacity, { bytes: 500 }), 2);
  assert.deepEqual([capacity.leftFor(2), capacity.leftFor(0)], [0, 1]);
  capacity.end(500);
  assert.ok(capacity.leftFor(1) > 50);
});
