import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine, validationErrorsOf } from '@appregistrar/testkit/programs/command-line';
import type { Developer } from '../../contract/developer.ts';
import type { Installation } from '../../contract/installation.ts';
import type { DeletedApp, OperatorApp } from '../../contract/operator-app.ts';
import type { PageOf } from '../../contract/page.ts';

onSqlite((engine) => {
  let cli: CommandLine;
  let developerId: string;
  let otherId: string;
  before(async () => {
    cli = await CommandLine.open(engine);
    ({ userId: developerId } = await cli.done<Developer>('developer', 'create', '--email', 'ada@example.com'));
    ({ userId: otherId } = await cli.done<Developer>('developer', 'create', '--email', 'grace@example.com'));
  });
  after(() => cli.close());

  const create = (name: string, ...options: string[]) =>
    cli.done<OperatorApp>('app', 'create', '--developer', developerId, '--name', name, ...options);
  const app = (...args: string[]) => cli.done<OperatorApp>('app', ...args);
  const list = (...args: string[]) => cli.done<PageOf<OperatorApp>>('app', 'list', ...args);

  test('app list prints pages of the apps that match every filter', async () => {
    const apps = [await create('Ledger One'), await create('Ledger Two'), await create('LEDGER')];
    const submitted = await app('submit', apps[1]?.id ?? '');
    assert.deepEqual(await list('--name', 'ledger t'), { items: [submitted] });
    assert.deepEqual(await list('--status', 'AWAITING_REVIEW', '--developer', developerId), { items: [submitted] });
    assert.deepEqual(await list('--developer', otherId), { items: [] });
    const first = await list('--name', 'Ledger', '--limit', '2');
    assert.deepEqual(first.items, [apps[2], apps[0]]);
    const rest = await list('--name', 'Ledger', '--limit', '2', '--cursor', first.nextCursor ?? '');
    assert.deepEqual(rest.items, [submitted]);
    assert.deepEqual(await list('--name', 'Ledger', '--limit', '2', '--cursor', rest.prevCursor ?? ''), first);
  });

  test('app list reports an unknown status as wrong usage, and a bad cursor with its pointer', async () => {
    assert.equal((await cli.run('app', 'list', '--status', 'OPEN')).status, 2);
    const refusal = await cli.refused('app', 'list', '--cursor', 'nonsense', '--developer', otherId);
    assert.deepEqual(validationErrorsOf(refusal), ['/cursor invalid_format']);
  });

  test('text output that is no terminal is a table of tab-separated values', async () => {
    const { id } = await create('Dashed');
    const { status, stdout } = await cli.run('app', 'list', '--name', 'dashed');
    assert.equal(status, 0);
    assert.match(stdout, new RegExp(`^${id}\\tDashed\\tDRAFT\\tuser_\\w+\\t\\S+Z\\n$`));
  });

  test('app update changes the given fields, and clears those that are empty or negated with --no', async () => {
    const texts = ['--short-description', 'Short.', '--long-description', 'Long.'];
    const urls = ['--login-url', 'https://a.example/login', '--callback-url', 'https://a.example/back'];
    const { id } = await create('Before', ...texts, ...urls);
    const updated = await app(
      ...['update', id, '--name', 'After', '--no-short-description', '--long-description', ''],
      ...['--background-color', '#123', '--no-login-url', '--revision', '1'],
    );
    assert.equal(updated.name, 'After');
    assert.deepEqual(updated.listingInfo, { backgroundColor: '#123' });
    assert.deepEqual(updated.oauthInfo, { callbackUrl: 'https://a.example/back' });
    assert.deepEqual(await app('update', id), updated);
    assert.deepEqual((await app('update', id, '--callback-url', '')).oauthInfo, {});
    assert.equal(
      (await cli.refused('app', 'update', id, '--name', 'X', '--revision', '1')).code,
      'precondition_failed',
    );
    const invalid = await cli.refused(
      'app',
      'update',
      id,
      '--name',
      '',
      '--background-color',
      '',
      '--logo-id',
      'logo_x',
    );
    assert.deepEqual(validationErrorsOf(invalid).toSorted(), [
      '/listingInfo/backgroundColor too_short',
      '/name too_short',
    ]);
    const logo = await cli.refused('app', 'update', id, '--logo-id', 'logo_x');
    assert.deepEqual(validationErrorsOf(logo), ['/logoId unusable_logo']);
    assert.equal((await app('update', id, '--no-logo-id')).logoId, undefined);
  });

  test('app transfer prints the app with its new developer', async () => {
    const created = await create('Given Away');
    const given = await app('transfer', created.id, '--developer', otherId);
    assert.deepEqual([given.developerId, given.name, given.revision], [otherId, 'Given Away', 2]);
  });

  test('app delete prints the deleted app, and app restore restores it', async () => {
    const created = await create('Deleted');
    const { deletedAt, restorableUntil, ...deleted } = await cli.done<DeletedApp>('app', 'delete', created.id);
    assert.deepEqual({ ...deleted, effective: null }, created);
    assert.equal(Date.parse(restorableUntil) - Date.parse(deletedAt), 30 * 86_400_000);
    assert.equal((await cli.refused('app', 'get', created.id)).code, 'app_not_found');
    const listed = await cli.done<PageOf<DeletedApp>>('app', 'list', '--deleted', '--developer', developerId);
    assert.deepEqual(listed.items, [{ ...deleted, deletedAt, restorableUntil }]);
    assert.deepEqual(await list('--deleted', '--developer', otherId, '--limit', '1'), { items: [] });
    assert.deepEqual(await app('restore', created.id), created);
    assert.deepEqual(await app('get', created.id), { ...created, warnings: [], reviewSteps: ['submit'] });
  });

  test('app delete needs --force for an app with installations', async () => {
    const { id } = await create('Installed');
    const target = ['--workspace', 'workspace_01jq3w2r5sfh8tn4m6b7k8c9d0', '--user', developerId];
    const installation = await cli.done<Installation>('installation', 'create', '--app', id, ...target);
    const refusal = await cli.refused('app', 'delete', id);
    assert.deepEqual([refusal.code, refusal.title], ['app_installed', 'Conflict Error']);
    assert.match(refusal.detail, /^One workspace has/);
    await cli.done('app', 'delete', id, '--force');
    assert.equal((await cli.refused('installation', 'delete', installation.id)).code, 'installation_not_found');
    assert.equal((await app('restore', id)).installationCount, 0);
  });

  test('app restore is refused while another app has the same name', async () => {
    const { id } = await create('Taken');
    await cli.done('app', 'delete', id);
    await create('TAKEN');
    assert.equal((await cli.refused('app', 'restore', id)).code, 'name_taken');
  });

  test('an unknown app is refused', async () => {
    for (const args of [['update'], ['delete'], ['restore'], ['transfer', '--developer', otherId]]) {
      const refusal = await cli.refused('app', ...args, 'app_01jq3v9y6ae0xv5m6b7k8c9d0e');
      assert.equal(refusal.code, 'app_not_found', args.join(' '));
    }
  });
});
