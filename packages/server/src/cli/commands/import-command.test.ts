import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine } from '@appregistrar/testkit/programs/command-line';
import { appOf, created, developerOf, installationOf } from '@appregistrar/testkit/registry/import-file';
import type { ImportErrorGroup } from '../../features/import-export/import-record-schema.ts';
import { renderLogo } from '../../features/logos/logo.ts';
import { demoLogo } from '../dev/demo-data.ts';

const developer = developerOf();
const namespace = '8d3c2f1a-6b4e-4f57-9a0b-2c1d3e4f5a6b';
const createdAt = '2020-01-01T00:00:00Z';
let cli: CommandLine;
let folder: string;
before(async () => {
  cli = await CommandLine.open(sqlite);
  folder = await mkdtemp(join(tmpdir(), 'import-'));
  await cli.done('import', await write('developers.csv', `userId,email\n${developer.userId},ada@example.com\n`));
});
after(async () => {
  await cli.close();
  await rm(folder, { recursive: true });
});

async function write(name: string, content: string | Uint8Array | object[]): Promise<string> {
  const file = join(folder, name);
  const lines = Array.isArray(content) && content.map((line) => `${JSON.stringify(line)}\n`).join('');
  await writeFile(file, lines || (content as string));
  return file;
}

test('import prints the number of objects that it imports, or would import with --dry-run', async () => {
  const app = appOf(developer.userId, 'Invoice Sync');
  const file = await write('good.jsonl', [app, installationOf(app.id)]);
  const counts = created({ apps: 1, installations: 1 });
  assert.deepEqual(await cli.done('import', file, '--dry-run'), { dryRun: true, ...counts });
  assert.equal((await cli.refused('app', 'get', app.id)).code, 'app_not_found');
  assert.deepEqual(await cli.done('import', file), { dryRun: false, ...counts });
});

test('import --pending-as DRAFT prints how many submissions it stores as drafts, and accepts no other status', async () => {
  const submitted = { ...appOf(developer.userId, 'Submitted'), reviewStatus: 'AWAITING_REVIEW' };
  const file = await write('submitted.jsonl', [submitted]);
  const imported = await cli.done<{ pendingAsDraft: number }>('import', file, '--pending-as', 'DRAFT');
  assert.equal(imported.pendingAsDraft, 1);
  assert.match((await cli.run('import', file, '--pending-as', 'REJECTED')).stderr, /Allowed choices are DRAFT/);
});

test('import delivers its events to webhooks only with --deliver-events', async () => {
  const { id } = await cli.done<{ id: string }>('webhook', 'create', '--url', 'https://hooks.example.com/registry');
  const delivered = async () => (await cli.done<{ items: object[] }>('delivery', 'list', id)).items.length;
  const before = await delivered();
  await cli.done('import', await write('quiet.jsonl', [appOf(developer.userId, 'Quiet')]));
  assert.equal(await delivered(), before);
  await cli.done('import', await write('loud.jsonl', [appOf(developer.userId, 'Loud')]), '--deliver-events');
  assert.equal(await delivered(), before + 1);
});

test('a file of rejects ends the command with 3, is complete, private, and never overwrites another', async () => {
  const [good, bad] = ['1', '2'].map((id) => `${id};${developer.userId};${id === '1' ? 'Good' : ''};${createdAt}\n`);
  const apps = await write('apps.csv', `id;developerId;name;createdAt\n${good}${bad}`);
  const rejects = join(folder, 'rejects.jsonl');
  const args = ['import', apps, '--delimiter', ';', '--id-namespace', namespace];
  const { status, stdout, stderr } = await cli.run(...args, '--rejects', rejects, '--json');
  assert.equal(status, 3);
  assert.deepEqual([JSON.parse(stdout).apps.created, JSON.parse(stdout).refused], [1, 1]);
  const problem = JSON.parse(stderr) as { code: string; detail: string; errors: ImportErrorGroup[] };
  assert.equal(problem.code, 'records_refused');
  assert.match(
    problem.detail,
    /^One record was rejected and written to .*rejects\.jsonl\. All other records were imported\./,
  );
  assert.deepEqual(
    problem.errors.map(({ file, line, column, count }) => [file, line, column, count]),
    [['apps.csv', 3, 'name', 1]],
  );
  assert.equal((await stat(rejects)).mode & 0o777, 0o600);
  assert.equal(JSON.parse(await readFile(rejects, 'utf8')).rejected.line, 3);
  assert.equal((await cli.refused(...args, '--rejects', rejects)).code, 'file_unwritable');

  const text = await cli.run(...args);
  assert.equal(text.status, 1);
  assert.match(text.stderr, /^ {2}apps\.csv line 3 column name: The field is required\.$/m);
});

test('without rejects no file is left, and an import without errors ends with 0', async () => {
  const row = [crypto.randomUUID(), developer.userId, 'Tabs', createdAt].join('\t');
  const apps = await write('apps.tsv', `id\tdeveloperId\tname\tcreatedAt\n${row}\n`);
  const rejects = join(folder, 'none.jsonl');
  const { refused } = await cli.done<{ refused: number }>('import', apps, '--rejects', rejects, '--batch');
  assert.equal(refused, 0);
  for (const file of [rejects, `${rejects}.part`]) await assert.rejects(stat(file), /ENOENT/);
});

test('an image beside the file is read, and none outside of its folder', async () => {
  for (const name of ['icons', 'inside']) await mkdir(join(folder, name));
  const png = await renderLogo(demoLogo(0x336699, 0xffffff));
  const secret = await write('icons/secret.png', png);
  await write('inside/icon.png', png);
  await symlink(secret, join(folder, 'inside/link.png'));
  const fields = { id: 'id', developerId: 'owner', createdAt: 'at', png: { column: 'path', isPath: true } };
  // As an editor saves it, with a byte order mark.
  const mapping = await write('logos.json', `\ufeff${JSON.stringify({ logos: { fields } })}`);
  const outside = ['../icons/secret.png', secret, 'link.png', '.', 'icon.png/..', '/dev/zero'];
  const rows = ['icon.png', ...outside, ''].map(
    (path) => `${crypto.randomUUID()},${developer.userId},${createdAt},${path}\n`,
  );
  const logos = await write('inside/logos.csv', `id,owner,at,path\n${rows.join('')}`);
  const { errors } = await cli.refused('import', logos, '--mapping', mapping);
  assert.deepEqual(
    (errors as unknown as ImportErrorGroup[]).map(({ column, code, examples }) => [
      ...[column, code],
      examples.map(({ line }) => line),
    ]),
    [
      ['path', 'not_found', [3, 4, 5, 6, 7, 8]],
      ['path', 'required', [9]],
    ],
  );
});

test('contradictory options are wrong usage', async () => {
  const jsonl = await write('a.jsonl', '');
  const csv = join(folder, 'developers.csv');
  for (const args of [
    [jsonl, jsonl],
    [jsonl, '--id-namespace', namespace],
    [jsonl, '--delimiter', ';'],
    [jsonl, '--batch', '0'],
    [jsonl, '--batch', 'all'],
    [csv, '--delimiter', 'x'],
    [csv, '--id-namespace', 'dns'],
    [],
  ]) {
    assert.equal((await cli.run('import', ...args)).status, 2, args.join(' '));
  }
});

test('a file that cannot be read is refused', async () => {
  const csv = join(folder, 'developers.csv');
  for (const args of [[join(folder, 'missing.jsonl')], [folder], [csv, '--mapping', join(folder, 'none')]]) {
    assert.equal((await cli.refused('import', ...args)).code, 'file_unreadable', args.join(' '));
  }
});
