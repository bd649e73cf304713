import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine } from '@appregistrar/testkit/programs/command-line';
import type { OperatorApp } from '../../features/apps/app-schemas.ts';
import type { Developer } from '../../features/developers/developer.ts';
import type { EventPage } from '../../features/events/event-query.ts';

const everyField = [
  ['--short-description', 'Keeps invoices and ledgers in step.'],
  ['--long-description', 'Invoice Sync copies every invoice.\n\nNothing to configure.'],
  ['--background-color', '#0b5fff'],
  ['--login-url', 'https://invoice-sync.example/login'],
  ['--callback-url', 'https://invoice-sync.example/oauth/callback'],
].flat();

onSqlite((engine) => {
  let cli: CommandLine;
  let developerId: string;
  let appCount = 0;

  before(async () => {
    cli = await CommandLine.open(engine);
    ({ userId: developerId } = await cli.done<Developer>('developer', 'create', '--email', 'ada@example.com'));
  });
  after(() => cli.close());

  test('the help of a decision on a change says that an earlier revision may be named', async () => {
    for (const step of ['approve', 'reject-change']) {
      const { stdout } = await cli.run('app', step, '--help');
      assert.match(stdout.replace(/\s+/g, ' '), /may be earlier than the current one/);
    }
  });

  const create = (...options: string[]) =>
    cli.done<OperatorApp>('app', 'create', '--developer', developerId, '--name', `App ${++appCount}`, ...options);
  const step = (...args: string[]) => cli.done<OperatorApp>('app', ...args);

  test('a message alone is enough to reject or revoke, and a reason beside it is that of the event', async () => {
    const { id } = await create();
    const event = async (...args: string[]) => {
      await step(...args);
      const { items } = await cli.done<EventPage>('event', 'list', '--app', id, '--sort', '-id', '--limit', '10');
      const found = items.find(({ type }) => /rejected|revoked/.test(type));
      return [found?.type, found?.reason, Reflect.get(Object(Object(found?.data).after), 'message')];
    };
    const both = ['--message', 'It is slow.', '--reason', 'Ticket 7.'];
    await step('submit', id);
    assert.deepEqual(await event('reject', id, '--revision', '1', ...both), [
      'app.rejected',
      'Ticket 7.',
      'It is slow.',
    ]);
    await step('submit', id);
    await step('approve', id, '--revision', '1');
    assert.deepEqual(await event('revoke', id, ...both.slice(0, 2)), ['app.revoked', 'It is slow.', 'It is slow.']);
    assert.equal((await step('get', id)).rejectionReason, 'It is slow.');
  });

  test('a rejection without words for the developer is wrong usage', async () => {
    for (const name of ['reject', 'reject-change', 'revoke']) {
      const { status, stderr } = await cli.run('app', name, 'app_01jq3v9y6ae0xv5m6b7k8c9d0e', '--code', 'spam');
      assert.deepEqual(
        { status, stderr: stderr.split('\n')[0] },
        { status: 2, stderr: 'error: give --message or --reason' },
      );
      const blank = await cli.run('app', name, 'app_01jq3v9y6ae0xv5m6b7k8c9d0e', '--reason', ' \n');
      assert.equal(blank.status, 2);
      assert.match(
        blank.stderr,
        /^error: option '--reason <text>' argument .+ is invalid\. The value must have a visible character/s,
      );
    }
  });

  test('--revision takes the ETag that is shown, and refuses that of any other content', async () => {
    const { id, etag } = await create();
    await step('submit', id);
    const other = `${etag.slice(1, -1)}x`;
    assert.equal((await cli.refused('app', 'approve', id, '--revision', other)).code, 'revision_mismatch');
    assert.equal((await step('approve', id, '--revision', etag)).reviewStatus, 'APPROVED');
    const updated = await step('update', id, '--name', 'By ETag', '--revision', etag.slice(1, -1));
    assert.equal(updated.name, 'By ETag');
    assert.equal(
      (await cli.refused('app', 'update', id, '--name', 'Again', '--revision', etag)).code,
      'precondition_failed',
    );
  });

  test('text output has one field per line, and indents multi-line values', async () => {
    const { id } = await create(...everyField);
    const { status, stdout, stderr } = await cli.run('app', 'get', id);
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
    assert.match(stdout, new RegExp(`^id +${id}$`, 'm'));
    assert.match(stdout, /^reviewStatus +DRAFT$/m);
    assert.match(stdout, /^listingInfo:\n {2}backgroundColor +#0b5fff$/m);
    assert.match(
      stdout,
      /^ {2}longDescription +Invoice Sync copies every invoice\.\n {20}\n {20}Nothing to configure\.$/m,
    );
  });

  test('text output lists the reason and then one validation error per line', async () => {
    const invalid = ['--background-color', 'red', '--callback-url', 'nowhere'];
    const result = await cli.run('app', 'create', '--developer', developerId, '--name', 'Invalid', ...invalid);
    assert.deepEqual({ status: result.status, stdout: result.stdout }, { status: 1, stdout: '' });
    assert.match(result.stderr, /^app-registry: 2 values cannot be accepted\. Nothing was changed\.$/m);
    assert.match(result.stderr, /^ {2}--background-color: The value must be a colour in the form #rgb or #rrggbb\.$/m);
    assert.match(result.stderr, /^ {2}--callback-url: The value must be an absolute URL/m);
  });
});
