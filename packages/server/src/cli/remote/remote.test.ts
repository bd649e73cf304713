import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { jsonOf, runHere, withVariables } from '@appregistrar/testkit/programs/command-line';
import { ServedOperatorApi } from '../../../test/registry/served-operator-api.ts';
import type { Caller } from '../../features/access/tokens.ts';

let served: ServedOperatorApi;
let token: { id: string; token: string };
let folder: string;
before(async () => {
  served = await ServedOperatorApi.start();
  token = await served.data.newToken('operator', { name: 'Grace' });
  folder = await mkdtemp(join(tmpdir(), 'remote-'));
});
after(async () => {
  await rm(folder, { recursive: true });
  await served.stop();
});

/** Runs a command with these variables alone. */
function runWith(variables: Record<string, string>, ...args: string[]) {
  const none = { APP_REGISTRY_URL: undefined, APP_REGISTRY_TOKEN: undefined, DATABASE_URL: undefined };
  return withVariables({ ...none, XDG_CONFIG_HOME: folder, ...variables }, () => runHere(...args));
}

/** Runs a command on the server. */
function run(...args: string[]) {
  return runWith({ APP_REGISTRY_URL: served.url, APP_REGISTRY_TOKEN: token.token }, ...args);
}

test('the server and the token come from options, variables or a file', async () => {
  const file = join(folder, 'token.txt');
  await writeFile(file, `${token.token}\n`);
  const inFile = { APP_REGISTRY_TOKEN_FILE: file };
  for (const args of [
    ['--url', served.url, 'whoami'],
    ['whoami', '--url', `${served.url}/`],
  ]) {
    assert.equal(jsonOf<Caller>(await runWith(inFile, ...args, '--json')).actor, token.id);
  }
  const both = await runWith({ ...inFile, APP_REGISTRY_TOKEN: token.token }, 'whoami', '--url', served.url);
  assert.equal(both.status, 1);
  assert.match(both.stderr, /APP_REGISTRY_TOKEN_FILE must not be set together with APP_REGISTRY_TOKEN/);
});

test('--database-url takes precedence over the server that a variable names', async () => {
  const { stderr } = await run('app', 'list', '--database-url', `sqlite:${join(folder, 'none.db')}`);
  assert.match(stderr, /There is no registry in /);
});

test('a refusal of the server is printed as a local one is, and names the option', async () => {
  const { status, stdout, stderr } = await run('developer', 'create', '--email', 'ada');
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /^app-registry: One value cannot be accepted\. Nothing was changed\.\n {2}--email: .+\n$/);
  const list = await run('app', 'list', '--limit', '0');
  assert.match(list.stderr, /^app-registry: One value cannot be accepted\.\n {2}--limit: .+\n$/);
});

test('a token that is missing, wrong or without the scope is refused with what to do', async () => {
  const codeOf = async (text: string | undefined, ...args: string[]) => {
    const given = text === undefined ? {} : { APP_REGISTRY_TOKEN: text };
    const { status, stderr } = await runWith(given, ...args, '--url', served.url, '--json');
    assert.equal(status, 1);
    return JSON.parse(stderr);
  };
  const missing = await codeOf(undefined, 'app', 'list');
  assert.equal(missing.code, 'token_required');
  assert.match(missing.detail, /Run "app-registry login --url http:\/\/127\.0\.0\.1:\d+"/);
  assert.equal((await codeOf('nonsense', 'app', 'list')).code, 'token_invalid');
  const reader = await served.data.newToken('operator', { scopes: ['read'] });
  assert.equal((await codeOf(reader.token, 'token', 'list')).code, 'insufficient_scope');
});

test('--actor, and a --reason that the operation does not take, are refused; one that it takes is sent', async () => {
  const { id: userId } = served.data.developer;
  for (const option of [
    ['--actor', 'nightly'],
    ['--reason', 'Why not.'],
  ]) {
    const { status, stderr } = await run('developer', 'update', userId, '--first-name', 'Ada', ...option);
    assert.equal(status, 2);
    assert.match(stderr, new RegExp(`^error: .*${option[0]}`));
  }
  const suspended = await run('developer', 'suspend', userId, '--reason', 'Spam.', '--dry-run', '--json');
  assert.equal(jsonOf<{ dryRun?: true }>(suspended).dryRun, true);
});

test('a command on a database refuses a server that only a variable names, unless one names a database', async () => {
  for (const command of [
    ['backup', 'x.db'],
    ['export'],
    ['check'],
    ['migrate'],
    ['event', 'archive', 'x', '--before', 'y'],
  ]) {
    const { status, stderr } = await run(...command);
    assert.equal(status, 2, command.join(' '));
    assert.match(stderr, /works on a database, not through a server, but APP_REGISTRY_URL names a server/);
  }
  const both = { APP_REGISTRY_URL: served.url, DATABASE_URL: `sqlite:${join(folder, 'none.db')}` };
  assert.match((await runWith(both, 'check')).stderr, /There is no registry in /);
});

test('an id cannot change the path of a request', async () => {
  for (const id of ['', '.', '..', '../apps', 'a/b', '?', '#']) {
    const { status, stderr } = await run('app', 'get', id, '--json');
    assert.deepEqual([status, JSON.parse(stderr).code], [1, 'app_not_found'], id);
  }
});
