import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine, jsonOf } from '@appregistrar/testkit/programs/command-line';
import { listCommands } from '../../../test/cli/list-commands.ts';
import type { OperatorDeveloper } from '../../features/developers/developer.ts';
import type { ListOptions } from '../command-options.ts';
import { commandName } from './operations-of-command.ts';
import { declaredColumns } from './print-results.ts';

let cli: CommandLine;
before(async () => {
  cli = await CommandLine.open(sqlite);
  for (let number = 0; number < 120; number += 1) {
    await cli.done('developer', 'create', '--email', `dev-${number}@example.com`);
  }
});
after(() => cli.close());

test('--all prints every page as one JSON document, or as one table', async () => {
  const { items, ...rest } = await cli.done<{ items: OperatorDeveloper[] }>('developer', 'list', '--all');
  assert.deepEqual([items.length, new Set(items.map(({ email }) => email)).size, rest], [120, 120, {}]);
  const { stdout, stderr } = await cli.run('developer', 'list', '--all', '--columns', 'email');
  assert.equal(stdout, items.map(({ email }) => `${email}\n`).join(''));
  assert.equal(stderr, '');
});

test('--all continues from a cursor', async () => {
  const { items, nextCursor = '' } = await cli.done<{ items: OperatorDeveloper[]; nextCursor?: string }>(
    'developer',
    'list',
  );
  const rest = await cli.done<{ items: OperatorDeveloper[] }>('developer', 'list', '--all', '--cursor', nextCursor);
  assert.equal(items.length + rest.items.length, 120);
});

test('a page of a table shows on standard error how to continue, and an empty one that nothing was found', async () => {
  const { stderr } = await cli.run('developer', 'list', '--limit', '1');
  assert.match(stderr, /^To continue, add --cursor \S+, or --all to list everything\.\n$/);
  const none = await cli.run('app', 'list');
  assert.deepEqual([none.stdout, none.stderr], ['', 'Nothing found.\n']);
  assert.deepEqual(jsonOf(await cli.run('app', 'list', '--json')), { items: [] });
});

test('--columns chooses the columns, also optional ones, and refuses those that no item can have', async () => {
  const { stdout } = await cli.run('developer', 'list', '--limit', '1', '--columns', 'firstName,email');
  assert.match(stdout, /^\t\S+@example\.com\n$/);
  const refused = await cli.run('developer', 'list', '--columns', 'mail');
  assert.deepEqual([refused.status, refused.stdout], [2, '']);
  assert.match(refused.stderr, /^error: unknown column mail; the columns are id, email, createdAt, updatedAt, etag\n/);
});

test('a status is accepted in any case, with a hyphen too', async () => {
  for (const status of ['APPROVED', 'approved', 'Awaiting-Review', 'awaiting_review']) {
    assert.equal((await cli.run('app', 'list', '--status', status)).status, 0, status);
  }
});

test('a refused list does not say that nothing was changed, and a refused change does', async () => {
  assert.equal((await cli.refused('app', 'list', '--limit', '0')).detail, 'One value cannot be accepted.');
  const { detail } = await cli.refused('developer', 'create', '--email', 'ada');
  assert.equal(detail, 'One value cannot be accepted. Nothing was changed.');
});

test('wrong usage with --json is one problem', async () => {
  for (const args of [
    ['app', 'list', '--strange'],
    ['app'],
    ['nothing'],
    ['app', 'list', '--limit', 'x'],
    ['app', 'get'],
  ]) {
    const { status, stdout, stderr } = await cli.run(...args, '--json');
    const { code, title, type, detail } = JSON.parse(stderr);
    assert.deepEqual([status, stdout, code, title, type], [2, '', 'usage_invalid', 'Wrong Usage', 'about:blank']);
    assert.match(detail, /^[A-Z].*[.)]$/);
  }
});

test('each list has columns of its own for its table, which its operation declares', async () => {
  const lists = (await listCommands()).filter(({ options }) => options.some(({ long }) => long === '--columns'));
  assert.ok(lists.length > 10);
  for (const list of lists) {
    const { columns = [] } = list.opts<ListOptions>();
    const declared = await declaredColumns(list);
    assert.notDeepEqual(columns, [], commandName(list));
    const unknown = columns.filter((one) => !declared.some((name) => name === one || name.startsWith(`${one}.`)));
    assert.deepEqual(unknown, [], `${commandName(list)} has ${declared}`);
  }
});
