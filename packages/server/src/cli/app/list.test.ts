import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine } from '@appregistrar/testkit/programs/command-line';
import type { Developer } from '../../contract/developer.ts';
import type { OperatorApp } from '../../contract/operator-app.ts';
import type { PageOf } from '../../contract/page.ts';

onSqlite((engine) => {
  let cli: CommandLine;
  before(async () => {
    cli = await CommandLine.open(engine);
  });
  after(() => cli.close());

  test('app list filters apps by whether their content has changed since approval', async () => {
    const { userId } = await cli.done<Developer>('developer', 'create', '--email', 'ada@example.com');
    const create = (name: string) => cli.done<OperatorApp>('app', 'create', '--developer', userId, '--name', name);
    const [draft, changed] = [await create('Draft'), await create('Changed')];
    await cli.done('app', 'submit', changed.id);
    await cli.done('app', 'approve', changed.id, '--revision', '1');
    await cli.done('app', 'update', changed.id, '--name', 'Changed since');
    const list = async (...options: string[]) =>
      (await cli.done<PageOf<OperatorApp>>('app', 'list', ...options)).items.map(({ id }) => id);
    assert.deepEqual(await list(), [draft.id, changed.id]);
    assert.deepEqual(await list('--changed-since-approval'), [changed.id]);
    assert.deepEqual(await list('--no-changed-since-approval'), [draft.id]);
  });
});
