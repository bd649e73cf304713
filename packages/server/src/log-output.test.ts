import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { removeFolder, temporaryFolder } from '@appregistrar/testkit/system/temporary-folder';
import { LogOutput } from './log.ts';

const mebibyte = 2 ** 20;

/** An output that takes at most this many bytes of each write, or nothing while that is zero. */
class SlowOutput {
  bytesMax: number;
  readonly writes: Buffer[] = [];
  readonly pauses: number[] = [];
  /** Resolves once everything that was given is written. */
  whole = Promise.withResolvers<string>();
  readonly #ending: string;

  constructor(ending: string, bytesMax = Number.POSITIVE_INFINITY) {
    this.#ending = ending;
    this.bytesMax = bytesMax;
  }

  readonly write = async (_descriptor: number, bytes: Buffer) => {
    if (this.bytesMax === 0) throw Object.assign(new Error(), { code: 'EAGAIN' });
    const part = bytes.subarray(0, this.bytesMax);
    this.writes.push(part);
    const text = Buffer.concat(this.writes).toString();
    if (text.endsWith(this.#ending)) this.whole.resolve(text);
    return { bytesWritten: part.length };
  };

  readonly pause = async (ms: number) => {
    this.pauses.push(ms);
    await new Promise(setImmediate);
  };
}

test('lines that are written together arrive whole and in order, however little the output takes at a time', async () => {
  const slow = new SlowOutput('last\n', 7);
  const output = new LogOutput({ ...slow, descriptor: 1 });
  output.write('first é\n');
  output.write('last\n');
  assert.equal(await slow.whole.promise, 'first é\nlast\n');
  assert.deepEqual([slow.writes.length, slow.pauses], [2, [5]]);
});

test('while an output takes nothing, lines wait up to a limit, and those dropped are counted in their place', async () => {
  const slow = new SlowOutput('after\n', 0);
  const output = new LogOutput({ ...slow, descriptor: 1 });
  output.onResume = (lines) => output.write(`dropped ${lines}\n`);
  const line = (character: string) => `${character.repeat(mebibyte - 1)}\n`;
  for (const character of 'abcdef') output.write(line(character));
  assert.equal(output.droppedLines, 2);
  while (slow.pauses.length < 12) await new Promise(setImmediate);
  assert.deepEqual(slow.pauses.slice(0, 12), [5, 5, 10, 20, 40, 80, 160, 320, 640, 1_000, 1_000, 1_000]);
  slow.bytesMax = 100_000;
  output.write('after\n');
  assert.equal(await slow.whole.promise, `${[...'abcd'].map(line).join('')}dropped 2\nafter\n`);
  assert.equal(output.droppedLines, 2);
});

test('lines that wait when the process exits are written, and what is dropped is counted', () => {
  const folder = temporaryFolder('log-');
  const file = join(folder, 'log');
  const descriptor = openSync(file, 'a');
  const output = new LogOutput({ descriptor, pause: () => new Promise(() => {}) });
  output.onResume = (lines) => output.write(`dropped ${lines}\n`);
  output.write('first\n');
  output.write('x'.repeat(5 * mebibyte));
  output.write('last\n');
  output.writeAtExit();
  assert.equal(readFileSync(file, 'utf8'), 'first\nlast\ndropped 1\n');
  closeSync(descriptor);
  removeFolder(folder);
});
