import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Developer } from '../../contract/developer.ts';
import { CommandLine, faultsOf } from '../../testing/command-line.ts';
import { forEachEngine } from '../../testing/engines.ts';

forEachEngine((engine) => {
  let cli: CommandLine;
  before(async () => {
    cli = await CommandLine.open(engine);
  });
  after(() => cli.close());

  test('developer create prints the developer with all that it was given', async () => {
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

  test('developer create makes a user id when it is given none', async () => {
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

  test('developer create tells every fault at once', async () => {
    const faulty = ['--email', 'ada', '--first-name', '', '--last-name', 'x'.repeat(101)];
    const refusal = await cli.refused('developer', 'create', ...faulty);
    assert.deepEqual(faultsOf(refusal).toSorted(), [
      '/email invalid_format',
      '/firstName too_short',
      '/lastName too_long',
    ]);
    const id = await cli.refused('developer', 'create', '--email', 'ada@example.com', '--user-id', 'app_x');
    assert.deepEqual(faultsOf(id), ['/userId invalid_format']);
  });

  test('a person is shown the developer, one member a line', async () => {
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
