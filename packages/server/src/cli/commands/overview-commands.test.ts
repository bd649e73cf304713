import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine } from '@appregistrar/testkit/programs/command-line';

test('overview get prints one line per day', async () => {
  const cli = await CommandLine.open(sqlite);
  const { id: userId } = await cli.done<{ id: string }>('developer', 'create', '--email', 'ada@example.com');
  await cli.done('app', 'create', '--developer', userId, '--name', 'Invoice Sync');
  const { stdout, status } = await cli.run('overview', 'get');
  assert.equal(status, 0);
  assert.match(stdout, /^ {2}draft +1$/m);
  assert.match(stdout, /^ {2}\d{4}-\d\d-\d\d {2}1 apps, 0 installations$/m);
  await cli.close();
});
