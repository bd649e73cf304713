import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProgressOutput } from '../../test/cli/progress-output.ts';
import { progressLine, timeLeft } from './progress-line.ts';

const described = (elapsedMs: number) => ({ part: 0.25, text: `${elapsedMs} ms` });

test('a terminal shows progress at once, ten times a second and on one line, which is cleared at the end', () => {
  const terminal = new ProgressOutput({ isTTY: true });
  const line = progressLine('check', terminal.options);
  terminal.run(1_000, () => line.show(described));
  line.end();
  assert.equal(terminal.written[0], '\r\u001b[K[########......................] 0 ms');
  assert.equal(terminal.written.length, 11);
  assert.equal(terminal.written.at(-1), '\r\u001b[K');
  assert.doesNotMatch(terminal.written.join(''), /\n/);
});

test('elsewhere there is a line a minute, from the first minute on, with the name of the command', () => {
  const file = new ProgressOutput({ isTTY: false });
  const line = progressLine('check', file.options);
  file.run(185_000, () => line.show(described));
  line.end();
  assert.deepEqual(file.written, ['check: 60000 ms\n', 'check: 120000 ms\n', 'check: 180000 ms\n']);
});

test('a short command shows nothing except on a terminal', () => {
  const file = new ProgressOutput({ isTTY: false });
  const line = progressLine('check', file.options);
  file.run(59_000, () => line.show(described));
  line.end();
  assert.deepEqual(file.written, []);
});

test('the time left is in seconds below a minute, then in minutes, then in hours', () => {
  const left = [59, 60, 61, 3_599, 3_600, 3_660].map((seconds) => timeLeft(0.5, seconds * 1_000));
  assert.deepEqual(left, [
    ', 59 s left',
    ', 1 min left',
    ', 2 min left',
    ', 1 h 0 min left',
    ', 1 h 0 min left',
    ', 1 h 1 min left',
  ]);
});
