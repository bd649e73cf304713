import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine, validationErrorsOf } from '@appregistrar/testkit/programs/command-line';
import { contentOf } from '@appregistrar/testkit/registry/recorded';
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
    const { id, createdAt } = await create('--email', 'ada@example.com', ...names);
    const update = async (...options: string[]) =>
      contentOf(await cli.done<OperatorDeveloper>('developer', 'update', id, ...options));
    assert.deepEqual(await update('--email', 'a@example.org', '--no-first-name'), {
      id,
      email: 'a@example.org',
      createdAt,
      lastName: 'Lovelace',
    });
    assert.deepEqual(await update('--first-name', 'Ada', '--last-name', ''), {
      id,
      email: 'a@example.org',
      createdAt,
      firstName: 'Ada',
    });
    assert.deepEqual(await update(), { id, email: 'a@example.org', createdAt, firstName: 'Ada' });
    const refusal = await cli.refused('developer', 'update', id, '--email', '', '--last-name', 'x'.repeat(101));
    assert.deepEqual(validationErrorsOf(refusal).toSorted(), ['/email too_short', '/lastName too_long']);
  });

  test('--if-match takes the ETag that is shown, and refuses an old one', async () => {
    const { id, etag } = await create('--email', 'old@example.com');
    const update = ['developer', 'update', id, '--email', 'new@example.com', '--if-match'];
    assert.equal((await cli.done<OperatorDeveloper>(...update, etag)).email, 'new@example.com');
    assert.equal((await cli.refused(...update, etag.slice(1, -1))).code, 'precondition_failed');
    assert.match((await cli.run(...update, '1')).stderr, /It must be the ETag that the get command prints\./);
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
    assert.match(stdout, /^id {9}user_\w{26}\nemail {6}joan@example\.com\nlastName {3}Clarke\ncreatedAt {2}\S+\n/);
  });
});
