import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine } from '@appregistrar/testkit/programs/command-line';
import type { ImportErrorGroup } from '../../features/import-export/import-record-schema.ts';
import { renderLogo } from '../../features/logos/logo.ts';
import { demoLogo } from '../dev/demo-data.ts';

const userId = 'user_01jq3v8nbtf4mrk6d2m3wz5x7c';
const namespace = '8d3c2f1a-6b4e-4f57-9a0b-2c1d3e4f5a6b';

onSqlite((engine) => {
  let cli: CommandLine;
  let folder: string;
  before(async () => {
    cli = await CommandLine.open(engine);
    folder = await mkdtemp(join(tmpdir(), 'import-csv-'));
    await write('developers.csv', `userId,email\n${userId},ada@example.com\n`);
    await cli.done('import', join(folder, 'developers.csv'));
  });
  after(async () => {
    await cli.close();
    await rm(folder, { recursive: true });
  });

  const write = async (name: string, text: string | Uint8Array) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };

  test('a file of rejects ends the command with 3, is complete, private, and never overwrites another', async () => {
    const apps = await write(
      'apps.csv',
      `id;developerId;name;createdAt\n1;${userId};Good;2020-01-01T00:00:00Z\n2;${userId};;2020-01-01T00:00:00Z\n`,
    );
    const rejects = join(folder, 'rejects.jsonl');
    const args = ['import', apps, '--delimiter', ';', '--id-namespace', namespace, '--rejects', rejects];
    const { status, stdout, stderr } = await cli.run(...args, '--json');
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
    assert.equal((await cli.refused(...args)).code, 'file_unwritable');

    const text = await cli.run('import', apps, '--delimiter', ';', '--id-namespace', namespace);
    assert.equal(text.status, 1);
    assert.match(text.stderr, /^ {2}apps\.csv line 3 column name: The field is required\.$/m);
  });

  test('without rejects no file is left, and an import without errors ends with 0', async () => {
    const apps = await write(
      'apps.tsv',
      `id\tdeveloperId\tname\tcreatedAt\n${crypto.randomUUID()}\t${userId}\tTabs\t2020-01-01T00:00:00Z\n`,
    );
    const rejects = join(folder, 'none.jsonl');
    const { refused } = await cli.done<{ refused: number }>('import', apps, '--rejects', rejects, '--batch');
    assert.equal(refused, 0);
    for (const file of [rejects, `${rejects}.part`]) await assert.rejects(stat(file), /ENOENT/);
  });

  test('an image beside the file is read, and none outside of its folder', async () => {
    await mkdir(join(folder, 'icons'), { recursive: true });
    await mkdir(join(folder, 'inside'), { recursive: true });
    const png = await renderLogo(demoLogo(0x336699, 0xffffff));
    await write('icons/secret.png', png);
    await write('inside/icon.png', png);
    await symlink(join(folder, 'icons/secret.png'), join(folder, 'inside/link.png')).catch(() => {});
    const logosMapping = {
      fields: { id: 'id', developerId: 'owner', createdAt: 'at', png: { column: 'path', isPath: true } },
    };
    // As an editor saves it, with a byte order mark.
    const mapping = await write('logos.json', `\ufeff${JSON.stringify({ logos: logosMapping })}`);
    const rows = (...paths: string[]) =>
      paths.map((path) => `${crypto.randomUUID()},${userId},2020-01-01T00:00:00Z,${path}\n`).join('');
    const outside = [
      '../icons/secret.png',
      join(folder, 'icons/secret.png'),
      'link.png',
      '.',
      'icon.png/..',
      '/dev/zero',
      '',
    ];
    const logos = await write('inside/logos.csv', `id,owner,at,path\n${rows('icon.png', ...outside)}`);
    const { errors } = await cli.refused('import', logos, '--mapping', mapping);
    const groups = errors as unknown as ImportErrorGroup[];
    assert.deepEqual(
      groups.map(({ column, code, examples }) => [column, code, examples.map(({ line }) => line)]),
      [
        ['path', 'not_found', [3, 4, 5, 6, 7, 8]],
        ['path', 'required', [9]],
      ],
    );
  });

  test('contradictory options are wrong usage', async () => {
    const jsonl = await write('a.jsonl', '');
    for (const args of [
      [jsonl, jsonl],
      [jsonl, '--id-namespace', namespace],
      [jsonl, '--delimiter', ';'],
      [jsonl, '--batch', '0'],
      [jsonl, '--batch', 'all'],
      [join(folder, 'developers.csv'), '--delimiter', 'x'],
      [join(folder, 'developers.csv'), '--id-namespace', 'dns'],
      [],
    ]) {
      assert.equal((await cli.run('import', ...args)).status, 2, args.join(' '));
    }
    assert.equal((await cli.refused('import', join(folder, 'missing.csv'))).code, 'file_unreadable');
    const { code } = await cli.refused('import', join(folder, 'developers.csv'), '--mapping', join(folder, 'none'));
    assert.equal(code, 'file_unreadable');
  });
});
