import assert from 'node:assert/strict';
import { hostname, userInfo } from 'node:os';
import { after, before, describe, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine, withVariables } from '@appregistrar/testkit/programs/command-line';
import { InvalidArgumentError } from 'commander';
import { listCommands, nameOf } from '../../test/cli/list-commands.ts';
import type { EventPage } from '../features/events/event-query.ts';
import { operatorOperations } from '../features/operations.ts';
import type { AnyOperation } from '../kernel/operation.ts';
import { callerOf, changeReason, databaseUrl, durationUpTo, revisionName, wholeNumber } from './command-options.ts';

const daySeconds = 86_400;

test('a duration is a number and a unit', () => {
  const duration = durationUpTo(366 * daySeconds);
  assert.deepEqual(['45s', '30m', '12h', '90d'].map(duration), [45, 1_800, 43_200, 7_776_000]);
  for (const text of ['', '90', 'd', '-1d', '1.5d', '1w', '90 d', '90D', '1d12h', '9999999d']) {
    assert.throws(() => duration(text), InvalidArgumentError, text);
  }
});

test('a duration of 0 and one that is too long are rejected with the allowed range', () => {
  const duration = durationUpTo(366 * daySeconds);
  assert.deepEqual(['1s', '366d'].map(duration), [1, 366 * daySeconds]);
  for (const text of ['0s', '0d', '367d', '8785h', '999999d']) {
    assert.throws(() => duration(text), { message: 'It must be a duration from 1s to 366d.' }, text);
  }
  assert.equal(durationUpTo(daySeconds, 0)('0s'), 0);
});

test('a whole number contains only digits', () => {
  assert.deepEqual(['0', '42'].map(wholeNumber), [0, 42]);
  for (const text of ['', '-1', '+1', '1.0', '1e3', '0x10', ' 1', '9'.repeat(16)]) {
    assert.throws(() => wholeNumber(text), InvalidArgumentError, text);
  }
});

test('a revision is named by its number or its ETag', () => {
  assert.equal(revisionName('7'), 7);
  for (const text of ['7.0195f2c4.Vb2xq0m9K-_y', '"7.0195f2c4.Vb2xq0m9K-_y"', '"7.0195f2c4"']) {
    assert.equal(revisionName(text), text.replaceAll('"', ''));
  }
  for (const text of ['', '-1', 'x', '7.', '"7"', 'W/"7.a"', '7.a,8.b']) {
    assert.throws(() => revisionName(text), InvalidArgumentError, text);
  }
});

test('a database URL is never empty', () => {
  assert.equal(databaseUrl('sqlite::memory:'), 'sqlite::memory:');
  assert.throws(() => databaseUrl(''), InvalidArgumentError);
});

test('a reason has 1 to 2,000 characters, one of them visible, and none that controls a terminal', () => {
  const longest = `${'\u{1f4c5}'.repeat(1_999)}\n`;
  assert.equal(changeReason(longest), longest);
  for (const text of ['', ' ', '\n', '\u3164', 'x'.repeat(2_001), '\u001b[31m', '\u202e']) {
    assert.throws(() => changeReason(text), { message: /^The value must/ }, text);
  }
});

/** No event records them: they change deliveries, which are none of the objects of a registry, or what only reviewers see. */
const withoutEvents = [
  ...['delivery redeliver', 'webhook redeliver'],
  ...['app claim', 'app release', 'app create-note', 'app delete-note'],
];

test('exactly the commands whose change an event records take a reason and an actor', async () => {
  const changing = Object.values<AnyOperation>(operatorOperations)
    .filter(({ method }) => method !== 'GET')
    .map(({ command }) => command?.name ?? '')
    .filter((name) => !withoutEvents.includes(name));
  const commands = await listCommands();
  for (const option of ['--reason', '--actor <name>']) {
    const taking = commands.filter(({ options }) => options.some(({ flags }) => flags.startsWith(option)));
    assert.deepEqual(taking.map(nameOf).toSorted(), changing.toSorted(), option);
  }
});

describe('the actor of a command', () => {
  let cli: CommandLine;
  before(async () => {
    cli = await CommandLine.open(sqlite);
  });
  after(() => cli.close());

  /** The actor that the event of a new developer names. */
  async function actorOf(...options: string[]): Promise<string | undefined> {
    await cli.done('developer', 'create', '--email', 'ada@example.com', ...options);
    const { items } = await cli.done<EventPage>('event', 'list', '--sort', '-id', '--limit', '1');
    return items[0]?.actor;
  }

  test('is the host and the user of the system, if no other name is given', () => {
    const { actor } = callerOf({}, { commandLineActor: null });
    const known = (text: string) => text.replaceAll(/[^\w.-]/g, '_').slice(0, 64);
    assert.equal(actor, `command-line:${known(hostname())}/${known(userInfo().username)}`);
  });

  test('is that of the environment, or that of the option before it', () =>
    withVariables({ APP_REGISTRY_ACTOR: 'nightly' }, async () => {
      assert.equal(await actorOf(), 'command-line:nightly');
      const longest = `Ada.L-1_${'x'.repeat(56)}`;
      assert.equal(await actorOf('--actor', longest), `command-line:${longest}`);
    }));

  test('is no other kind of actor, no email address and no host of a system', async () => {
    const kinds = ['token_01jq3w4m2je6vs9a1w7p3n0d5e', 'TOKEN_x', 'oidc:ada', 'oidc-ada', 'maintenance'];
    const others = ['ada@example.com', '', ' ', '-x', 'a b', 'a/b', 'a:b', 'a\n', '\u001b[31m', '\u0430da'];
    for (const name of [...kinds, ...others, 'x'.repeat(65)]) {
      const { status, stdout, stderr } = await cli.run('developer', 'create', '--email', 'a@b.c', `--actor=${name}`);
      assert.deepEqual({ status, stdout }, { status: 2, stdout: '' }, name);
      assert.match(stderr, /^error: option '--actor <name>' argument .+ is invalid\. The name must/s);
    }
  });
});
