import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('main.ts', import.meta.url));

test('a command whose output cannot be written fails with an error', async () => {
  const { status, stderr } = await runOnFullDisk('--help');
  assert.deepEqual(
    { status, stderr },
    { status: 1, stderr: 'app-registry: Standard output cannot be written: ENOSPC.\n' },
  );
});

test('with --json it fails with problem details', async () => {
  const { status, stderr } = await runOnFullDisk('migrate', '--json', '--database-url', 'sqlite::memory:');
  assert.equal(status, 1);
  assert.equal(JSON.parse(stderr).code, 'file_unwritable');
});

async function runOnFullDisk(...args: string[]) {
  const stdout = openSync('/dev/full', 'w');
  const command = spawn(process.execPath, [main, ...args], { stdio: ['ignore', stdout, 'pipe'] });
  closeSync(stdout);
  assert.ok(command.stderr);
  const [stderr, [status]] = await Promise.all([text(command.stderr), once(command, 'exit')]);
  return { status, stderr };
}
