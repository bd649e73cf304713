import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine } from '@appregistrar/testkit/programs/command-line';
import type { OperatorApp } from '../../features/apps/app-schemas.ts';
import type { OperatorDeveloper } from '../../features/developers/developer.ts';

// `operation-interfaces.test.ts` runs the command of every operation. These are what the command line adds.

const someApp = 'app_01jq3v9y6ae0xv5m6b7k8c9d0e';
let cli: CommandLine;
let developerId: string;
before(async () => {
  cli = await CommandLine.open(sqlite);
  ({ id: developerId } = await cli.done<OperatorDeveloper>('developer', 'create', '--email', 'ada@example.com'));
});
after(() => cli.close());

const app = (...args: string[]) => cli.done<OperatorApp>('app', ...args);
const create = (name: string, ...options: string[]) =>
  app('create', '--developer', developerId, '--name', name, ...options);

test('a rejection without words for the developer is wrong usage', async () => {
  for (const name of ['reject', 'reject-change', 'revoke']) {
    const none = await cli.run('app', name, someApp, '--code', 'spam');
    assert.deepEqual([none.status, none.stderr.split('\n')[0]], [2, 'error: give --message or --reason']);
    const blank = await cli.run('app', name, someApp, '--reason', ' \n');
    assert.equal(blank.status, 2);
    assert.match(blank.stderr, /^error: option '--reason <text>' .+ The value must have a visible character/s);
  }
});

test('--revision and --if-match take the ETag that is shown, and refuse that of any other content', async () => {
  const { id, etag } = await create('Invoice Sync');
  await app('submit', id);
  const other = `${etag.slice(1, -1)}x`;
  assert.equal((await cli.refused('app', 'approve', id, '--revision', other)).code, 'revision_mismatch');
  assert.equal((await app('approve', id, '--revision', etag)).reviewStatus, 'APPROVED');
  const rename = ['update', id, '--name', 'By ETag', '--if-match'];
  assert.equal((await app(...rename, etag.slice(1, -1))).name, 'By ETag');
  assert.equal((await cli.refused('app', ...rename, etag)).code, 'precondition_failed');
});

test('--if-match takes the ETag of any resource, and a number only where there are revisions', async () => {
  const { id, etag } = await cli.done<OperatorDeveloper>('developer', 'create', '--email', 'old@example.com');
  const update = ['developer', 'update', id, '--email', 'new@example.com', '--if-match'];
  assert.equal((await cli.done<OperatorDeveloper>(...update, etag)).email, 'new@example.com');
  assert.equal((await cli.refused(...update, etag.slice(1, -1))).code, 'precondition_failed');
  assert.match((await cli.run(...update, '1')).stderr, /It must be the ETag that the get command prints\./);
});

test('an empty value clears an optional field, and is refused for a required one', async () => {
  const { id } = await create('Ledger', '--short-description', 'Short.', '--callback-url', 'https://a.example/back');
  const cleared = await app('update', id, '--short-description', '', '--callback-url', '');
  assert.deepEqual([cleared.listingInfo, cleared.oauthInfo], [{ backgroundColor: '#ffffff' }, {}]);
  const { errors = [] } = await cli.refused('app', 'update', id, '--name', '');
  assert.deepEqual(
    errors.map(({ pointer, code }) => [pointer, code]),
    [['/name', 'too_short']],
  );
});

test('an option takes several values after it, and is repeated for several', async () => {
  const token = ['token', 'create', '--kind', 'operator'];
  for (const scopes of [
    ['--scope', 'review', 'read'],
    ['--scope', 'review', '--scope', 'read'],
  ]) {
    assert.deepEqual((await cli.done<{ scopes: string[] }>(...token, ...scopes)).scopes, ['review', 'read']);
  }
});

test('text output has one field per line, and indents multi-line values', async () => {
  const { id } = await create('Digest', '--long-description', 'One.\n\nTwo.');
  const { status, stdout, stderr } = await cli.run('app', 'get', id);
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  assert.match(stdout, new RegExp(`^id +${id}$`, 'm'));
  assert.match(stdout, /^listingInfo:\n {2}backgroundColor +#ffffff\n {2}longDescription +One\.\n {19}\n {19}Two\.$/m);
});

test('text output lists the reason and then one validation error per line', async () => {
  const invalid = ['--background-color', 'red', '--callback-url', 'nowhere'];
  const result = await cli.run('app', 'create', '--developer', developerId, '--name', 'Invalid', ...invalid);
  assert.deepEqual({ status: result.status, stdout: result.stdout }, { status: 1, stdout: '' });
  assert.match(result.stderr, /^app-registry: 2 values cannot be accepted\. Nothing was changed\.$/m);
  assert.match(result.stderr, /^ {2}--background-color: The value must be a colour in the form #rgb or #rrggbb\.$/m);
  assert.match(result.stderr, /^ {2}--callback-url: The value must be an absolute URL/m);
});

test('overview get prints one line per day', async () => {
  const { stdout } = await cli.run('overview', 'get');
  assert.match(stdout, /^ {2}draft +\d+$/m);
  assert.match(stdout, /^ {2}\d{4}-\d\d-\d\d {2}\d+ apps, 0 installations$/m);
});

test('an image that cannot be read is refused', async () => {
  const { code, detail } = await cli.refused('logo', 'create', 'missing.png', '--developer', developerId);
  assert.equal(code, 'file_unreadable');
  assert.match(detail, /missing\.png.*ENOENT/);
});
