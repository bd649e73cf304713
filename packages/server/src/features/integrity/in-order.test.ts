import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inOrder } from './check-registry.ts';

/** Numbers from 0, and how many of them have been worked on at the same time. */
class Work {
  running = 0;
  runningMax = 0;
  begun = 0;

  async *items(count: number): AsyncGenerator<number, undefined> {
    for (let item = 0; item < count; item += 1) yield item;
  }

  /** Takes longer for even numbers. */
  readonly on = async (item: number): Promise<number> => {
    this.begun += 1;
    this.running += 1;
    this.runningMax = Math.max(this.running, this.runningMax);
    for (let turns = item % 2 === 0 ? 20 : 1; turns > 0; turns -= 1) await nextTurn();
    this.running -= 1;
    if (item === 4) throw new Error('four');
    return item;
  };
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

test('works on so many items at once, and yields the results in the order of the items', async () => {
  for (const atOnce of [1, 2, 3]) {
    const work = new Work();
    assert.deepEqual(await all(inOrder(work.items(4), atOnce, work.on)), [0, 1, 2, 3]);
    assert.equal(work.runningMax, atOnce);
  }
});

test('fewer items than are worked on at once, and none, are yielded too', async () => {
  for (const items of [[], [0], [0, 1]]) {
    const work = new Work();
    assert.deepEqual(await all(inOrder(work.items(items.length), 3, work.on)), items);
  }
});

test('a failure is thrown in its place, when all other work has ended', async () => {
  const work = new Work();
  const results: number[] = [];
  await assert.rejects(async () => {
    for await (const result of inOrder(work.items(10), 3, work.on)) results.push(result);
  }, /^Error: four$/);
  assert.deepEqual(results, [0, 1, 2, 3]);
  assert.equal(work.running, 0);
  assert.ok(work.begun < 10);
});

test('a consumer that stops waits for the work that has begun, and begins no more', async () => {
  const work = new Work();
  for await (const result of inOrder(work.items(10), 3, work.on)) if (result === 0) break;
  assert.deepEqual({ running: work.running, begun: work.begun }, { running: 0, begun: 3 });
});
