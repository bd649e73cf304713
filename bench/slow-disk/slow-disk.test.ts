import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { requireSystemPrograms } from '@appregistrar/testkit/programs/system-programs';
import { removeFolder, temporaryFolder } from '@appregistrar/testkit/system/temporary-folder';
import { compilers, SlowDisk } from './slow-disk.ts';

const pages = 10;
const delayMs = 20;

/** Prints how long each sync, each first read, each second read, and each read of a written page takes. */
const program = `
  const { closeSync, fdatasyncSync, fsyncSync, openSync, readSync, writeSync } = require('node:fs');
  const file = openSync(process.argv[1], 'r+');
  const page = Buffer.alloc(4096);
  const timed = (work) => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  };
  const each = (work) => Array.from({ length: ${pages} }, (_, at) => timed(() => work(at)));
  const read = (at) => readSync(file, page, 0, 4096, at * 4096);
  const syncs = [timed(() => fsyncSync(file)), timed(() => fdatasyncSync(file))];
  const [first, second] = [each(read), each(read)];
  for (let at = ${pages}; at < ${2 * pages}; at += 1) writeSync(file, page, 0, 4096, at * 4096);
  const written = each((at) => read(${pages} + at));
  console.log(JSON.stringify({ syncs, first, second, written }));
`;

test('a slow disk delays each sync and each first read of a page, and no other read', () => {
  const { syncs, first, second, written } = timesOn({ isSlow: true });
  for (const ms of [...syncs, ...first]) assert.ok(ms >= delayMs, `${ms} ms`);
  // A busy machine may delay any of them, but not all.
  for (const times of [second, written]) assert.ok(Math.min(...times) < delayMs, `${times} ms`);
});

test('a disk is not slow before the slowdown begins', () => {
  const { first } = timesOn({ isSlow: false });
  assert.ok(Math.min(...first) < delayMs, `${first} ms`);
});

function timesOn({ isSlow }: { isSlow: boolean }): Record<'syncs' | 'first' | 'second' | 'written', number[]> {
  requireSystemPrograms(compilers);
  const folder = temporaryFolder('slow-disk-');
  try {
    const file = join(folder, 'file');
    writeFileSync(file, Buffer.alloc(2 * pages * 4_096));
    const disk = new SlowDisk(folder);
    if (isSlow) disk.begin();
    const env = disk.environment({ readsOf: file });
    return JSON.parse(execFileSync(process.execPath, ['-e', program, file], { env, encoding: 'utf8' }));
  } finally {
    removeFolder(folder);
  }
}
