import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine } from '@appregistrar/testkit/programs/command-line';
import type { OperatorApp } from '../../features/apps/app-schemas.ts';
import type { OperatorDeveloper } from '../../features/developers/developer.ts';
import type { Installation } from '../../features/installations/installation.ts';

const user = 'user_01jq3w2x9ge6ab5m6b7k8c9d0e';

onSqlite((engine) => {
  let cli: CommandLine;
  let app: string;
  let workspaces = 0;

  before(async () => {
    cli = await CommandLine.open(engine);
    const { id: userId } = await cli.done<OperatorDeveloper>('developer', 'create', '--email', 'ada@example.com');
    const create = (name: string) => cli.done<OperatorApp>('app', 'create', '--developer', userId, '--name', name);
    app = (await create('Approved')).id;
    await cli.done('app', 'submit', app);
    await cli.done('app', 'approve', app, '--revision', '1');
  });
  after(() => cli.close());

  /** A bare UUID, which is accepted too. */
  const newWorkspace = () => `00000000-0000-0000-0000-${String(++workspaces).padStart(12, '0')}`;
  const into = (appId: string, workspace: string) => ['--app', appId, '--workspace', workspace, '--user', user];

  test('workspace delete-installations removes all apps from the workspace, and prints the number', async () => {
    const workspace = newWorkspace();
    const { workspaceId } = await cli.done<Installation>('installation', 'create', ...into(app, workspace));
    const removed = await cli.done('workspace', 'delete-installations', workspace);
    assert.deepEqual(removed, { workspaceId, installationsDeleted: 1 });
    assert.deepEqual(await cli.done('installation', 'list', '--workspace', workspace), { items: [] });
  });

  test('text output shows the installation, one field per line', async () => {
    const { status, stdout } = await cli.run('installation', 'create', ...into(app, newWorkspace()));
    assert.equal(status, 0);
    assert.match(stdout, new RegExp(`^appId +${app}$`, 'm'));
    assert.match(stdout, /^enabled +true$/m);
  });
});
