import assert from 'node:assert/strict';
import { test } from 'node:test';
import { objectProgress } from './object-progress.ts';

function terminal(isTTY: boolean) {
  const written: string[] = [];
  const stream = { isTTY, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream;
  return { stream, written };
}

test('a terminal shows the objects and their rate, which are cleared at the end; elsewhere nothing is shown', async () => {
  const [shown, other] = [terminal(true), terminal(false)];
  const [progress, silent] = [objectProgress(shown.stream), objectProgress(other.stream)];
  while (shown.written.length === 0) {
    for (const one of [progress, silent]) one.show(1_000);
    await new Promise(setImmediate);
  }
  for (const one of [progress, silent]) one.end();
  assert.ok(shown.written[0]?.startsWith('\r\u001b[K'));
  assert.match(shown.written[0] ?? '', /1000 objects, [0-9]+ a second$/);
  assert.deepEqual(shown.written.slice(1), ['\r\u001b[K']);
  assert.deepEqual(other.written, []);
});
