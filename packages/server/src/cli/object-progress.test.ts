import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProgressOutput } from '../../test/cli/progress-output.ts';
import { objectProgress } from './progress-line.ts';

test('a command that reads objects shows their number and, after two seconds, their rate', () => {
  const terminal = new ProgressOutput({ isTTY: true });
  const progress = objectProgress('check', terminal.options);
  terminal.run(2_010, (elapsedMs) => progress.show(5 * elapsedMs));
  assert.equal(terminal.written[0], '\r\u001b[K0 objects');
  assert.equal(terminal.written.at(-1), '\r\u001b[K10000 objects, 5000 a second');
});
