import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importProgress } from './import-progress.ts';

class Output {
  readonly isTTY: boolean;
  text = '';
  writes = 0;

  constructor(isTTY: boolean) {
    this.isTTY = isTTY;
  }

  write(text: string): void {
    this.text += text;
    this.writes += 1;
  }
}

/** Progress that reads bytes at the given rate, looked at each 10 ms. */
function run(output: Output, { totalBytes = 1_000_000, ms = 0, bytesPerMs = 1 }): void {
  let now = 5_000;
  const progress = importProgress(totalBytes, { output, now: () => now });
  for (; now < 5_000 + ms; now += 10) progress.show((now - 5_000) * bytesPerMs, now - 5_000);
  progress.end();
}

test('a terminal shows how far it is, the rate and the time left on one line, which is cleared at the end', () => {
  const terminal = new Output(true);
  run(terminal, { ms: 250_010 });
  assert.doesNotMatch(terminal.text, /\n/);
  const shown = terminal.text.split('\r\u001b[K');
  assert.equal(shown[1], '[..............................] 0 %, 0 records');
  assert.equal(shown.at(-2), `[########......................] 25 %, 250000 records, 1000 a second, 13 min left`);
  assert.equal(shown.at(-1), '');
  assert.ok(terminal.writes < 2_600, `${terminal.writes} writes`);
});

test('elsewhere there is a line a minute, from the first minute on', () => {
  const file = new Output(false);
  run(file, { ms: 185_000 });
  assert.equal(
    file.text,
    [
      'import: 6 %, 60000 records, 1000 a second, 16 min left\n',
      'import: 12 %, 120000 records, 1000 a second, 15 min left\n',
      'import: 18 %, 180000 records, 1000 a second, 14 min left\n',
    ].join(''),
  );
});

test('a short import shows nothing except on a terminal', () => {
  const file = new Output(false);
  run(file, { ms: 59_000 });
  assert.equal(file.text, '');
});

test('without a known size there is no time left, and a file that grows is never beyond 100 %', () => {
  const [pipe, grown, long] = [new Output(false), new Output(false), new Output(false)];
  run(pipe, { totalBytes: 0, ms: 61_000 });
  assert.equal(pipe.text, 'import: 60000 records, 1000 a second\n');
  run(grown, { totalBytes: 10, ms: 61_000 });
  assert.equal(grown.text, 'import: 100 %, 60000 records, 1000 a second, 0 s left\n');
  run(long, { totalBytes: 10_000_000, ms: 61_000 });
  assert.equal(long.text, 'import: 0 %, 60000 records, 1000 a second, 2 h 46 min left\n');
});
