import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine } from '@appregistrar/testkit/programs/command-line';
import { appOf, developerOf, installationOf } from '@appregistrar/testkit/registry/import-file';

const developer = developerOf();
const app = appOf(developer.userId, 'Invoice Sync');
const lines = [developer, app, installationOf(app.id), installationOf(app.id)];
const counts = { developers: 1, logos: 0, apps: 1, installations: 2 };

onSqlite((engine) => {
  let cli: CommandLine;
  let folder: string;
  before(async () => {
    cli = await CommandLine.open(engine);
    folder = await mkdtemp(join(tmpdir(), 'export-'));
    const file = join(folder, 'source.jsonl');
    await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await cli.done('import', file);
    await rm(file);
  });
  after(async () => {
    await cli.close();
    await rm(folder, { recursive: true });
  });

  test('export prints the records, or writes the same records to a file and prints a summary', async () => {
    const { status, stdout, stderr } = await cli.run('export');
    assert.deepEqual({ status, stderr, lines: stdout.split('\n').length - 1 }, { status: 0, stderr: '', lines: 4 });
    const file = join(folder, 'registry.jsonl');
    assert.deepEqual(await cli.done('export', file), { file, ...counts });
    assert.equal(await readFile(file, 'utf8'), stdout);
    assert.equal((await stat(file)).mode & 0o777, 0o600, 'the file contains email addresses');
    assert.equal((await cli.run('export', '--json')).stdout, stdout, 'the lines are JSON already');
  });

  test('an existing file is not overwritten, and a failed export leaves no file behind', async () => {
    const file = join(folder, 'existing.jsonl');
    await writeFile(file, 'existing');
    const before = await readdir(folder);
    assert.equal((await cli.refused('export', file)).code, 'file_unwritable');
    assert.equal((await cli.refused('export', join(folder, 'missing', 'registry.jsonl'))).code, 'file_unwritable');
    assert.equal(await readFile(file, 'utf8'), 'existing');
    assert.deepEqual(await readdir(folder), before);
  });
});
