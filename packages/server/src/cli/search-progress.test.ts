import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProgressOutput } from '../../test/cli/progress-output.ts';
import { readableSearch, searchProgress } from './progress-line.ts';

const until = { id: 'event_1', timestamp: '2026-03-01T09:30:00.000Z' };

test('the pages of a search are added up, as far as the last event', () => {
  const progress = searchProgress('event list', new ProgressOutput({ isTTY: false }).options);
  assert.deepEqual(progress.add({ events: 0 }), { events: 0 });
  assert.deepEqual(progress.add({ events: 10_000, until }), { events: 10_000, until });
  assert.deepEqual(progress.add({ events: 0 }), { events: 10_000, until });
  const later = { id: 'event_2', timestamp: '2026-03-02T09:30:00.000Z' };
  assert.deepEqual(progress.add({ events: 5, until: later }), { events: 10_005, until: later });
});

test('a search shows how far it is', () => {
  const terminal = new ProgressOutput({ isTTY: true });
  searchProgress('event list', terminal.options).add({ events: 10_000, until });
  assert.deepEqual(terminal.written, ['\r\u001b[K10000 events read, at 2026-03-01T09:30:00.000Z']);
});

test('for people, the cursor of a search shows how to continue; other pages and last ones stay as they are', () => {
  const searched = { events: 1, until };
  assert.deepEqual(readableSearch({ searched, nextCursor: 'abc' }), {
    searched,
    toGoOn: 'run the command again with --cursor abc',
  });
  for (const page of [{ searched }, { nextCursor: 'abc' }]) assert.deepEqual(readableSearch(page), page);
});
