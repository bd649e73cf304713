import assert from 'node:assert/strict';
import { hostname, userInfo } from 'node:os';
import { after, before, describe, test } from 'node:test';
import { onSqlite, sqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine, withVariables } from '@appregistrar/testkit/programs/command-line';
import { listCommands, nameOf } from '../../test/cli/list-commands.ts';
import type { Event } from '../features/events/event.ts';
import type { EventPage } from '../features/events/event-query.ts';
import { operatorOperations } from '../features/operations.ts';
import type { AnyOperation } from '../kernel/operation.ts';
import { callerOf } from './command-options.ts';

/** No event records them: they change deliveries, which are none of the objects of a registry, or what only reviewers see. */
const withoutEvents = [
  ...['delivery redeliver', 'webhook redeliver'],
  ...['app claim', 'app release', 'app create-note', 'app delete-note'],
];
/** A command without an operation. */
const commandOnly = ['import'];

test('exactly the commands whose change an event records take a reason and an actor', async () => {
  const changing = Object.values<AnyOperation>(operatorOperations)
    .filter(({ method }) => method !== 'GET')
    .map(({ command }) => command?.name ?? '')
    .filter((name) => !withoutEvents.includes(name));
  const commands = await listCommands();
  for (const option of ['--reason', '--actor <name>']) {
    const taking = commands.filter(({ options }) => options.some(({ flags }) => flags.startsWith(option)));
    assert.deepEqual(taking.map(nameOf).toSorted(), [...new Set([...changing, ...commandOnly])].toSorted(), option);
  }
});

describe('the actor of a command', () => {
  test('is the host and the user of the system, if no other name is given', () => {
    const { actor } = callerOf({}, { commandLineActor: null });
    const known = (text: string) => text.replaceAll(/[^\w.-]/g, '_').slice(0, 64);
    assert.equal(actor, `command-line:${known(hostname())}/${known(userInfo().username)}`);
  });

  test('is that of the environment, or that of the option before it', () => {
    const config = { commandLineActor: 'nightly' };
    assert.equal(callerOf({}, config).actor, 'command-line:nightly');
    assert.equal(callerOf({ actor: 'by-hand' }, config).actor, 'command-line:by-hand');
  });
});

test('APP_REGISTRY_ACTOR names the actor', async () => {
  const cli = await CommandLine.open(sqlite);
  await withVariables({ APP_REGISTRY_ACTOR: 'nightly-import' }, () =>
    cli.done('developer', 'create', '--email', 'ada@example.com'),
  );
  const { items } = await cli.done<EventPage>('event', 'list');
  assert.deepEqual(
    items.map(({ actor }) => actor),
    ['command-line:nightly-import'],
  );
  await cli.close();
});

onSqlite((engine) => {
  let cli: CommandLine;
  before(async () => {
    cli = await CommandLine.open(engine);
  });
  after(() => cli.close());

  let emails = 0;
  /** The event of a new developer. */
  async function created(...options: string[]): Promise<Event> {
    const email = ['--email', `ada${++emails}@example.com`];
    await cli.done('developer', 'create', ...email, ...options);
    const { items } = await cli.done<EventPage>('event', 'list', '--sort', '-id', '--limit', '1');
    return items[0] ?? assert.fail();
  }

  test('an event holds who made the change and why, and is found by its actor', async () => {
    const reason = `${'\u{1f4c5}'.repeat(1_999)}\n`;
    const event = await created('--actor', 'Ada.L-1_x', '--reason', reason);
    assert.deepEqual([event.actor, event.reason], ['command-line:Ada.L-1_x', reason]);
    const { items } = await cli.done<EventPage>('event', 'list', '--actor', 'command-line:Ada.L-1_x');
    assert.deepEqual(items, [event]);
    assert.ok(!('reason' in (await created())));
  });

  test('an actor is no other kind of actor, no email address and no host of a system', async () => {
    const longest = 'x'.repeat(64);
    assert.equal((await created('--actor', longest)).actor, `command-line:${longest}`);
    const names = [
      'token_01jq3w4m2je6vs9a1w7p3n0d5e',
      'TOKEN_x',
      'oidc:ada',
      'oidc-ada',
      'maintenance',
      'ada@example.com',
    ];
    const others = ['', ' ', '-x', 'a b', 'a/b', 'a:b', 'a\n', '\u001b[31m', '\u0430da', `${longest}x`];
    for (const name of [...names, ...others]) await assertWrongUsage('--actor', name);
  });

  test('a reason has 1 to 2,000 characters, one of them visible, and none that controls a terminal', async () => {
    for (const reason of ['', ' ', '\n', '\u3164', 'x'.repeat(2_001), '\u001b[31m', '\u202e'])
      await assertWrongUsage('--reason', reason);
  });

  async function assertWrongUsage(option: string, value: string): Promise<void> {
    const create = ['developer', 'create', '--email', 'eve@example.com'];
    const { status, stdout, stderr } = await cli.run(...create, `${option}=${value}`);
    assert.deepEqual({ status, stdout }, { status: 2, stdout: '' }, value);
    assert.match(stderr, /^error: option '--(actor|reason) <\w+>' argument .+ is invalid\. The (name|value) must/s);
  }
});
