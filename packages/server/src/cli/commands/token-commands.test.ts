import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine } from '@appregistrar/testkit/programs/command-line';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { withRegistry } from '@appregistrar/testkit/registry/with-registry';
import type { AccessToken } from '../../features/access/access-token.ts';
import type { TokenChanges } from '../../features/access/list-token-changes.ts';
import type { OperatorApp } from '../../features/apps/app-schemas.ts';
import type { Developer } from '../../features/developers/developer.ts';
import { newId } from '../../kernel/ids.ts';
import { commandLine, tokenScopes } from '../../kernel/registry.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { localOperations } from '../registry-action.ts';
import { listAllChanges } from './list-token-changes-command.ts';

const dayMs = 86_400_000;

type Issued = AccessToken & { token: string };

/** How many changes a page of 100 objects summarises. */
const changesMax = 1_000;

onSqlite((engine) => {
  let cli: CommandLine;
  let developerId: string;
  before(async () => {
    cli = await CommandLine.open(engine);
    ({ userId: developerId } = await cli.done<Developer>('developer', 'create', '--email', 'ada@example.com'));
  });
  after(() => cli.close());

  const issue = (...options: string[]) => cli.done<Issued>('token', 'create', ...options);
  const lifetimeMs = ({ createdAt, expiresAt }: Issued) => Date.parse(expiresAt) - Date.parse(createdAt);

  test('token create prints a developer token with its developer', async () => {
    const { id, token, createdAt, expiresAt, ...rest } = await issue(
      ...['--kind', 'developer', '--developer', developerId, '--name', 'build server'],
    );
    assert.match(id, /^token_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    assert.match(token, /^appreg_developer_[0-9A-Za-z]{39}$/);
    assert.ok(Date.parse(createdAt) < Date.parse(expiresAt));
    assert.deepEqual(rest, { kind: 'developer', developerId, name: 'build server' });
  });

  test('token create prints a token of kind operator with its scopes, in either notation', async () => {
    const given = [
      ['--scope', 'review', 'read'],
      ['--scope', 'review', '--scope', 'read'],
    ];
    for (const scopes of given) {
      const { id, token, createdAt, expiresAt, ...rest } = await issue('--kind', 'operator', ...scopes);
      assert.match(token, /^appreg_operator_[0-9A-Za-z]{39}$/);
      assert.deepEqual(rest, { kind: 'operator', scopes: ['review', 'read'] });
    }
  });

  test('the help of token create describes each scope', async () => {
    const { stdout } = await cli.run('token', 'create', '--help');
    for (const scope of tokenScopes) assert.match(stdout, new RegExp(`^  ${scope} +\\w.*`, 'm'), scope);
  });

  test('a token has the given lifetime, and 90 days by default', async () => {
    assert.equal(lifetimeMs(await issue('--kind', 'platform')), 90 * dayMs);
    assert.equal(lifetimeMs(await issue('--kind', 'platform', '--expires-in', '366d')), 366 * dayMs);
    assert.equal(lifetimeMs(await issue('--kind', 'platform', '--expires-in', '12h')), dayMs / 2);
    assert.equal(lifetimeMs(await issue('--kind', 'platform', '--expires-in', '45s')), 45_000);
  });

  test('a lifetime that is too short or too long is wrong usage, and the range is given in days', async () => {
    for (const lifetime of ['0d', '367d', '8785h']) {
      const { status, stdout, stderr } = await cli.run(
        'token',
        'create',
        '--kind',
        'platform',
        '--expires-in',
        lifetime,
      );
      assert.deepEqual({ status, stdout }, { status: 2, stdout: '' }, lifetime);
      assert.match(stderr, /It must be a duration from 1s to 366d\./);
    }
  });

  test('token list-changes prints the sum of all changes of a token, also of one that is revoked', async () => {
    const { id } = await issue('--kind', 'operator', '--scope', 'portal');
    const app = await cli.done<OperatorApp>('app', 'create', '--developer', developerId, '--name', 'Touched');
    const storage = await openStorage(cli.databaseUrl);
    const event = (await rowsOf(storage, 'events')).find(({ app_id }) => app_id === app.id) ?? assert.fail();
    const ofToken = Array.from({ length: changesMax + 1 }, (_, at) => ({
      ...event,
      id: newId('event'),
      actor: id,
      type: at === 0 ? 'app.submitted' : 'app.updated',
    }));
    const issued = {
      ...event,
      id: newId('event'),
      actor: id,
      type: 'token.created',
      app_id: null,
      subject_id: 'token_1',
    };
    await storage.write((transaction) => transaction.insertNew('events', [...ofToken, issued]));
    await storage.close();
    await cli.done('token', 'revoke', id);
    const { items, searched, nextCursor } = await cli.done<TokenChanges>('token', 'list-changes', id);
    const [changed, other, ...more] = items;
    assert.partialDeepStrictEqual(changed, {
      ...{ type: 'app', appId: app.id, name: 'Touched', changes: changesMax + 1 },
      types: [
        { type: 'app.submitted', changes: 1 },
        { type: 'app.updated', changes: changesMax },
      ],
    });
    assert.deepEqual([other?.type, more, searched.events, nextCursor], ['other', [], changesMax + 2, undefined]);
    const { stdout } = await cli.run('token', 'list-changes', id);
    assert.match(
      stdout,
      new RegExp(`^ {4}changes +${changesMax + 1}\n {4}types +app.submitted 1, app.updated ${changesMax}$`, 'm'),
    );
  });

  test('token list-changes stops after a number of objects, and prints how to continue', async () => {
    const { id } = await issue('--kind', 'operator', '--scope', 'admin');
    const objectsMax = 250;
    // One of the objects is their app.
    const all = objectsMax;
    const changes = (cursor?: string) =>
      withRegistry(cli.databaseUrl, async (registry) => {
        const run = localOperations(registry, commandLine);
        return listAllChanges(run, id, { limit: objectsMax, ...(cursor !== undefined && { cursor }) });
      });
    await withRegistry(cli.databaseUrl, async ({ storage }) => {
      const [event = assert.fail()] = await rowsOf(storage, 'events');
      const events = Array.from({ length: all }, (_, at) => ({
        ...event,
        id: newId('event'),
        actor: id,
        type: 'installation.created',
        app_id: 'app_1',
        subject_id: `installation_${at}`,
        after: JSON.stringify({ workspaceId: `workspace_${at}` }),
      }));
      await storage.write((transaction) => transaction.insertNew('events', events));
    });
    const first = await changes();
    assert.deepEqual([first.items.length, first.searched.events], [objectsMax, objectsMax - 1]);
    const rest = await changes(first.nextCursor);
    assert.deepEqual([rest.items.map(({ type }) => type), rest.nextCursor], [['app', 'workspace'], undefined]);
    const { stdout } = await cli.run('token', 'list-changes', id, '--cursor', first.nextCursor ?? '');
    assert.ok(!stdout.includes('toGoOn'));
  });

  test('text output shows the token, one field per line', async () => {
    const { status, stdout } = await cli.run('token', 'create', '--kind', 'platform');
    assert.equal(status, 0);
    assert.match(stdout, /^token +appreg_platform_\w{39}$/m);
  });
});
