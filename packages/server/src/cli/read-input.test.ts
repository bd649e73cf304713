import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openerOf, readInput } from './command-files.ts';
import { CannotRead } from './command-problems.ts';

const bytesMax = 100_000;
const thisFile = fileURLToPath(import.meta.url);

test('no more than one byte beyond the maximum is read, even of a file without end', async () => {
  assert.equal((await readInput('/dev/zero', bytesMax)).length, bytesMax + 1);
  assert.equal((await readInput(thisFile, 9)).length, 10);
  assert.match(Buffer.from(await readInput(thisFile, bytesMax)).toString(), /^import assert/);
});

test('a file is read again from its start, and what can be read only once is refused the second time', async () => {
  const openFile = openerOf(thisFile);
  assert.deepEqual(await buffer(openFile()), await buffer(openFile()));
  const openDevice = openerOf('/dev/null');
  assert.equal((await buffer(openDevice())).length, 0);
  await assert.rejects(buffer(openDevice()), CannotRead);
});
