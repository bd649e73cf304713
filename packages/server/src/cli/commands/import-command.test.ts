import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine } from '@appregistrar/testkit/programs/command-line';
import { created } from '@appregistrar/testkit/registry/import-file';
import type { OperatorApp } from '../../features/apps/app-schemas.ts';

const userId = 'user_01jq3v8nbtf4mrk6d2m3wz5x7c';
const appId = 'app_01jq3v9y6ae0xv5m6b7k8c9d0e';
const records = [
  { type: 'developer', userId, email: 'ada@example.com' },
  {
    type: 'app',
    id: appId,
    developerId: userId,
    name: 'Invoice Sync',
    createdAt: '2025-03-01T09:30:00.000Z',
    updatedAt: '2025-04-01T09:30:00.000Z',
    reviewStatus: 'APPROVED',
  },
  {
    type: 'installation',
    appId,
    workspaceId: 'workspace_01jq3w2r5sfh8tn4m6b7k8c9d0',
    userId,
    createdAt: '2025-05-02T11:00:00.000Z',
  },
];

onSqlite((engine) => {
  let cli: CommandLine;
  let folder: string;
  before(async () => {
    cli = await CommandLine.open(engine);
    folder = await mkdtemp(join(tmpdir(), 'import-'));
  });
  after(async () => {
    await cli.close();
    await rm(folder, { recursive: true });
  });

  const fileOf = async (name: string, lines: (object | string)[]) => {
    const file = join(folder, name);
    const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
    await writeFile(file, text.join(''));
    return file;
  };

  test('every error is reported with its line, and nothing is imported', async () => {
    const [developer, app, installation] = records;
    const file = await fileOf('invalid.jsonl', [developer ?? '', { ...app, name: ' x' }, '{', installation ?? '']);
    const { errors } = await cli.refused('import', file);
    assert.deepEqual(
      errors?.map(({ line, pointer, code }) => [line, pointer, code]),
      [
        [2, '/name', 'invalid_format'],
        [3, '', 'invalid_format'],
      ],
    );
    const { status, stdout, stderr } = await cli.run('import', file);
    assert.deepEqual({ status, stdout }, { status: 1, stdout: '' });
    assert.match(stderr, /^ {2}line 2 \/name: The value must be one line of visible text/m);
    assert.match(stderr, /^ {2}line 3: The line must be one JSON object/m);
    assert.equal(
      (await cli.refused('app', 'create', '--developer', userId, '--name', 'x')).code,
      'developer_not_found',
    );
  });

  test('import prints the number of objects that it imports, or would import with --dry-run', async () => {
    const file = await fileOf('good.jsonl', records);
    const counts = created({ developers: 1, apps: 1, installations: 1 });
    assert.deepEqual(await cli.done('import', file, '--dry-run'), { dryRun: true, ...counts });
    assert.equal((await cli.refused('app', 'get', appId)).code, 'app_not_found');
    assert.deepEqual(await cli.done('import', file), { dryRun: false, ...counts });
    const { createdAt, updatedAt, reviewStatus, installationCount } = await cli.done<OperatorApp>('app', 'get', appId);
    assert.deepEqual(
      [createdAt, updatedAt, reviewStatus, installationCount],
      ['2025-03-01T09:30:00.000Z', '2025-04-01T09:30:00.000Z', 'APPROVED', 1],
    );
  });

  test('import --pending-as DRAFT prints how many submissions it stores as drafts, and accepts no other status', async () => {
    const submitted = { ...records[1], id: 'app_01jq3va2c8f0ntb5m6b7k8c9d0', name: 'Submitted' };
    const file = await fileOf('submitted.jsonl', [records[0] ?? '', { ...submitted, reviewStatus: 'AWAITING_REVIEW' }]);
    const { pendingAsDraft } = await cli.done<{ pendingAsDraft: number }>('import', file, '--pending-as', 'DRAFT');
    assert.equal(pendingAsDraft, 1);
    assert.equal((await cli.done<OperatorApp>('app', 'get', submitted.id)).reviewStatus, 'DRAFT');
    const { status, stderr } = await cli.run('import', file, '--pending-as', 'REJECTED');
    assert.deepEqual([status, /Allowed choices are DRAFT/.test(stderr)], [2, true]);
  });

  test('import delivers its events to webhooks only with --deliver-events', async () => {
    const { id } = await cli.done<{ id: string }>('webhook', 'create', '--url', 'https://hooks.example.com/registry');
    const delivered = async () => (await cli.done<{ items: object[] }>('delivery', 'list', id)).items.length;
    const before = await delivered();
    const appNamed = (name: string) => ({ ...records[1], id: 'app_01jq3va2c8f0ntb5m6b7k8c9d1', name });
    await cli.done('import', await fileOf('quiet.jsonl', [appNamed('Quiet')]));
    assert.equal(await delivered(), before);
    await cli.done('import', await fileOf('loud.jsonl', [appNamed('Loud')]), '--deliver-events');
    assert.equal(await delivered(), before + 1);
  });

  test('a file that cannot be read is refused', async () => {
    for (const file of [join(folder, 'missing.jsonl'), folder]) {
      assert.equal((await cli.refused('import', file)).code, 'file_unreadable', file);
    }
  });
});
