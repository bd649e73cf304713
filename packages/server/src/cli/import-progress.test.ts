import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProgressOutput } from '../../test/cli/progress-output.ts';
import { importProgress } from './progress-line.ts';

/** What a terminal shows last of an import that reads a byte and a record each millisecond. */
function lastShown({ totalBytes, ms }: { totalBytes: number; ms: number }): string | undefined {
  const terminal = new ProgressOutput({ isTTY: true });
  const progress = importProgress(totalBytes, terminal.options);
  terminal.run(ms, (elapsedMs) => progress.show(elapsedMs, elapsedMs));
  return terminal.written.at(-1)?.replace('\r\u001b[K', '');
}

test('an import shows how far it is, its records, their rate and the time left', () => {
  const progress = { totalBytes: 1_000_000, ms: 250_010 };
  const shown = '[########......................] 25 %, 250000 records, 1000 a second, 13 min left';
  assert.equal(lastShown(progress), shown);
  const long = { totalBytes: 10_000_000, ms: 60_010 };
  assert.match(lastShown(long) ?? '', / 0 %, 60000 records, 1000 a second, 2 h 46 min left$/);
});

test('the first two seconds show neither a rate nor the time left', () => {
  assert.equal(lastShown({ totalBytes: 1_000_000, ms: 10 }), `[${'.'.repeat(30)}] 0 %, 0 records`);
});

test('without a known size there is no time left, and a file that grows is never beyond 100 %', () => {
  assert.equal(lastShown({ totalBytes: 0, ms: 60_010 }), '60000 records, 1000 a second');
  const grown = `[${'#'.repeat(30)}] 100 %, 60000 records, 1000 a second, 0 s left`;
  assert.equal(lastShown({ totalBytes: 10, ms: 60_010 }), grown);
});
