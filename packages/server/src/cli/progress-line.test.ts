import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  importProgress,
  objectProgress,
  partProgress,
  progressLine,
  readableSearch,
  searchProgress,
  timeLeft,
} from './progress-line.ts';

const clear = '\r\u001b[K';

/** A standard error and a clock. */
class ProgressOutput {
  readonly written: string[] = [];
  readonly options;
  ms = 0;

  constructor({ isTTY }: { isTTY: boolean }) {
    this.options = { output: { isTTY, write: (text: string) => this.written.push(text) }, now: () => this.ms };
  }

  /** Runs work in every millisecond of a command that takes so long. */
  run(ms: number, work: (elapsedMs: number) => unknown): void {
    for (let elapsedMs = 0; elapsedMs < ms; elapsedMs += 1) {
      work(elapsedMs);
      this.ms += 1;
    }
  }
}

const shownBy = (ms: number, isTTY: boolean) => {
  const output = new ProgressOutput({ isTTY });
  const line = progressLine('check', output.options);
  output.run(ms, () => line.show((elapsedMs) => ({ part: 0.25, text: `${elapsedMs} ms` })));
  line.end();
  return output.written;
};

test('a terminal shows progress at once, ten times a second and on one line, which is cleared at the end', () => {
  const written = shownBy(1_000, true);
  assert.equal(written[0], `${clear}[########......................] 0 ms`);
  assert.equal(written.length, 11);
  assert.equal(written.at(-1), clear);
  assert.doesNotMatch(written.join(''), /\n/);
});

test('elsewhere there is a line a minute, from the first minute on, with the name of the command', () => {
  const lines = ['check: 60000 ms\n', 'check: 120000 ms\n', 'check: 180000 ms\n'];
  assert.deepEqual(shownBy(185_000, false), lines);
  assert.deepEqual(shownBy(59_000, false), []);
});

test('the time left is in seconds below a minute, then in minutes, then in hours', () => {
  const left = [59, 60, 61, 3_599, 3_600, 3_660].map((seconds) => timeLeft(0.5, seconds * 1_000));
  const times = ['59 s', '1 min', '2 min', '1 h 0 min', '1 h 0 min', '1 h 1 min'];
  assert.deepEqual(
    left,
    times.map((time) => `, ${time} left`),
  );
});

/** What a terminal shows last of an import that reads a byte and a record each millisecond. */
function lastOfImport(totalBytes: number, ms: number): string | undefined {
  const terminal = new ProgressOutput({ isTTY: true });
  const progress = importProgress(totalBytes, terminal.options);
  terminal.run(ms, (elapsedMs) => progress.show(elapsedMs, elapsedMs));
  return terminal.written.at(-1)?.replace(clear, '');
}

test('an import shows how far it is, its records, their rate and the time left', () => {
  const shown = '[########......................] 25 %, 250000 records, 1000 a second, 13 min left';
  assert.equal(lastOfImport(1_000_000, 250_010), shown);
  assert.match(lastOfImport(10_000_000, 60_010) ?? '', / 0 %, 60000 records, 1000 a second, 2 h 46 min left$/);
});

test('the first two seconds show neither a rate nor the time left', () => {
  assert.equal(lastOfImport(1_000_000, 10), `[${'.'.repeat(30)}] 0 %, 0 records`);
});

test('without a known size there is no time left, and a file that grows is never beyond 100 %', () => {
  assert.equal(lastOfImport(0, 60_010), '60000 records, 1000 a second');
  const grown = `[${'#'.repeat(30)}] 100 %, 60000 records, 1000 a second, 0 s left`;
  assert.equal(lastOfImport(10, 60_010), grown);
});

test('a command that reads objects shows their number and, after two seconds, their rate', () => {
  const terminal = new ProgressOutput({ isTTY: true });
  const progress = objectProgress('check', terminal.options);
  terminal.run(2_010, (elapsedMs) => progress.show(5 * elapsedMs));
  assert.equal(terminal.written[0], `${clear}0 objects`);
  assert.equal(terminal.written.at(-1), `${clear}10000 objects, 5000 a second`);
});

test('a command shows how far it is and the time left, and never more than 100 %', () => {
  const terminal = new ProgressOutput({ isTTY: true });
  const progress = partProgress('event archive', terminal.options);
  progress.show(0);
  terminal.ms += 10_000;
  progress.show(0.25);
  terminal.ms += 30_000;
  progress.show(1.5);
  assert.deepEqual(terminal.written, [
    `${clear}[${'.'.repeat(30)}] 0 %`,
    `${clear}[########......................] 25 %, 30 s left`,
    `${clear}[${'#'.repeat(30)}] 100 %, 0 s left`,
  ]);
});

test('the pages of a search are added up, as far as the last event, which is shown', () => {
  const terminal = new ProgressOutput({ isTTY: true });
  const progress = searchProgress('event list', terminal.options);
  const until = { id: 'event_1', timestamp: '2026-03-01T09:30:00.000Z' };
  assert.deepEqual(progress.add({ events: 0 }), { events: 0 });
  terminal.ms += 100;
  assert.deepEqual(progress.add({ events: 10_000, until }), { events: 10_000, until });
  assert.equal(terminal.written.at(-1), `${clear}10000 events read, at 2026-03-01T09:30:00.000Z`);
  assert.deepEqual(progress.add({ events: 0 }), { events: 10_000, until });
  const later = { id: 'event_2', timestamp: '2026-03-02T09:30:00.000Z' };
  assert.deepEqual(progress.add({ events: 5, until: later }), { events: 10_005, until: later });
});

test('for people, the cursor of a search shows how to continue; other pages and last ones stay as they are', () => {
  const searched = { events: 1 };
  const toGoOn = 'run the command again with --cursor abc';
  assert.deepEqual(readableSearch({ searched, nextCursor: 'abc' }), { searched, toGoOn });
  for (const page of [{ searched }, { nextCursor: 'abc' }]) assert.deepEqual(readableSearch(page), page);
});
