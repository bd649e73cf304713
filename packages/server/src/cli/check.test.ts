import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachEngine } from 'app-registry-testkit/engines/engines';
import { CommandLine } from 'app-registry-testkit/programs/command-line';
import { openStorage } from '../storage/open-storage.ts';

forEachEngine((engine) => {
  test('check prints how much it checked, and lists the findings of an inconsistent registry', async () => {
    const cli = await CommandLine.open(engine);
    const { userId } = await cli.done<{ userId: string }>('developer', 'create', '--email', 'ada@example.com');
    const { id } = await cli.done<{ id: string }>('app', 'create', '--developer', userId, '--name', 'Invoice Sync');
    const checked = { developers: 1, logos: 0, apps: 1, deletedApps: 0, installations: 0, tokens: 0 };
    assert.deepEqual(await cli.done('check'), checked);

    const storage = await openStorage(cli.databaseUrl);
    await storage.write((transaction) =>
      transaction.run(transaction.builder.updateTable('apps').set({ installation_count: 7 }).compile()),
    );
    await storage.close();
    const { code, errors } = await cli.refused('check');
    assert.equal(code, 'registry_inconsistent');
    assert.deepEqual(errors, [
      {
        pointer: `/apps/${id}/installation_count`,
        code: 'wrong_count',
        detail: 'The count is 7, but the app has 0 installations.',
      },
    ]);
    const { status, stderr } = await cli.run('check');
    assert.equal(status, 1);
    assert.match(stderr, /^ {2}\/apps\/app_\w+\/installation_count: The count is 7/m);
    await cli.close();
  });
});
