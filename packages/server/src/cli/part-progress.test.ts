import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProgressOutput } from '../../test/cli/progress-output.ts';
import { partProgress } from './progress-line.ts';

test('a command shows how far it is and the time left, and never more than 100 %', () => {
  const terminal = new ProgressOutput({ isTTY: true });
  const progress = partProgress('event archive', terminal.options);
  progress.show(0);
  terminal.ms += 10_000;
  progress.show(0.25);
  terminal.ms += 30_000;
  progress.show(1.5);
  assert.deepEqual(terminal.written, [
    `\r\u001b[K[${'.'.repeat(30)}] 0 %`,
    '\r\u001b[K[########......................] 25 %, 30 s left',
    `\r\u001b[K[${'#'.repeat(30)}] 100 %, 0 s left`,
  ]);
});
