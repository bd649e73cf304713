import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine, validationErrorsOf } from '@appregistrar/testkit/programs/command-line';
import type { OperatorDeveloper } from '../../features/developers/developer.ts';

onSqlite((engine) => {
  let cli: CommandLine;
  before(async () => {
    cli = await CommandLine.open(engine);
  });
  after(() => cli.close());

  const create = (...options: string[]) => cli.done<OperatorDeveloper>('developer', 'create', ...options);

  test('developer update changes the given fields, and clears those that are empty or negated with --no', async () => {
    const names = ['--first-name', 'Ada', '--last-name', 'Lovelace'];
    const { id: userId } = await create('--email', 'ada@example.com', ...names);
    const update = (...options: string[]) => cli.done<OperatorDeveloper>('developer', 'update', userId, ...options);
    assert.deepEqual(await update('--email', 'a@example.org', '--no-first-name'), {
      userId,
      email: 'a@example.org',
      lastName: 'Lovelace',
    });
    assert.deepEqual(await update('--first-name', 'Ada', '--last-name', ''), {
      userId,
      email: 'a@example.org',
      firstName: 'Ada',
    });
    assert.deepEqual(await update(), { userId, email: 'a@example.org', firstName: 'Ada' });
    const refusal = await cli.refused('developer', 'update', userId, '--email', '', '--last-name', 'x'.repeat(101));
    assert.deepEqual(validationErrorsOf(refusal).toSorted(), ['/email too_short', '/lastName too_long']);
  });

  test('text output shows the developer, one field per line', async () => {
    const { status, stdout } = await cli.run(
      'developer',
      'create',
      '--email',
      'joan@example.com',
      '--last-name',
      'Clarke',
    );
    assert.equal(status, 0);
    assert.match(stdout, /^userId {4}user_\w{26}\nemail {5}joan@example\.com\nlastName {2}Clarke\n$/);
  });
});
