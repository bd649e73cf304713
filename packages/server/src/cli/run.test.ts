import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { refusalOf, runHere } from '@appregistrar/testkit/programs/command-line';
import { listCommands, nameOf } from '../../test/cli/list-commands.ts';
import { version } from '../version.ts';

const wrongUsage: [why: string, ...args: string[]][] = [
  ['no command at all'],
  ['a group without a command', 'app'],
  ['an unknown command', 'aap'],
  ['an unknown command of a group', 'app', 'remove'],
  ['a missing argument', 'app', 'get'],
  ['one argument too many', 'app', 'get', 'one', 'two'],
  ['an argument to a command that takes none', 'migrate', 'now'],
  ['an unknown option', 'app', 'get', 'one', '--all'],
  ['an option of another step', 'app', 'submit', 'one', '--disable-installations'],
  ['a reason without text', 'app', 'submit', 'one', '--reason', ''],
  ['a reason for what changes nothing', 'app', 'get', 'one', '--reason', 'Curiosity.'],
  ['an actor that could be that of a token', 'app', 'submit', 'one', '--actor', 'token_01jq3w4m2je6vs9a1w7p3n0d5e'],
  ['a rejection without a reason', 'app', 'reject', 'one'],
  ['a revocation without a reason', 'app', 'revoke', 'one'],
  ['a revision that is not a number', 'app', 'approve', 'one', '--revision', 'latest'],
  ['an unknown setting', 'settings', 'update', 'unique', 'true'],
  ['an app without a name', 'app', 'create', '--developer', 'one'],
  ['a developer without an email address', 'developer', 'create'],
  ['an installation without a user', 'installation', 'create', '--app', 'one', '--workspace', 'two'],
  ['a logo without a developer', 'logo', 'create', 'logo.png'],
  ['a token without a kind', 'token', 'create'],
  ['a token of an unknown kind', 'token', 'create', '--kind', 'admin'],
  ['a token with an unknown scope', 'token', 'create', '--kind', 'operator', '--scope', 'write'],
  ['an unknown option for events', 'event', 'list', '--types', 'app.approved'],
  ['a webhook without a URL', 'webhook', 'create', '--name', 'Billing'],
  ['a webhook of an unknown type', 'webhook', 'create', '--url', 'https://a.example', '--type', 'app.praised'],
  ['both some types and all types', 'webhook', 'update', 'one', '--type', 'app.created', '--all-types'],
  ['deliveries in an unknown state', 'delivery', 'list', 'one', '--state', 'lost'],
  ['a redelivery of nothing', 'delivery', 'redeliver'],
  ['a redelivery without a time', 'webhook', 'redeliver', 'one'],
  ['a lifetime without a unit', 'token', 'create', '--kind', 'platform', '--expires-in', '90'],
  ['an import without a file', 'import'],
  ['both a server and a database', 'app', 'list', '--url', 'https://ops.example', '--database-url', 'sqlite::memory:'],
  ['a server for a command on a database', 'migrate', '--url', 'https://ops.example'],
  ['a server for the development server', 'dev', '--url', 'https://ops.example'],
  ['a server without encryption', 'app', 'list', '--url', 'http://ops.example'],
  ['an address that is none', 'app', 'list', '--url', 'ops.example'],
  ['a login without a server', 'login'],
  ['the whole list and a part of it', 'app', 'list', '--all', '--limit', '3'],
  ['an empty name of a column', 'app', 'list', '--columns', 'id,,name'],
  ['an option without its value', 'migrate', '--database-url'],
  ['an empty database URL', 'migrate', '--database-url', ''],
  ['a database for the development server', 'dev', '--database-url', 'sqlite::memory:'],
];

describe('help', async () => {
  // golden/help.txt holds which commands there are.
  for (const name of (await listCommands()).map(nameOf)) {
    test(`of "${name}" shows its options and an example`, async () => {
      const { status, stdout, stderr } = await runHere(...name.split(' '), '--help');
      assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
      assert.match(stdout, new RegExp(`^Usage: app-registry ${name} `));
      assert.match(stdout, /--json/);
      assert.match(stdout, /--database-url <url>/);
      assert.match(stdout, new RegExp(`^Example:\\n.*app-registry ${name}`, 'm'));
    });
  }
});

describe('wrong usage has exit status 2', () => {
  for (const [why, ...args] of wrongUsage) {
    test(why, async () => {
      const { status, stdout, stderr } = await runHere(...args);
      assert.deepEqual({ status, stdout }, { status: 2, stdout: '' });
      assert.match(stderr, /^error: |^Usage: /);
    });
  }
});

test('--version prints the version and, in a repository, the commit alone', async () => {
  const { status, stdout, stderr } = await runHere('--version');
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  assert.equal(stdout, `${version()} (${commit})\n`);
});

test('global options are accepted before and after the command', async () => {
  const database = ['--database-url', 'sqlite::memory:'];
  const first = await runHere('--json', ...database, 'app', 'get', 'one');
  const last = await runHere('app', 'get', 'one', ...database, '--json');
  assert.deepEqual(first, last);
  assert.equal(refusalOf(last).code, 'database_not_found');
});

test('an invalid configuration fails the command, without revealing the database URL', async () => {
  const result = await runHere('migrate', '--json', '--database-url', 'mysql://ada:secret@db/registry');
  const { code, detail } = refusalOf(result);
  assert.equal(code, 'configuration_invalid');
  assert.match(detail, /DATABASE_URL must be sqlite:PATH/);
  assert.doesNotMatch(result.stderr, /secret/);
});
