import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine, validationErrorsOf } from '@appregistrar/testkit/programs/command-line';
import type { Developer } from '../../contract/developer.ts';
import type { PageOf } from '../../contract/page.ts';

onSqlite((engine) => {
  let cli: CommandLine;
  before(async () => {
    cli = await CommandLine.open(engine);
  });
  after(() => cli.close());

  test('developer create prints the developer with every given field', async () => {
    const userId = 'user_01jq3v8nbtf4mrk6d2m3wz5x7c';
    const names = ['--first-name', 'Ada', '--last-name', 'Lovelace'];
    const developer = await cli.done(
      'developer',
      'create',
      '--email',
      'ada@example.com',
      ...names,
      '--user-id',
      userId,
    );
    assert.deepEqual(developer, { userId, email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' });
  });

  test('developer create generates a user id by default', async () => {
    const { userId, ...rest } = await cli.done<Developer>('developer', 'create', '--email', 'grace@example.com');
    assert.match(userId, /^user_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    assert.deepEqual(rest, { email: 'grace@example.com' });
  });

  test('developer create stores the TypeID of a bare UUID', async () => {
    const userId = '00000000-0000-0000-0000-00000000000a';
    const developer = await cli.done<Developer>('developer', 'create', '--email', 'u@example.com', '--user-id', userId);
    assert.equal(developer.userId, 'user_0000000000000000000000000a');
  });

  test('developer create refuses a user id that is taken', async () => {
    const { userId } = await cli.done<Developer>('developer', 'create', '--email', 'one@example.com');
    const again = await cli.refused('developer', 'create', '--email', 'two@example.com', '--user-id', userId);
    assert.equal(again.code, 'already_exists');
    assert.match(again.detail, new RegExp(userId));
  });

  test('developer create reports all validation errors at once', async () => {
    const invalid = ['--email', 'ada', '--first-name', '', '--last-name', 'x'.repeat(101)];
    const refusal = await cli.refused('developer', 'create', ...invalid);
    assert.deepEqual(validationErrorsOf(refusal).toSorted(), [
      '/email invalid_format',
      '/firstName too_short',
      '/lastName too_long',
    ]);
    const id = await cli.refused('developer', 'create', '--email', 'ada@example.com', '--user-id', 'app_x');
    assert.deepEqual(validationErrorsOf(id), ['/userId invalid_format']);
  });

  const create = (...options: string[]) => cli.done<Developer>('developer', 'create', ...options);

  test('developer update changes the given fields, and clears those that are empty or negated with --no', async () => {
    const names = ['--first-name', 'Ada', '--last-name', 'Lovelace'];
    const { userId } = await create('--email', 'ada@example.com', ...names);
    const update = (...options: string[]) => cli.done<Developer>('developer', 'update', userId, ...options);
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

  test('developer erase prints the remaining fields and the number of revoked tokens', async () => {
    const { userId } = await create('--email', 'marie@example.com', '--first-name', 'Marie');
    await cli.done('token', 'issue', '--kind', 'developer', '--developer', userId);
    const remaining = { userId, email: 'erased@developer.invalid' };
    assert.deepEqual(await cli.done('developer', 'erase', userId), { ...remaining, tokensRevoked: 1 });
    assert.deepEqual(await cli.done('developer', 'update', userId), remaining);
  });

  test('developer get prints the developer, by a TypeID or a UUID', async () => {
    const userId = '00000000-0000-0000-0000-00000000000b';
    const created = await create('--email', 'mary@example.com', '--last-name', 'Somerville', '--user-id', userId);
    assert.deepEqual(await cli.done('developer', 'get', created.userId), created);
    assert.deepEqual(await cli.done('developer', 'get', userId), created);
  });

  test('developer list prints pages linked by cursors', async () => {
    for (let count = 0; count < 3; count += 1) await create('--email', `${count}@example.com`);
    const all = await cli.done<PageOf<Developer>>('developer', 'list', '--limit', '100');
    const first = await cli.done<PageOf<Developer>>('developer', 'list', '--limit', '2');
    const second = await cli.done<PageOf<Developer>>(
      'developer',
      'list',
      '--limit',
      '2',
      '--cursor',
      first.nextCursor ?? '',
    );
    assert.deepEqual([...first.items, ...second.items], all.items.slice(0, 4));
    const back = await cli.done<PageOf<Developer>>(
      'developer',
      'list',
      '--limit',
      '2',
      '--cursor',
      second.prevCursor ?? '',
    );
    assert.deepEqual(back, first);
    const refusal = await cli.refused('developer', 'list', '--limit', '101', '--cursor', '');
    assert.deepEqual(validationErrorsOf(refusal).toSorted(), ['/cursor too_short', '/limit not_allowed']);
  });

  test('an unknown developer and a malformed id are refused', async () => {
    for (const command of ['get', 'update', 'erase']) {
      for (const id of ['user_01jq3v8nbtf4mrk6d2m3wz5x7d', 'ada', 'app_01jq3v8nbtf4mrk6d2m3wz5x7d']) {
        const refusal = await cli.refused('developer', command, id);
        assert.equal(refusal.code, 'developer_not_found', `${command} ${id}`);
      }
    }
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
