import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LatestEvents } from './seen-events.ts';

test('the latest ids are retained, up to the size', () => {
  const seen = new LatestEvents(3);
  for (const id of ['a', 'b', 'a', 'c', 'd']) seen.add(id);
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((id) => seen.has(id)),
    [false, true, true, true],
  );
});
