import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine, validationErrorsOf } from '@appregistrar/testkit/programs/command-line';
import type { Developer } from '../../contract/developer.ts';
import type { EventPage } from '../../contract/event-query.ts';
import type { Installation } from '../../contract/installation.ts';
import type { OperatorApp } from '../../contract/operator-app.ts';
import type { PageOf } from '../../contract/page.ts';

const appId = /^app_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const everyField = [
  ['--short-description', 'Keeps invoices and ledgers in step.'],
  ['--long-description', 'Invoice Sync copies every invoice.\n\nNothing to configure.'],
  ['--background-color', '#0b5fff'],
  ['--login-url', 'https://invoice-sync.example/login'],
  ['--callback-url', 'https://invoice-sync.example/oauth/callback'],
].flat();

const listingInfo = {
  backgroundColor: '#0b5fff',
  shortDescription: 'Keeps invoices and ledgers in step.',
  longDescription: 'Invoice Sync copies every invoice.\n\nNothing to configure.',
};
const oauthInfo = {
  loginUrl: 'https://invoice-sync.example/login',
  callbackUrl: 'https://invoice-sync.example/oauth/callback',
};

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

  test('app create prints a draft with every given field', async () => {
    const { id, createdAt, updatedAt, etag, ...rest } = await create(...everyField);
    assert.match(etag, /^"1\./);
    assert.match(id, appId);
    assert.match(createdAt, time);
    assert.equal(updatedAt, createdAt);
    assert.deepEqual(rest, {
      name: `App ${appCount}`,
      reviewStatus: 'DRAFT',
      installationCount: 0,
      listingInfo,
      oauthInfo,
      developerId,
      revision: 1,
      current: { revision: 1, etag, name: `App ${appCount}`, listingInfo, oauthInfo },
      effective: null,
    });
  });

  test('app create omits the fields that were not given', async () => {
    const { id, createdAt, updatedAt, etag, ...rest } = await create();
    assert.deepEqual(rest, {
      name: `App ${appCount}`,
      reviewStatus: 'DRAFT',
      installationCount: 0,
      listingInfo: { backgroundColor: '#ffffff' },
      oauthInfo: {},
      developerId,
      revision: 1,
      current: {
        revision: 1,
        etag,
        name: `App ${appCount}`,
        listingInfo: { backgroundColor: '#ffffff' },
        oauthInfo: {},
      },
      effective: null,
    });
  });

  test('app create accepts a bare UUID for a developer', async () => {
    const userId = '01957a3c-6f0e-7cc2-9b1d-2f4f0f6d3a11';
    const created = await cli.done<Developer>('developer', 'create', '--email', 'b@example.com', '--user-id', userId);
    const app = await cli.done<OperatorApp>('app', 'create', '--developer', userId, '--name', 'By UUID');
    assert.equal(app.developerId, created.userId);
  });

  test('app get prints the same app as the latest change', async () => {
    const app = await create(...everyField);
    assert.deepEqual(await step('get', app.id), { ...app, warnings: [], reviewSteps: ['submit'] });
    const submitted = await step('submit', app.id);
    assert.deepEqual(await step('get', app.id), {
      ...submitted,
      warnings: [],
      reviewSteps: ['withdraw', 'approve', 'reject'],
    });
  });

  test('each review step prints the app in its new state', async () => {
    const { id } = await create(...everyField);
    const statuses = async (...args: string[]) => {
      const { reviewStatus, rejectionReason, approved } = await step(...args);
      return [reviewStatus, rejectionReason, approved?.revision];
    };
    assert.deepEqual(await statuses('submit', id), ['AWAITING_REVIEW', undefined, undefined]);
    assert.deepEqual(await statuses('withdraw', id), ['DRAFT', undefined, undefined]);
    await step('submit', id);
    assert.deepEqual(await statuses('reject', id, '--revision', '1', '--reason', 'It is slow.'), [
      'REJECTED',
      'It is slow.',
      undefined,
    ]);
    await step('submit', id);
    assert.deepEqual(await statuses('approve', id, '--revision', '1'), ['APPROVED', undefined, 1]);
    assert.deepEqual(await statuses('revoke', id, '--reason', 'Spam.'), ['REJECTED', 'Spam.', 1]);
  });

  test('a message alone is enough to reject or revoke, and a reason beside it is that of the event', async () => {
    const { id } = await create();
    const event = async (...args: string[]) => {
      await step(...args);
      const { items } = await cli.done<EventPage>('event', 'list', '--app', id, '--newest-first', '--limit', '10');
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

  test('app revoke --disable-installations disables them, and a new approval enables them again', async () => {
    const { id } = await create();
    await step('submit', id);
    await step('approve', id, '--revision', '1');
    const target = ['--workspace', '01957a3c-6f0e-7cc2-9b1d-2f4f0f6d3a11', '--user', developerId];
    await cli.done('installation', 'create', '--app', id, ...target);
    const enabled = async () => {
      const { items } = await cli.done<PageOf<Installation>>('installation', 'list', '--app', id);
      return items.map((installation) => installation.enabled);
    };
    const { installationCount } = await step('revoke', id, '--reason', 'Spam.', '--disable-installations');
    assert.deepEqual([installationCount, await enabled()], [1, [false]]);
    await step('submit', id);
    await step('approve', id, '--revision', '1');
    assert.deepEqual(await enabled(), [true]);
  });

  test('an approved app is printed with its approved content', async () => {
    const { id, name, etag } = await create(...everyField);
    await step('submit', id);
    const { approved, changedSinceApproval, effective } = await step('approve', id, '--revision', '1');
    const content = { name, listingInfo, oauthInfo };
    assert.deepEqual(
      { approved, changedSinceApproval, effective },
      {
        approved: { revision: 1, etag, ...content },
        changedSinceApproval: false,
        effective: content,
      },
    );
  });

  test('a step that is not allowed is refused with the steps that are', async () => {
    const { id } = await create();
    const refusal = await cli.refused('app', 'approve', id, '--revision', '1');
    assert.equal(refusal.code, 'review_status_conflict');
    assert.equal(refusal.title, 'Conflict Error');
    assert.match(refusal.detail, /"approve" is not allowed for an app that is DRAFT.*submit/);
    assert.equal((await step('get', id)).reviewStatus, 'DRAFT');
  });

  test('--revision takes the ETag that is shown, and refuses that of any other content', async () => {
    const { id, etag } = await create();
    await step('submit', id);
    const other = `${etag.slice(1, -1)}x`;
    assert.equal((await cli.refused('app', 'approve', id, '--revision', other)).code, 'precondition_failed');
    assert.equal((await step('approve', id, '--revision', etag)).reviewStatus, 'APPROVED');
    const updated = await step('update', id, '--name', 'By ETag', '--revision', etag.slice(1, -1));
    assert.equal(updated.name, 'By ETag');
    assert.equal(
      (await cli.refused('app', 'update', id, '--name', 'Again', '--revision', etag)).code,
      'precondition_failed',
    );
  });

  test('approving or rejecting a revision other than the current one is refused', async () => {
    const { id } = await create();
    await step('submit', id);
    const approving = await cli.refused('app', 'approve', id, '--revision', '2');
    const rejecting = await cli.refused('app', 'reject', id, '--revision', '2', '--reason', 'No.');
    for (const { code, detail } of [approving, rejecting]) {
      assert.equal(code, 'precondition_failed');
      assert.match(detail, /now at revision 1\b/);
    }
  });

  test('all validation errors of a new app are reported at once, each with its pointer', async () => {
    const invalid = ['--background-color', 'red', '--login-url', 'http://example.com/', '--long-description', ''];
    const refusal = await cli.refused('app', 'create', '--developer', developerId, '--name', ' App', ...invalid);
    assert.deepEqual(validationErrorsOf(refusal).toSorted(), [
      '/listingInfo/backgroundColor invalid_format',
      '/listingInfo/longDescription too_short',
      '/name invalid_format',
      '/oauthInfo/loginUrl invalid_format',
    ]);
  });

  test('a name that another app has is refused, in any case', async () => {
    const { name } = await create();
    const again = ['app', 'create', '--developer', developerId, '--name', name.toUpperCase()];
    assert.equal((await cli.refused(...again)).code, 'name_taken');
  });

  test('an unknown developer or app is refused with the code of its kind', async () => {
    const unknown = 'user_01jq3v8nbtf4mrk6d2m3wz5x7c';
    const creating = await cli.refused('app', 'create', '--developer', unknown, '--name', 'Orphan');
    assert.equal(creating.code, 'developer_not_found');
    for (const args of [
      ['get'],
      ['submit'],
      ['withdraw'],
      ['approve'],
      ['reject', '--reason', 'No.'],
      ['revoke', '--reason', 'No.'],
    ]) {
      const refusal = await cli.refused('app', ...args, 'app_01jq3v9y6ae0xv5m6b7k8c9d0e');
      assert.equal(refusal.code, 'app_not_found', args.join(' '));
    }
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
