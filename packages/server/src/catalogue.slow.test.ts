import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine } from '@appregistrar/testkit/programs/command-line';
import { created } from '@appregistrar/testkit/registry/import-file';

const script = fileURLToPath(new URL('../../../scripts/make-catalogue.ts', import.meta.url));
const size = { developers: 20, apps: 100, installations: 2_000 };

test('a made-up catalogue has the size that it was made with, and can be imported', async (t) => {
  const cli = await CommandLine.open(sqlite);
  const folder = await mkdtemp(join(tmpdir(), 'catalogue-'));
  t.after(() => Promise.all([cli.close(), rm(folder, { recursive: true })]));
  const file = join(folder, 'catalogue.jsonl');
  const options = Object.entries({ ...size, output: file }).flatMap(([name, value]) => [`--${name}`, `${value}`]);
  execFileSync(process.execPath, [script, ...options]);
  assert.deepEqual(await cli.done('import', file, '--dry-run'), { dryRun: true, ...created(size) });
  assert.deepEqual(await cli.done('import', file), { dryRun: false, ...created(size) });
});
