import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine, validationErrorsOf } from '@appregistrar/testkit/programs/command-line';
import type { Developer } from '../../contract/developer.ts';
import type { Installation } from '../../contract/installation.ts';
import type { OperatorApp } from '../../contract/operator-app.ts';
import type { PageOf } from '../../contract/page.ts';

const user = 'user_01jq3w2x9ge6ab5m6b7k8c9d0e';
const unknown = 'installation_01jq3w3k1hf5tr8z0v6n2m9c4d';

onSqlite((engine) => {
  let cli: CommandLine;
  let app: string;
  let draft: string;
  let workspaces = 0;

  before(async () => {
    cli = await CommandLine.open(engine);
    const { userId } = await cli.done<Developer>('developer', 'create', '--email', 'ada@example.com');
    const create = (name: string) => cli.done<OperatorApp>('app', 'create', '--developer', userId, '--name', name);
    app = (await create('Approved')).id;
    draft = (await create('Draft')).id;
    await cli.done('app', 'submit', app);
    await cli.done('app', 'approve', app, '--revision', '1');
  });
  after(() => cli.close());

  /** A bare UUID, which is accepted too. */
  const newWorkspace = () => `00000000-0000-0000-0000-${String(++workspaces).padStart(12, '0')}`;
  const into = (appId: string, workspace: string) => ['--app', appId, '--workspace', workspace, '--user', user];
  const install = () => cli.done<Installation>('installation', 'create', ...into(app, newWorkspace()));

  test('installation create prints the installation, enabled, with TypeIDs', async () => {
    const workspace = '00000000-0000-0000-0000-00000000ffff';
    const { id, createdAt, ...rest } = await cli.done<Installation>('installation', 'create', ...into(app, workspace));
    assert.match(id, /^installation_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(rest, {
      appId: app,
      workspaceId: 'workspace_00000000000000000000001zzz',
      userId: user,
      enabled: true,
    });
  });

  test('show, disable, enable and delete print the current or deleted installation', async () => {
    const installed = await install();
    const disabled = { ...installed, enabled: false, disabledBy: ['workspace'] };
    assert.deepEqual(await cli.done('installation', 'disable', installed.id), disabled);
    assert.deepEqual(await cli.done('installation', 'disable', installed.id), disabled);
    assert.deepEqual(await cli.done('installation', 'get', installed.id), disabled);
    assert.deepEqual(await cli.done('installation', 'enable', installed.id), installed);
    assert.deepEqual(await cli.done('installation', 'delete', installed.id), installed);
    assert.equal((await cli.refused('installation', 'delete', installed.id)).code, 'installation_not_found');
  });

  test('the app counts its installations', async () => {
    const count = async () => (await cli.done<OperatorApp>('app', 'get', app)).installationCount;
    const before = await count();
    const { id } = await install();
    assert.equal(await count(), before + 1);
    await cli.done('installation', 'disable', id);
    assert.equal(await count(), before + 1);
    await cli.done('installation', 'delete', id);
    assert.equal(await count(), before);
  });

  test('a second installation in the same workspace is refused', async () => {
    const workspace = newWorkspace();
    await cli.done('installation', 'create', ...into(app, workspace));
    assert.equal((await cli.refused('installation', 'create', ...into(app, workspace))).code, 'already_exists');
  });

  test('an app that is not approved is refused, with its status', async () => {
    const refusal = await cli.refused('installation', 'create', ...into(draft, newWorkspace()));
    assert.equal(refusal.code, 'app_not_approved');
    assert.match(refusal.detail, /DRAFT/);
  });

  test('malformed ids and unknown objects are refused', async () => {
    const invalid = ['--app', app, '--workspace', 'home', '--user', 'workspace_01jq3w2r5sfh8tn4m6b7k8c9d0'];
    assert.deepEqual(validationErrorsOf(await cli.refused('installation', 'create', ...invalid)), [
      '/workspaceId invalid_format',
      '/userId invalid_format',
    ]);
    const unknownApp = into('app_01jq3v9y6ae0xv5m6b7k8c9d0e', newWorkspace());
    assert.equal((await cli.refused('installation', 'create', ...unknownApp)).code, 'app_not_found');
    for (const command of ['get', 'enable', 'disable', 'delete']) {
      assert.equal((await cli.refused('installation', command, unknown)).code, 'installation_not_found', command);
    }
  });

  test('installation list prints a page of all installations, or of those of an app, a workspace, a user or some ids', async () => {
    const workspace = newWorkspace();
    const installed = await cli.done<Installation>('installation', 'create', ...into(app, workspace));
    const list = (...options: string[]) => cli.done<PageOf<Installation>>('installation', 'list', ...options);
    assert.deepEqual(await list('--workspace', workspace), { items: [installed] });
    assert.deepEqual(await list('--app', app, '--workspace', workspace, '--user', user), { items: [installed] });
    const all = await list('--app', app, '--limit', '100');
    const first = await list('--app', app, '--limit', '1');
    assert.deepEqual(first.items, all.items.slice(0, 1));
    const second = await list('--app', app, '--limit', '1', '--cursor', first.nextCursor ?? '');
    assert.deepEqual(second.items, all.items.slice(1, 2));
    const byId = all.items.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    assert.deepEqual(await list('--limit', '100'), { items: byId });
    assert.deepEqual(await list('--ids', `${installed.id},${unknown}`), { items: [installed] });
  });

  test('a limit of installation list above the maximum is refused', async () => {
    assert.deepEqual(validationErrorsOf(await cli.refused('installation', 'list', '--app', app, '--limit', '101')), [
      '/limit not_allowed',
    ]);
  });

  test('installation delete --workspace removes all apps from the workspace, and prints the number', async () => {
    const workspace = newWorkspace();
    const { workspaceId } = await cli.done<Installation>('installation', 'create', ...into(app, workspace));
    const removed = await cli.done('installation', 'delete', '--workspace', workspace);
    assert.deepEqual(removed, { workspaceId, installationsDeleted: 1 });
    assert.deepEqual(await cli.done('installation', 'list', '--workspace', workspace), { items: [] });
  });

  test('installation delete needs either an id or a workspace', async () => {
    for (const args of [[], [unknown, '--workspace', newWorkspace()]]) {
      const { status, stderr } = await cli.run('installation', 'delete', ...args);
      assert.equal(status, 2);
      assert.match(stderr, /either an id or --workspace/);
    }
  });

  test('text output shows the installation, one field per line', async () => {
    const { status, stdout } = await cli.run('installation', 'create', ...into(app, newWorkspace()));
    assert.equal(status, 0);
    assert.match(stdout, new RegExp(`^appId +${app}$`, 'm'));
    assert.match(stdout, /^enabled +true$/m);
  });
});
